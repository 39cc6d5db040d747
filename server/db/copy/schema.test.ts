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

const test = suite<{ sqlite: Knex; postgres: Knex }>('the schema of both databases');
test.before.each(async (ctx) => {
  ctx.sqlite = openDatabase(':memory:');
  await ctx.sqlite.migrate.latest();
  ctx.postgres = await migratedDatabase();
});
test.after.each(async ({ sqlite, postgres }) => {
  await sqlite.destroy();
  await postgres.destroy();
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

test('PostgreSQL has the same tables, columns and keys as SQLite after all migrations', async ({
  sqlite,
  postgres,
}) => {
  const tables = await postgres.transaction((trx) => tablesOf(postgresReader(trx)), { readOnly: true });
  assert.equal(tables, await tablesOf(sqliteReader(sqlite)));
});

test('PostgreSQL has the same indexes, views, triggers and NOT NULL columns as SQLite', async ({
  sqlite,
  postgres,
}) => {
  const namesInSqlite = (type: string) =>
    names(sqlite, `SELECT name FROM sqlite_schema WHERE type = '${type}' AND sql IS NOT NULL`);
  assert.equal(
    await names(
      postgres,
      `SELECT c.relname AS name FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`,
    ),
    await namesInSqlite('index'),
  );
  assert.equal(
    await names(postgres, "SELECT viewname AS name FROM pg_views WHERE schemaname = 'public'"),
    await namesInSqlite('view'),
  );
  assert.equal(
    await names(postgres, 'SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal'),
    await namesInSqlite('trigger'),
  );
  assert.equal(
    await names(
      postgres,
      `SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND a.attnotnull
         AND NOT EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary AND a.attnum = ANY (x.indkey))`,
    ),
    await names(
      sqlite,
      `SELECT t.name || '.' || i.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) i
       WHERE t.type = 'table' AND i."notnull" = 1 AND i.pk = 0`,
    ),
  );
});

postgresOnly(test).run();
