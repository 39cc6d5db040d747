import { isDiskFull } from '#storage/disk-full.ts';

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

/** PostgreSQL: disk full. */
const FULL = /^(?:SQLITE_FULL|53100)$/;
/** PostgreSQL: input/output error, and a read-only server. */
const FAILING = /^(?:SQLITE_IOERR|SQLITE_READONLY|SQLITE_CANTOPEN|58030|25006)$/;
/** PostgreSQL: a change that a trigger refuses. */
const REFUSED = '23000';

/** Whether the disk of the database, or another one, is full. */
export const isFull = (error: unknown): boolean => FULL.test(codeOf(error)) || isDiskFull(error);

/** Whether the database could not read or write its files. */
export const isFailing = (error: unknown): boolean => FAILING.test(codeOf(error));

/** Whether a trigger of the database refused the change with this message. */
export function isRefusedBy(error: unknown, trigger: string): boolean {
  if (!(error instanceof Error)) return false;
  const reason = error.message.split(' - ').at(-1);
  return reason === `SQLITE_CONSTRAINT: ${trigger}` || (codeOf(error) === REFUSED && reason === trigger);
}
