/** The only fields of an error, beside name, message and stack, that are logged: any other may hold user data. */
const SAFE_FIELDS = ['code', 'errno', 'syscall', 'path', 'dest', 'status', 'responseCode', 'signal'] as const;
/** The messages of these errors quote the input, so they are replaced. */
const QUOTING: Record<string, string> = {
  SyntaxError: 'text that could not be read',
  ValiError: 'data of another shape than expected',
};
const DEPTH = 5;

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  /** Set for an AggregateError. */
  errors?: LoggedError[];
  [field: string]: unknown;
}

const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && typeof (value as Error).message === 'string';

/**
 * The loggable part of an error. Libraries attach request bytes (`rawPacket`), statement values, parser input
 * and headers with cookies to their errors, so only a fixed list of fields is copied.
 */
export function loggedError(error: unknown, depth = DEPTH): LoggedError {
  if (!isError(error)) return { type: typeof error, message: 'something was thrown that is no error' };
  const type = error.constructor?.name || error.name || 'Error';
  const message = QUOTING[type] ?? error.message;
  const fields = error as unknown as Record<string, unknown>;
  const safe = SAFE_FIELDS.filter((name) => ['string', 'number'].includes(typeof fields[name]));
  const deeper = depth > 0 ? depth - 1 : null;
  return {
    type,
    message,
    ...(error.stack && { stack: stackOf(error.stack, error.message, message) }),
    ...Object.fromEntries(safe.map((name) => [name, fields[name]])),
    ...(deeper !== null && isError(error.cause) && { cause: loggedError(error.cause, deeper) }),
    ...(deeper !== null &&
      error instanceof AggregateError && { errors: error.errors.map((inner) => loggedError(inner, deeper)) }),
  };
}

/** A stack begins with the message: where the message is replaced, only the frames stay. */
const stackOf = (stack: string, message: string, shown: string): string =>
  message === shown ? stack : (stack.match(/^\s+at .*$/gm) ?? []).join('\n');
