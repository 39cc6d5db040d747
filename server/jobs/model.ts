import type { Actor } from '#server/auth/contract.ts';
import type { JobData, JobStatus, JobView } from './contract.ts';

/** A row of `jobs`. */
export interface JobRow {
  id: number;
  kind: string;
  firm_id: number;
  user_id: number;
  subject: string;
  actor: string;
  input: string;
  status: JobStatus;
  progress: number;
  message: string;
  code: string | null;
  data: string;
  attempts: number;
  leased_until: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** What of a running job is newer than its row. */
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

/** For whom a job works: the user with the rights held when it was asked for. */
export function actorOf(row: JobRow): Actor {
  const rights = JSON.parse(row.actor) as Pick<Actor, 'role' | 'permissions' | 'sessionId'>;
  return { userId: row.user_id, firmId: row.firm_id, ...rights };
}

export const rightsOf = ({ role, permissions, sessionId }: Actor): string =>
  JSON.stringify({ role, permissions, sessionId });
