export type JobStatus = 'starting' | 'processing' | 'completed' | 'failed' | 'cancelled';

/** Facts that a kind of job shows beside its message; JSON. */
export type JobData = Record<string, unknown>;

export interface JobView {
  id: number;
  kind: string;
  /** What the job works on, such as `item:17`. */
  subject: string;
  status: JobStatus;
  /** 0 to 100, never falling. */
  progress: number;
  /** For the reader: what is being done, what came of it, or why it failed and what to do. */
  message: string;
  /** Why it failed, for programs; null otherwise. */
  code: string | null;
  data: JobData;
  created_at: string;
  finished_at: string | null;
}

export const isOver = (status: JobStatus): boolean => status !== 'starting' && status !== 'processing';
