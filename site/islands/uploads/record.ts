import type { Conflict, ItemView } from '#server/documents/contract.ts';
import type { EarlierCopy } from '#server/documents/duplicates/contract.ts';
import * as t from '#messages/uploads.ts';

export const CANCELLED = t.cancelled;

export type UploadStatus = 'queued' | 'uploading' | 'completed' | 'error';

/** Why uploads are paused: the session has ended, the network is down, or the server is unreachable. */
export type Hold = 'signed-out' | 'offline' | 'unreachable';

export interface Upload {
  readonly id: string;
  /** The same for uploads that were queued together. */
  readonly act: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly status: UploadStatus;
  /** Whole percent. */
  readonly progress: number;
  /** Bytes sent. */
  readonly loaded: number;
  readonly clientId: number | null;
  /** The target folder; for a file of an uploaded folder, the target of that folder. */
  readonly parentId: number | null;
  /** Whether it is a ZIP that is extracted after the upload. */
  readonly extractZip: boolean;
  /** The uploaded folder to which it belongs, which the panel shows as one row. */
  readonly batch: Batch | null;
  /** Names of its folders, outermost first; empty for a single file. */
  readonly path: readonly string[];
  /** An empty folder, which is only created. */
  readonly folder: boolean;
  readonly versionOf: VersionOf | null;
  /** Counted but not sent yet: its name is compared, and the user may be asked about it. */
  readonly preparing: boolean;
  readonly startedAt: number | null;
  /** Bytes per second. */
  readonly speed: number | null;
  /** Whole seconds left. */
  readonly eta: number | null;
  readonly error: string | null;
  /** The text shown for a completed upload instead of its size. */
  readonly note: string | null;
  /** Whether a retry may succeed; false for a file type that is not allowed. */
  readonly retryable: boolean;
  readonly result: Uploaded | null;
}

/** The file of which an upload becomes a new version, whatever the name of either is. */
export interface VersionOf {
  readonly id: number;
  /** Its name when it was chosen. */
  readonly name: string;
}

/** One uploaded folder. */
export interface Batch {
  readonly id: string;
  readonly name: string;
  /** Names of system files in it, which are not uploaded. */
  readonly systemFiles: readonly string[];
}

/** The totals of uploads that are no longer in the panel; they still count, so that totals never shrink. */
export interface RemovedTotals {
  files: number;
  completed: number;
  /** Completed files that their folder had already. */
  alreadyThere: number;
  /** Completed files whose content was in the vault before, elsewhere. */
  copies: number;
  bytes: number;
}

/** The file, the version that holds what it replaced, the job that extracts it if requested, and an earlier copy of its content. */
export type Uploaded = Pick<ItemView, 'id' | 'name' | 'replaced_version' | 'overtaken'> & {
  extraction_id?: number;
  same_content?: EarlierCopy | null;
};

export interface NewUpload {
  file: File;
  clientId: number | null;
  parentId: number | null;
  batch?: Batch;
  path?: readonly string[];
  /** `file` is only the name of an empty folder, which `place` creates. */
  folder?: boolean;
  /** The folder that was open when it was chosen; `parentId` changes once the folders in between are created. */
  root?: number | null;
  extractZip?: boolean;
  /** What to do if the name is taken; `keep` by default. */
  conflict?: Conflict;
  /** Then folder, client and `conflict` do not matter. */
  versionOf?: VersionOf | null;
  /** The target folder has the same content under this name: nothing is sent. */
  alreadyThere?: boolean;
  /** Creates the folder of the file, if it is not `parentId` itself. */
  place?: () => Promise<number | null>;
  /** The reason why it is refused: it is only shown, not sent. */
  refused?: string;
}

/** The result of preparing an upload. */
export type Verdict = Pick<NewUpload, 'conflict' | 'alreadyThere'> | 'skip';

export interface Sending {
  file: File;
  clientId: number | null;
  parentId: number | null;
  extractZip: boolean;
  conflict: Conflict;
  versionOf: VersionOf | null;
  /** Whether it was started before with an unknown result. */
  again: boolean;
  signal: AbortSignal;
  onProgress: (loaded: number) => void;
  /** Called with the number of bytes that the server has already. */
  onResumed: (loaded: number) => void;
}

/** Rejects with an UploadError for expected failures. */
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

/** Queued or running. */
export const isBusy = ({ status }: Upload): boolean => status === 'queued' || status === 'uploading';
/** Whether its folder had it already, so that nothing was sent. */
export const wasAlreadyThere = ({ status, note }: Upload): boolean => status === 'completed' && note !== null;
/** Whether it was stored, and its content was in the vault before, elsewhere. */
export const isCopy = ({ status, note, result }: Upload): boolean =>
  status === 'completed' && note === null && Boolean(result?.same_content);
/** Whether it was refused, so that a retry cannot succeed. */
export const isRefused = ({ status, retryable }: Upload): boolean => status === 'error' && !retryable;
