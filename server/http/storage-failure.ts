import { isFailing, isFull, isRefusedBy } from '../db/errors.ts';
import { CommitUnknown, isUnavailable } from '../db/postgres/errors.ts';
import { AppError } from './errors.ts';

const FULL = /^StoreFull$/;
const FAILING = /^(?:EIO|EROFS)$/;
/** The limit of the system on open files: nothing is wrong with any of them. */
const BUSY = /^(?:EMFILE|ENFILE)$/;
const AWAY = /^(?:StoreAway|S3Away|S3Refused)$/;
const LOST = /^(?:BlobCorrupt|BlobMissing)$/;
/** Raised by the database triggers that protect sealed items. */
const SEALED = 'sealed';
const HELD = 'held';
/** How many levels of `cause` are searched. */
const DEPTH = 4;

/** Whether an error, or one that caused it, is of a kind. */
const anyCause = (error: unknown, isKind: (cause: Error) => boolean, depth = DEPTH): boolean =>
  error instanceof Error && depth > 0 && (isKind(error) || anyCause(error.cause, isKind, depth - 1));

const named = (error: NodeJS.ErrnoException, names: RegExp): boolean =>
  names.test(error.name) || names.test(error.code ?? '');

const isStorageFull = (error: unknown) => anyCause(error, (cause) => named(cause, FULL) || isFull(cause));
const isStorageFailing = (error: unknown) =>
  anyCause(error, (cause) => named(cause, FAILING) || isFailing(cause));
const isStorageBusy = (error: unknown) => anyCause(error, (cause) => named(cause, BUSY));
const isStorageAway = (error: unknown) => anyCause(error, (cause) => named(cause, AWAY));
const isLost = (error: unknown) => anyCause(error, (cause) => named(cause, LOST));
const isDatabaseAway = (error: unknown) => anyCause(error, isUnavailable);
const refusedBy = (error: unknown, trigger: string) =>
  anyCause(error, (cause) => isRefusedBy(cause, trigger));

/** Whether a database trigger refused a change of something sealed or under a legal hold. */
export const isProtected = (error: unknown): boolean => refusedBy(error, SEALED) || refusedBy(error, HELD);

/** Whether the disk is full or the storage cannot be written: a write that may be tried again later. */
export const isStorageFailure = (error: unknown): boolean =>
  isStorageFull(error) ||
  isStorageFailing(error) ||
  isStorageBusy(error) ||
  isStorageAway(error) ||
  isDatabaseAway(error);

/** Whether a transaction may have been committed although it failed: nobody knows yet. */
export const isCommitUnknown = (error: unknown): boolean =>
  anyCause(error, (cause) => cause instanceof CommitUnknown);

export const damaged = (name?: string): AppError =>
  new AppError(
    500,
    'damaged',
    `${name === undefined ? 'This file' : `"${name}"`} is damaged on the server and was not sent. Ask your administrator to run "npm run admin -- verify" and to restore it from a backup.`,
  );

/** The response for a file that cannot be read: storage unavailable or busy, or damaged. */
export function readFailure(error: unknown, name?: string): AppError {
  if (error instanceof AppError) return error;
  const later = isStorageAway(error) || isStorageBusy(error) || isDatabaseAway(error);
  const failure = later ? answerTo(error, 'the file was not sent') : undefined;
  return Object.assign(failure ?? damaged(name), { cause: error });
}

/**
 * Translates an error of the disk, the database or the blob store; returns any other error unchanged.
 * @param consequence what did not happen, such as "the file was not saved".
 * @returns an AppError 503 `disk_full`, `disk_failing`, `too_many_files`, `storage_away` or `database_away`, or 500 `damaged`,
 * with the error as its cause.
 */
export function storageFailure(error: unknown, consequence = 'nothing was saved'): unknown {
  if (error instanceof AppError) return error;
  const failure = answerTo(error, consequence);
  return failure ? Object.assign(failure, { cause: error }) : error;
}

function answerTo(error: unknown, consequence: string): AppError | undefined {
  if (refusedBy(error, HELD)) {
    const message = `Documents of a client under a legal hold stay with that client and are not deleted, so ${consequence}. Lift the hold on the client’s page first.`;
    return new AppError(422, 'held', message);
  }
  if (refusedBy(error, SEALED)) {
    const message = `Something of this is sealed, so ${consequence}. Nothing sealed can be changed until an admin breaks the seal.`;
    return new AppError(422, 'sealed', message);
  }
  if (isStorageFull(error)) {
    // The store refuses files early, so that the database can still be written; when that fails too, another program has taken the rest.
    const works = anyCause(error, (cause) => named(cause, FULL))
      ? 'Opening, downloading and deleting still work.'
      : 'Opening and downloading still work; deleting, signing in and all other changes wait until there is room.';
    const message = `The server has no room left on its disk, so ${consequence}. ${works} Tell your administrator.`;
    return new AppError(503, 'disk_full', message);
  }
  if (isStorageBusy(error)) {
    const message = `Too many files are open on the server at once, so ${consequence}. Try again in a minute, and tell your administrator if it goes on.`;
    return new AppError(503, 'too_many_files', message, { retryAfter: 5 });
  }
  if (isStorageAway(error)) {
    const message = `The storage of the files does not answer, so ${consequence}. Try again in a minute, and tell your administrator if it goes on.`;
    return new AppError(503, 'storage_away', message, { retryAfter: 30 });
  }
  if (isDatabaseAway(error)) {
    const message = `The database does not answer, so ${consequence}. Try again in a minute, and tell your administrator if it goes on.`;
    return new AppError(503, 'database_away', message, { retryAfter: 5 });
  }
  if (isLost(error)) return damaged();
  if (isStorageFailing(error)) {
    const message = `The server could not use its disk, so ${consequence}. Try again, and tell your administrator if it goes on.`;
    return new AppError(503, 'disk_failing', message);
  }
  return undefined;
}
