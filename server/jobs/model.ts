import { Model } from 'objection';
import type { Actor } from '#server/actor.ts';
import type { JobData, JobStatus, JobView } from './contract.ts';

/** Progress of a running job that is newer than its row. */
export interface Live {
  progress: number;
  message: string;
  data: JobData;
}

/** What of the actor a job is done with; not the user and the firm, which the row has of its own. */
type Rights = Omit<Actor, 'userId' | 'firmId'>;

/** Work that somebody waits for or that is done again and again. */
export class Job extends Model {
  static override tableName = 'jobs';

  declare id: number;
  declare kind: string;
  /** Null for work of the server itself. */
  declare firm_id: number | null;
  /** Null for what nobody asked for; such a job is in no one's panel. */
  declare user_id: number | null;
  declare subject: string;
  /** The user's rights when it was asked for. */
  declare actor: string | null;
  declare input: string;
  declare sealed: Buffer | null;
  declare status: JobStatus;
  declare progress: number;
  declare message: string;
  declare code: string | null;
  declare data: string;
  declare attempts: number;
  /** The process that began it last. */
  declare process: string | null;
  /** Whether it is to end, for whichever process it runs in. */
  declare to_cancel: number;
  /** Of what is done again and again, in ms; its row waits again after each run. */
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

  /** For whom it works: the user with the rights held when it was asked for; null when it is the server's own. */
  toActor(): Actor | null {
    if (this.user_id === null || this.firm_id === null || this.actor === null) return null;
    const before: Pick<Rights, 'clientScope' | 'seated' | 'owesTwoStep' | 'dailyDownloads'> = {
      clientScope: 'all',
      seated: true,
      owesTwoStep: false,
      dailyDownloads: null,
    };
    // Jobs of before 22 November 2026 say nothing of these: everybody saw all clients.
    return { userId: this.user_id, firmId: this.firm_id, ...before, ...(JSON.parse(this.actor) as Rights) };
  }
}

export function rightsOf({ userId: _user, firmId: _firm, ...rights }: Actor): string {
  return JSON.stringify(rights satisfies Rights);
}
