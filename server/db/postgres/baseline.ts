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

/** Where a database says what it was made with. The name begins as those of knex, which belong to no vault's tables. */
const MADE_WITH = 'knex_baseline';

/** Up to which migration the baseline covered when this database was made; null where that is not said. */
async function madeWith(db: Knex): Promise<string | null> {
  if (!(await db.schema.hasTable(MADE_WITH))) return null;
  return ((await db(MADE_WITH).first('covered')) as { covered: string }).covered;
}

/**
 * The migrations as PostgreSQL takes them: the first makes all that those do which the baseline covers. A database that was made
 * with an earlier baseline goes through those that came after.
 */
export function onBaseline(migrations: Knex.MigrationSource<string>): Knex.MigrationSource<string> {
  return {
    ...migrations,
    async getMigration(file) {
      const { sql, covered } = await readBaseline();
      if (file > covered) return migrations.getMigration(file);
      const [first] = await migrations.getMigrations([]);
      return {
        async up(knex) {
          if (file === first) {
            // A question mark in it is no place for a value.
            await knex.raw(sql.replaceAll('?', '\\?'));
            await knex.raw(`CREATE TABLE ${MADE_WITH} AS SELECT ?::text AS covered`, [covered]);
          } else if (file > ((await madeWith(knex)) ?? ''))
            await (await migrations.getMigration(file)).up(knex);
        },
        down: async () => refuse(),
      };
    },
  };
}
