export type JobStatus = 'starting' | 'processing' | 'completed' | 'failed' | 'cancelled';

/** Details that a kind of job reports beside its message; JSON. */
export type JobData = Record<string, unknown>;

export interface JobView {
  id: number;
  kind: string;
  /** What the job works on, such as `item:17`. */
  subject: string;
  status: JobStatus;
  /** 0 to 100, never decreasing. */
  progress: number;
  /** For the user: what is being done, the result, or why it failed and what to do. */
  message: string;
  /** The error code if it failed; null otherwise. */
  code: string | null;
  data: JobData;
  created_at: string;
  finished_at: string | null;
}

export const isOver = (status: JobStatus): boolean => status !== 'starting' && status !== 'processing';
