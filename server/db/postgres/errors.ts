import { isStalePlan } from './prepared-statements.ts';

interface PostgresError extends Error {
  code?: string;
  /** What the operating system was asked to do. */
  syscall?: string;
}

/** A connection to PostgreSQL could not be opened, or broke. The error of the system or of PostgreSQL is the cause. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  constructor(what: string, cause: unknown) {
    super(`${what}: ${(cause as Error).message}`, { cause });
  }
}

/** The connection broke after PostgreSQL was told to commit: the transaction may have taken effect or not. */
export class CommitUnknown extends DatabaseUnavailable {
  override name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('The connection to PostgreSQL broke during a commit', cause);
  }
}

/** Whether the operating system reports that the connection is broken, such as EPIPE or ECONNRESET. */
export const isSocketError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** SQLSTATEs: the server is stopping or starting, has no connection left, or the connection broke. */
const UNAVAILABLE = /^(?:57P0[1235]|53300|08\w{3})$/;
/** Messages of the driver's own errors, which have no code. */
const DISCONNECTED =
  /Connection (?:terminated|ended)|Client has encountered a connection error|not queryable/;

/** Whether PostgreSQL could not be reached, or not for a moment: the statement itself is not at fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, message } = error as PostgresError;
  if (error instanceof DatabaseUnavailable || name === 'KnexTimeoutError') return true;
  return code === undefined ? DISCONNECTED.test(message) : UNAVAILABLE.test(code);
}

/** Whether PostgreSQL itself refused a statement, as opposed to a broken connection or the end of the server. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && !isUnavailable(error);

/** A serialization failure, a deadlock or a stale plan: the whole transaction is rolled back, and may be retried. */
export const isRetryable = (error: unknown): boolean =>
  /^(?:40001|40P01)$/.test((error as PostgresError | null)?.code ?? '') || isStalePlan(error);

/** Codes of the operating system for the network; others, such as ENOSPC, are of the disk. */
const UNREACHABLE = /^(?:ECONN[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_[A-Z]+)$/;

/** Codes of Node for certificates that cannot be verified. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY_LEAF/;

/** Explains to the admin why the database of the settings does not open; null for errors of other kinds. */
export function connectionProblem(error: unknown, where: string): string | null {
  const { code = '', message, syscall } = ((error as Error).cause ?? error) as PostgresError;
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${where} refused the user or the password of DATABASE_URL (${message}). Correct them there, or the line for this machine in pg_hba.conf.`;
  if (code === '3D000')
    return `PostgreSQL at ${where} has no such database. Make one with: createdb -O USER -E UTF8 -T template0 NAME`;
  if (code === '53300')
    return `PostgreSQL at ${where} has no connection left (${message}). Raise max_connections there, or end what else uses it.`;
  if (code === '42501')
    return `The user of DATABASE_URL may not make tables at ${where} (${message}). Make that user the owner of the database.`;
  if (CERTIFICATE.test(code))
    return `PostgreSQL at ${where} has a certificate that this machine does not trust (${message}). Set NODE_EXTRA_CA_CERTS to the file of its authority, or put the name in its certificate into DATABASE_URL.`;
  if (isUnavailable(error) || syscall === 'connect' || UNREACHABLE.test(code))
    return `PostgreSQL at ${where} does not answer (${message}). Start it, or correct DATABASE_URL.`;
  return null;
}
