import { notThere } from '#server/text/not-there.ts';

/** Messages by field name, in the order of validation. */
export type FieldErrors = Record<string, string[]>;

/**
 * An error with a defined response: `status` for HTTP, `code` for programs (never renamed), `message` for the
 * user (what happened, then what to do). Any other error is a fault of the server and becomes a 500.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly code: string;
  readonly errors: FieldErrors | undefined;
  /** Sent as Retry-After, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { errors?: FieldErrors; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = extra.errors;
    this.retryAfter = extra.retryAfter;
  }
}

export const badRequest = (message: string, code = 'bad_request') => new AppError(400, code, message);
export const unauthenticated = (message = 'Please sign in to continue.') =>
  new AppError(401, 'unauthenticated', message);
export const forbidden = (message = 'You do not have permission to do this. Ask an admin of your firm.') =>
  new AppError(403, 'forbidden', message);
/** What some users of a firm do not see, or no longer: the message is true for what is missing and what is hidden. */
const LIMITED = new Set([
  'attachment',
  'client',
  'file',
  'folder',
  'item',
  'note',
  'request',
  'table',
  'version',
]);
/** For a missing record and for one of another firm alike: a caller must not be able to tell them apart. */
export const notFound = (what = 'page') =>
  new AppError(404, 'not_found', LIMITED.has(what) ? notThere(what) : `This ${what} does not exist.`);
/** A 404 with an explanation, for a user who may know what happened to the record. */
export const missing = (message: string) => new AppError(404, 'not_found', message);
export const conflict = (message: string, code = 'conflict') => new AppError(409, code, message);
export const tooLarge = (message: string) => new AppError(413, 'too_large', message);
export const csrfMismatch = () => new AppError(419, 'csrf_mismatch', 'Session expired. Please try again.');
export const tooManyRequests = (message: string, retryAfter: number) =>
  new AppError(429, 'too_many_requests', message, { retryAfter });

/** 422 with the messages of every field; `message` is the first of them. */
export function invalid(errors: FieldErrors, code = 'invalid'): AppError {
  const first = Object.values(errors)[0]?.[0] ?? 'The data is not valid.';
  return new AppError(422, code, first, { errors });
}

/**
 * Runs all checks, one after the other, so that a user sees every wrong field at once and not one at each try.
 * @throws {AppError} 422 with the field errors of all of them; any other error immediately.
 */
export async function checkAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const found: AppError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof AppError) || !error.errors) throw error;
      found.push(error);
    }
  }
  const [first, ...others] = found;
  if (!first) return;
  if (others.length === 0) throw first;
  const errors: FieldErrors = {};
  for (const each of found)
    for (const [field, messages] of Object.entries(each.errors ?? {})) errors[field] ??= messages;
  throw invalid(errors, first.code);
}

/** For work that got no turn on a busy machine; the same request may succeed later. */
export const serverBusy = (): AppError =>
  new AppError(503, 'busy', 'The server is busy. Try again in a moment.', { retryAfter: 5 });
