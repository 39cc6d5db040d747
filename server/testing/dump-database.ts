import type { Knex } from 'knex';
import { onPostgres } from '../db/dialect.ts';

/** The content of all tables as one text. */
export async function dumpDatabase(db: Knex): Promise<string> {
  const tables: { name: string }[] = await db.raw(
    onPostgres
      ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  );
  const all: unknown[] = [];
  for (const { name } of tables) all.push(...((await db.raw(`SELECT * FROM "${name}"`)) as unknown[]));
  return JSON.stringify(all, (_, value: unknown) => {
    const bytes = value as { type?: string; data?: number[] } | null;
    return bytes?.type === 'Buffer' && bytes.data ? Buffer.from(bytes.data).toString('latin1') : value;
  });
}
