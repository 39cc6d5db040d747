import type { Actor } from '#server/actor.ts';
import type { JobData, JobStatus, JobView } from './contract.ts';

/** A row of `jobs`. */
export interface JobRow {
  id: number;
  kind: string;
  /** Null for work of the server itself. */
  firm_id: number | null;
  /** Null for what nobody asked for; such a job is in no one's panel. */
  user_id: number | null;
  subject: string;
  /** The user's rights when it was asked for. */
  actor: string | null;
  input: string;
  sealed: Buffer | null;
  status: JobStatus;
  progress: number;
  message: string;
  code: string | null;
  data: string;
  attempts: number;
  /** Of what is done again and again, in ms; its row waits again after each run. */
  every: number | null;
  due_at: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Progress of a running job that is newer than its row. */
export interface Live {
  progress: number;
  message: string;
  data: JobData;
}

export function toView(row: JobRow, live?: Live): JobView {
  const { id, kind, subject, status, progress, message, code, created_at, finished_at } = row;
  const data = JSON.parse(row.data) as JobData;
  const view = { id, kind, subject, status, progress, message, code, data, created_at, finished_at };
  return live && status === 'processing' ? { ...view, ...live } : view;
}

/** What of the actor a job is done with; not the user and the firm, which the row has of its own. */
type Rights = Omit<Actor, 'userId' | 'firmId'>;

/** For whom a job works: the user with the rights held when it was asked for; null when it is the server's own. */
export function actorOf({ user_id, firm_id, actor }: JobRow): Actor | null {
  if (user_id === null || firm_id === null || actor === null) return null;
  const before: Pick<Rights, 'clientScope' | 'seated' | 'owesTwoStep' | 'dailyDownloads'> = {
    clientScope: 'all',
    seated: true,
    owesTwoStep: false,
    dailyDownloads: null,
  };
  // Jobs of before 22 November 2026 say nothing of these: everybody saw all clients.
  return { userId: user_id, firmId: firm_id, ...before, ...(JSON.parse(actor) as Rights) };
}

export function rightsOf({ userId: _user, firmId: _firm, ...rights }: Actor): string {
  return JSON.stringify(rights satisfies Rights);
}
