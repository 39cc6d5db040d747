import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../datadir/database.ts';
import { postgresOnly } from '../../testing/postgres.ts';
import { migratedDatabase } from '../../testing/template.ts';
import { postgresReader } from '../postgres/copy.ts';
import { sqliteReader } from '../sqlite/copy.ts';
import type { DatabaseReader } from './contract.ts';
import { isVaultTable } from './contract.ts';

const test = suite<{ here: Knex; there: Knex }>('the schema of both databases');
test.before.each(async (ctx) => {
  ctx.here = openDatabase(':memory:');
  await ctx.here.migrate.latest();
  ctx.there = await migratedDatabase();
});
test.after.each(async ({ here, there }) => {
  await here.destroy();
  await there.destroy();
});

const names = async (db: Knex, sql: string): Promise<string[]> =>
  ((await db.raw(sql)) as { name: string }[])
    .map(({ name }) => name)
    .filter(isVaultTable)
    .toSorted();

async function tablesOf(reader: DatabaseReader) {
  const tables = (await reader.tables()).map(({ name, columns, key }) => ({
    name,
    columns: columns.toSorted(),
    key: [...key],
  }));
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test('what the migrations come to in PostgreSQL has the tables, columns and keys that it has in SQLite', async ({
  here,
  there,
}) => {
  const theirs = await there.transaction((trx) => tablesOf(postgresReader(trx)), { readOnly: true });
  assert.equal(theirs, await tablesOf(sqliteReader(here)));
});

test('the same indexes, views, rules and columns that must be filled', async ({ here, there }) => {
  const made = (type: string) =>
    names(here, `SELECT name FROM sqlite_schema WHERE type = '${type}' AND sql IS NOT NULL`);
  assert.equal(
    await names(
      there,
      `SELECT c.relname AS name FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`,
    ),
    await made('index'),
  );
  assert.equal(
    await names(there, "SELECT viewname AS name FROM pg_views WHERE schemaname = 'public'"),
    await made('view'),
  );
  assert.equal(
    await names(there, 'SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal'),
    await made('trigger'),
  );
  assert.equal(
    await names(
      there,
      `SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND a.attnotnull
         AND NOT EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary AND a.attnum = ANY (x.indkey))`,
    ),
    await names(
      here,
      `SELECT t.name || '.' || i.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) i
       WHERE t.type = 'table' AND i."notnull" = 1 AND i.pk = 0`,
    ),
  );
});

postgresOnly(test).run();
