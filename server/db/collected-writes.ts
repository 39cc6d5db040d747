import type { Knex } from 'knex';

/** Writes rows of one kind, in this order. */
type WriteRows<Row> = (trx: Knex.Transaction, rows: readonly Row[]) => Promise<void>;

/** By transaction, the rows that are written at its end, in the order in which their kinds were first named. */
const collected = new WeakMap<Knex.Transaction, Map<WriteRows<never>, unknown[]>>();

/**
 * Writes a row that nothing reads before the commit: at the end of the transaction, in one statement with others of its kind, if
 * `collectWrites` runs it; else at once.
 * @param write is the same function for all rows of a kind.
 */
export async function writeBeforeCommit<Row>(
  trx: Knex.Transaction,
  write: WriteRows<Row>,
  row: Row,
): Promise<void> {
  const kinds = collected.get(trx);
  if (!kinds) return write(trx, [row]);
  const rows = kinds.get(write) ?? [];
  kinds.set(write, rows);
  rows.push(row);
}

/** Runs work that shares a transaction, or writes many rows, and then writes what it left for the end. */
export async function collectWrites<T>(trx: Knex.Transaction, work: () => Promise<T>): Promise<T> {
  if (collected.has(trx)) return work();
  const kinds = new Map<WriteRows<never>, unknown[]>();
  collected.set(trx, kinds);
  const result = await work();
  collected.delete(trx);
  for (const [write, rows] of kinds) await write(trx, rows as never[]);
  return result;
}
