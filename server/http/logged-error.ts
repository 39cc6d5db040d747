/** What may be told of an error beside its name, message and stack; everything else may hold what people sent. */
const TOLD = ['code', 'errno', 'syscall', 'path', 'dest', 'status', 'responseCode', 'signal'] as const;
/** Messages of these quote what they could not read. */
const QUOTING: Record<string, string> = {
  SyntaxError: 'text that could not be read',
  ValiError: 'data of another shape than expected',
};
const DEPTH = 5;

export interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  /** Of an AggregateError. */
  errors?: LoggedError[];
  [told: string]: unknown;
}

const isError = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && typeof (value as Error).message === 'string';

/**
 * What the log shows of an error. Errors carry the bytes of a request (`rawPacket`), the values of a statement, the
 * input of a parser and headers with cookies in fields of their own, so only those are taken of which it is known what
 * they hold.
 */
export function loggedError(error: unknown, depth = DEPTH): LoggedError {
  if (!isError(error)) return { type: typeof error, message: 'something was thrown that is no error' };
  const type = error.constructor?.name || error.name || 'Error';
  const message = QUOTING[type] ?? error.message;
  const fields = error as unknown as Record<string, unknown>;
  const told = TOLD.filter((name) => ['string', 'number'].includes(typeof fields[name]));
  const deeper = depth > 0 ? depth - 1 : null;
  return {
    type,
    message,
    ...(error.stack && { stack: stackOf(error.stack, error.message, message) }),
    ...Object.fromEntries(told.map((name) => [name, fields[name]])),
    ...(deeper !== null && isError(error.cause) && { cause: loggedError(error.cause, deeper) }),
    ...(deeper !== null &&
      error instanceof AggregateError && { errors: error.errors.map((one) => loggedError(one, deeper)) }),
  };
}

/** A stack begins with the message. */
const stackOf = (stack: string, message: string, told: string): string =>
  message === told ? stack : (stack.match(/^\s+at .*$/gm) ?? []).join('\n');
