import type { Conflict, ItemView } from '#server/documents/contract.ts';
import type { EarlierCopy } from '#server/documents/duplicates/contract.ts';
import * as t from '#messages/uploads.ts';

export const CANCELLED = t.cancelled;

export type UploadStatus = 'queued' | 'uploading' | 'completed' | 'error';

/** Why the queue is on hold: the session has ended, the browser is offline, or the server is unreachable. */
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
  /** The target folder; for a file of an uploaded folder, the folder that contains the uploaded one. */
  readonly parentId: number | null;
  /** Whether the file is a ZIP to extract after the upload. */
  readonly extractZip: boolean;
  /** The uploaded folder that contains it, which the panel shows as one row. */
  readonly batch: Batch | null;
  /** Names of the folders it was in, outermost first; empty for a file chosen by itself. */
  readonly path: readonly string[];
  /** An empty folder, which is only created. */
  readonly folder: boolean;
  /** Its name is being compared and conflicts resolved: it is counted, and not sent yet. */
  readonly preparing: boolean;
  readonly startedAt: number | null;
  /** Bytes a second. */
  readonly speed: number | null;
  /** Whole seconds left. */
  readonly eta: number | null;
  readonly error: string | null;
  /** Shown for a completed upload instead of the size. */
  readonly note: string | null;
  /** Whether a retry can succeed; never for a file type that is not allowed. */
  readonly retryable: boolean;
  readonly result: Uploaded | null;
}

/** One uploaded folder. */
export interface Batch {
  readonly id: string;
  readonly name: string;
  /** Names of system files in it, which are not uploaded. */
  readonly leftOut: readonly string[];
}

/** Totals of the current uploads whose rows were removed from the panel, so that the totals never shrink. */
export interface Left {
  files: number;
  /** Completed ones. */
  done: number;
  /** Ones whose content was already in the vault. */
  known: number;
  bytes: number;
}

/** The new file, its extraction job if requested, and the path of a file with the same content. */
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
  /** `file` only names an empty folder, which `createParents` creates. */
  folder?: boolean;
  /** The folder that was open when the file was chosen; `parentId` changes once the folders in between are created. */
  root?: number | null;
  extractZip?: boolean;
  /** The action if the name is taken; `keep` by default. */
  conflict?: Conflict;
  /** A file of this name and content exists: nothing is sent. */
  alreadyThere?: boolean;
  /** Creates the folder of the file, if that is not `parentId` itself, and resolves to its id. */
  createParents?: () => Promise<number | null>;
  /** The reason for which the file is refused without being sent. */
  refused?: string;
}

/** The outcome of preparing an upload. */
export type Verdict = Pick<NewUpload, 'conflict' | 'alreadyThere'> | 'skip';

export interface Sending {
  file: File;
  clientId: number | null;
  parentId: number | null;
  extractZip: boolean;
  conflict: Conflict;
  /** An earlier try was started, with an unknown outcome. */
  again: boolean;
  signal: AbortSignal;
  onProgress: (loaded: number) => void;
  /** Called with the number of bytes that the server has stored from earlier tries. */
  onResumed: (loaded: number) => void;
}

/** Rejects with an UploadError, or with any other error if it is unexpected. */
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
/** Whether its content was already in the vault, in the same folder or elsewhere. */
export const wasKnown = ({ status, note, result }: Upload): boolean =>
  status === 'completed' && (note !== null || Boolean(result?.same_content));
/** Whether it was refused without being sent. */
export const isRefused = ({ status, retryable }: Upload): boolean => status === 'error' && !retryable;
