import type { Knex } from 'knex';
import { CommitUnknown } from '../db/postgres/errors.ts';

/**
 * Has the first transaction after whose commit `isIt` holds reject although it was committed, as when the connection to PostgreSQL
 * breaks before the answer to COMMIT arrives.
 */
export function loseCommitAnswer(db: Knex, isIt: () => Promise<boolean>): void {
  const transaction = db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown>;
  const losing = async (...args: unknown[]): Promise<unknown> => {
    const result = await transaction(...args);
    if (!(await isIt())) return result;
    Object.defineProperty(db, 'transaction', { configurable: true, value: transaction });
    throw new CommitUnknown(new Error('Connection terminated unexpectedly'));
  };
  Object.defineProperty(db, 'transaction', { configurable: true, value: losing });
}
