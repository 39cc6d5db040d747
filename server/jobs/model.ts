import { Model } from 'objection';
import type { Actor } from '#server/actor.ts';
import { currentRequest } from '#server/http/request-context.ts';
import type { JobData, JobStatus, JobView } from './contract.ts';

/** The progress of a running job, which is newer than that in its row. */
export interface Live {
  progress: number;
  message: string;
  data: JobData;
}

/** The rights of an actor, without the user and the firm, which have columns of their own. */
type Rights = Omit<Actor, 'userId' | 'firmId'>;

/** A job of a user or of the server, once or recurring. */
export class Job extends Model {
  static override tableName = 'jobs';

  declare id: number;
  declare kind: string;
  /** Null for jobs of the server itself. */
  declare firm_id: number | null;
  /** Null for jobs that no user has started, which no user sees. */
  declare user_id: number | null;
  declare subject: string;
  /** The user's rights when the job was added; JSON. */
  declare actor: string | null;
  declare input: string;
  declare sealed: Buffer | null;
  declare status: JobStatus;
  declare progress: number;
  declare message: string;
  declare code: string | null;
  declare data: string;
  declare attempts: number;
  /** The process that has started it last. */
  declare process: string | null;
  /** 1 if it is to be cancelled, by whichever process runs it. */
  declare to_cancel: number;
  /** The period of a recurring job in ms; its row waits again after each run. Null for other jobs. */
  declare every: number | null;
  declare due_at: string;
  declare created_at: string;
  declare started_at: string | null;
  declare finished_at: string | null;

  toView(live?: Live): JobView {
    const { id, kind, subject, status, progress, message, code, created_at, finished_at } = this;
    const data = JSON.parse(this.data) as JobData;
    const view = { id, kind, subject, status, progress, message, code, data, created_at, finished_at };
    return live && status === 'processing' ? { ...view, ...live } : view;
  }

  /** The user who added the job, with the rights of that time; null for jobs of the server itself. */
  toActor(): Actor | null {
    if (this.user_id === null || this.firm_id === null || this.actor === null) return null;
    const defaults: Pick<Rights, 'clientScope' | 'seated' | 'owesTwoStep' | 'dailyDownloads'> = {
      clientScope: 'all',
      seated: true,
      owesTwoStep: false,
      dailyDownloads: null,
    };
    // Jobs added before 22 November 2026 lack these: all users saw all clients then.
    return { userId: this.user_id, firmId: this.firm_id, ...defaults, ...(JSON.parse(this.actor) as Rights) };
  }
}

/** @returns the rights as JSON, with the address from which the job is added, since it runs outside of the request. */
export function rightsOf({ userId: _user, firmId: _firm, ...rights }: Actor): string {
  return JSON.stringify({ ...rights, ip: currentRequest()?.ip ?? rights.ip } satisfies Rights);
}
