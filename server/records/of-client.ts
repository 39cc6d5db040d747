import type { Knex } from 'knex';
import { expression, monthInIndia } from '#server/db/sql.ts';

/** How many files and folders are linked to a client; read from an index alone, since only folders have no type. */
export async function countLinked(db: Knex, clientId: number): Promise<{ files: number; folders: number }> {
  const [row]: { items: number; files: number }[] = await db('items')
    .where('client_id', clientId)
    .select(expression(db, 'count(*) AS items, count(file_type) AS files'));
  const { items, files } = row!;
  return { files, folders: items - files };
}

/** Of one month, `2026-04`, by the dates of files where they came from. */
export interface MonthLinked {
  month: string;
  /** Folders too. */
  items: number;
  files: number;
  bytes: number;
}

/** What is linked to a client, by months in India; read from an index alone. */
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
