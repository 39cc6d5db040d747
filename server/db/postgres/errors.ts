import { isOutdated } from './prepared.ts';

interface Failure extends Error {
  code?: string;
}

/** PostgreSQL does not answer, or does not take this program in; its own error is the cause. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway';
  constructor(cause: unknown) {
    super(`PostgreSQL does not take a connection: ${(cause as Error).message}`, { cause });
  }
}

/** It is stopping, starting or full of others, or the connection broke. */
const AWAY = /^(?:57P0[1235]|53300|08\w{3})$/;
/** The driver's own errors have no code. */
const BROKEN = /Connection (?:terminated|ended)|Client has encountered a connection error|not queryable/;

/** Whether PostgreSQL was not to be reached at all, or for a moment: nothing is wrong with what was asked of it. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, message } = error as Failure;
  if (name === 'DatabaseAway' || name === 'KnexTimeoutError') return true;
  return code === undefined ? BROKEN.test(message) : AWAY.test(code);
}

/** A serialization failure, a deadlock or an outdated plan: all of the transaction is rolled back, and may be begun again. */
export const isToBeTriedAgain = (error: unknown): boolean =>
  /^(?:40001|40P01)$/.test((error as Failure | null)?.code ?? '') || isOutdated(error);

/** What is wrong at the address of the settings, in words for the admin; null for an error of another kind. */
export function refusalOf(error: unknown, where: string): string | null {
  const { code = '', message } = ((error as Error).cause ?? error) as Failure;
  if (code === '28P01' || code === '28000')
    return `PostgreSQL at ${where} refused the user or the password of DATABASE_URL (${message}). Correct them there, or the line for this machine in pg_hba.conf.`;
  if (code === '3D000')
    return `PostgreSQL at ${where} has no such database. Make one with: createdb -O USER -E UTF8 -T template0 NAME`;
  if (code === '53300')
    return `PostgreSQL at ${where} has no connection left (${message}). Raise max_connections there, or end what else uses it.`;
  if (code === '42501')
    return `The user of DATABASE_URL may not make tables at ${where} (${message}). Make that user the owner of the database.`;
  if (error instanceof Error && (isAway(error) || /^E[A-Z]+$/.test(code)))
    return `PostgreSQL at ${where} does not answer (${message}). Start it, or correct DATABASE_URL.`;
  return null;
}
