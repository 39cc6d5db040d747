import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';

/** What the migrations up to `covered` come to in PostgreSQL; `npm run baseline:postgres` writes it. */
export const BASELINE = join(import.meta.dirname, 'baseline.sql');

const COVERS = /^-- Covers (\S+)\n/;

/** @returns the text and the name of the last migration that it stands for. */
export async function readBaseline(): Promise<{ sql: string; covered: string }> {
  const sql = await readFile(BASELINE, 'utf8');
  return { sql, covered: COVERS.exec(sql)![1]! };
}

export const headed = (covered: string, sql: string): string => `-- Covers ${covered}\n${sql}\n`;

const refuse = (): never => {
  throw new Error(
    'On PostgreSQL there is no way back before its first version. Restore a backup of the database instead.',
  );
};

/** The migrations as PostgreSQL takes them: the first makes all that those do which the baseline covers. */
export function onBaseline(migrations: Knex.MigrationSource<string>): Knex.MigrationSource<string> {
  return {
    ...migrations,
    async getMigration(file) {
      const { sql, covered } = await readBaseline();
      if (file > covered) return migrations.getMigration(file);
      const [first] = await migrations.getMigrations([]);
      return {
        up: async (knex) => {
          // A question mark in it is no place for a value.
          if (file === first) await knex.raw(sql.replaceAll('?', '\\?'));
        },
        down: async () => refuse(),
      };
    },
  };
}
