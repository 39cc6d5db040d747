import type { Conflict, ItemView } from '#server/documents/contract.ts';
import type { EarlierCopy } from '#server/documents/duplicates/contract.ts';
import * as t from '#messages/uploads.ts';

export const CANCELLED = t.cancelled;

export type UploadStatus = 'queued' | 'uploading' | 'completed' | 'error';

/** Why no further upload begins: the session has ended, the network is away, or the server does not answer. */
export type Hold = 'signed-out' | 'offline' | 'unreachable';

export interface Upload {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly status: UploadStatus;
  /** Whole percent. */
  readonly progress: number;
  /** Bytes sent. */
  readonly loaded: number;
  readonly clientId: number | null;
  /** The folder it was put into; within an uploaded folder, the folder that one is in. */
  readonly parentId: number | null;
  /** Whether it is a ZIP to be unpacked once it is there. */
  readonly extractZip: boolean;
  /** The uploaded folder it came in, which the panel shows as one row. */
  readonly batch: Batch | null;
  /** Names of the folders it was in, outermost first; empty for a file chosen by itself. */
  readonly path: readonly string[];
  /** An empty folder, which is only made. */
  readonly folder: boolean;
  /** It waits until its name is compared and the user has answered: it is counted, and not sent yet. */
  readonly preparing: boolean;
  readonly startedAt: number | null;
  /** Bytes a second. */
  readonly speed: number | null;
  /** Whole seconds left. */
  readonly eta: number | null;
  readonly error: string | null;
  /** Said of a completed one in place of its size. */
  readonly note: string | null;
  /** Trying again may help; it never does for a type that is not allowed. */
  readonly retryable: boolean;
  readonly result: Uploaded | null;
}

/** One uploaded folder. */
export interface Batch {
  readonly id: string;
  readonly name: string;
  /** Names of files in it that are the system's, and are not uploaded. */
  readonly leftOut: readonly string[];
}

/** What of the present uploads has left the panel: totals are known from the start and never shrink. */
export interface Left {
  files: number;
  /** Of these, completed. */
  done: number;
  /** Of these, with content that was in the vault before. */
  known: number;
  bytes: number;
}

/** The new file, the job that unpacks it when that was asked for, and where its content lay already. */
export type Uploaded = Pick<ItemView, 'id' | 'name'> & {
  extraction_id?: number;
  same_content?: EarlierCopy | null;
};

export interface NewUpload {
  file: File;
  clientId: number | null;
  parentId: number | null;
  batch?: Batch;
  path?: readonly string[];
  /** `file` only names a folder, which is empty: `place` makes it. */
  folder?: boolean;
  /** The folder that was open when it was chosen; `parentId` changes once the folders in between are made. */
  root?: number | null;
  extractZip?: boolean;
  /** What to do when the name is taken; `keep` when absent. */
  conflict?: Conflict;
  /** The same content is there already under this name: nothing is sent. */
  alreadyThere?: boolean;
  /** Makes the folder the file belongs in, when that is not `parentId` itself. */
  place?: () => Promise<number | null>;
  /** Known beforehand to be refused: it is only shown. */
  refused?: string;
}

/** What was found out about an upload that was being prepared. */
export type Verdict = Pick<NewUpload, 'conflict' | 'alreadyThere'> | 'skip';

export interface Sending {
  file: File;
  clientId: number | null;
  parentId: number | null;
  extractZip: boolean;
  conflict: Conflict;
  /** It was begun before, and nobody knows what became of that. */
  again: boolean;
  signal: AbortSignal;
  onProgress: (loaded: number) => void;
  /** So many bytes are there from before, and stay there. */
  onResumed: (loaded: number) => void;
}

/** Rejects with an UploadError, or with anything else for what nobody foresaw. */
export type Send = (sending: Sending) => Promise<Uploaded>;

export class UploadError extends Error {
  readonly retryable: boolean;
  readonly hold: Hold | null;
  constructor(
    message: string,
    { retryable = true, hold = null }: { retryable?: boolean; hold?: Hold | null } = {},
  ) {
    super(message);
    this.retryable = retryable;
    this.hold = hold;
  }
}

/** Queued or under way. */
export const isBusy = ({ status }: Upload): boolean => status === 'queued' || status === 'uploading';
/** Its content was in the vault before, in its place or elsewhere. */
export const wasKnown = ({ status, note, result }: Upload): boolean =>
  status === 'completed' && (note !== null || Boolean(result?.same_content));
/** Known beforehand to be refused; trying again helps nothing. */
export const isRefused = ({ status, retryable }: Upload): boolean => status === 'error' && !retryable;
