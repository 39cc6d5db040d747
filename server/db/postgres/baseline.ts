import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';

/** The PostgreSQL schema that results from the migrations up to `covered`. `npm run baseline:postgres` generates it. */
export const BASELINE = join(import.meta.dirname, 'baseline.sql');

const COVERS = /^-- Covers (\S+)\n/;

/** @returns the SQL, and the last migration that it includes. */
export async function readBaseline(): Promise<{ sql: string; covered: string }> {
  const sql = await readFile(BASELINE, 'utf8');
  return { sql, covered: COVERS.exec(sql)![1]! };
}

export const withHeader = (covered: string, sql: string): string => `-- Covers ${covered}\n${sql}\n`;

const refuseDown = (): never => {
  throw new Error(
    'On PostgreSQL there is no way back before its first version. Restore a backup of the database instead.',
  );
};

/** The table that records the baseline of a database. The prefix `knex_` keeps it apart from the vault's own tables. */
const BASELINE_TABLE = 'knex_baseline';

/** The last migration that the baseline included when this database was created; null if none is recorded. */
async function recordedBaseline(db: Knex): Promise<string | null> {
  if (!(await db.schema.hasTable(BASELINE_TABLE))) return null;
  return ((await db(BASELINE_TABLE).first('covered')) as { covered: string }).covered;
}

/**
 * The migrations for PostgreSQL: the first one runs the baseline, and those that it covers do nothing. A database that was created with
 * an earlier baseline runs the migrations that came after that one.
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
            // Knex would take question marks for bindings.
            await knex.raw(sql.replaceAll('?', '\\?'));
            await knex.raw(`CREATE TABLE ${BASELINE_TABLE} AS SELECT ?::text AS covered`, [covered]);
          } else if (file > ((await recordedBaseline(knex)) ?? ''))
            await (await migrations.getMigration(file)).up(knex);
        },
        down: async () => refuseDown(),
      };
    },
  };
}
