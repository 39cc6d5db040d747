import type { Knex } from 'knex';
import { expression, monthInIndia } from '#server/db/sql.ts';

/** Counts the files and folders linked to a client, from a covering index: a null `file_type` denotes a folder. */
export async function countLinked(db: Knex, clientId: number): Promise<{ files: number; folders: number }> {
  const [row]: { items: number; files: number }[] = await db('items')
    .where('client_id', clientId)
    .select(expression(db, 'count(*) AS items, count(file_type) AS files'));
  const { items, files } = row!;
  return { files, folders: items - files };
}

/** The items of a client in one month, `2026-04`, by the original date of a file, or else its date in the vault. */
export interface MonthLinked {
  month: string;
  /** Files and folders. */
  items: number;
  files: number;
  bytes: number;
}

/** Totals of the items linked to a client by month in India, from a covering index. */
export const linkedByMonth = (db: Knex, clientId: number): Promise<MonthLinked[]> => {
  const month = monthInIndia('coalesce(original_at, modified_at)');
  return db('items')
    .where('client_id', clientId)
    .groupByRaw('1')
    .select(
      expression(db, `${month} AS month, count(*) AS items, count(file_type) AS files`),
      expression(db, 'coalesce(sum(file_size), 0) AS bytes'),
    );
};
