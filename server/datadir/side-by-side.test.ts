import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase, versionOf } from './database.ts';

/** The newest migration of the last release, whose processes must keep working while processes of this version run. */
const RELEASED = '20261123010800_request_done_at.ts';

/** Tables and columns that the last release uses and a later one removes or requires, each with why that is harmless. */
const MEANT: readonly string[] = [];

interface Column {
  name: string;
  notnull: number;
  dflt_value: unknown;
  pk: number;
}

/** Tables and views with their columns, by name. */
async function schemaOf(db: Knex): Promise<Map<string, Map<string, Column>>> {
  const found = new Map<string, Map<string, Column>>();
  const tables: { name: string }[] = await db.raw(
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'knex%' AND name NOT LIKE 'sqlite%'",
  );
  for (const { name } of tables) {
    const columns: Column[] = await db.raw(`PRAGMA table_info("${name}")`);
    found.set(name, new Map(columns.map((column) => [column.name, column])));
  }
  return found;
}

/** What a program written for the schema `before` would miss in the schema `after`. */
function missing(
  before: Awaited<ReturnType<typeof schemaOf>>,
  after: Awaited<ReturnType<typeof schemaOf>>,
): string[] {
  return Array.from(before).flatMap(([table, columns]) => {
    const now = after.get(table);
    if (!now) return [`${table} is gone`];
    const gone = [...columns.keys()]
      .filter((name) => !now.has(name))
      .map((name) => `${table}.${name} is gone`);
    const asked = [...now.values()].filter(({ name, notnull, dflt_value, pk }) => {
      const was = columns.get(name);
      return notnull === 1 && dflt_value === null && pk === 0 && was?.notnull !== 1;
    });
    return [...gone, ...asked.map(({ name }) => `${table}.${name} is asked for`)];
  });
}

const test = suite('two versions side by side');

test('no migration removes a column that the previous release still uses, or requires one that it does not write', async () => {
  const db = openDatabase(':memory:');
  const { known } = await versionOf(db);
  assert.ok(known.includes(RELEASED), `${RELEASED} is one of the migrations`);
  for (const name of known.filter((one) => one <= RELEASED)) await db.migrate.up({ name } as object);
  const before = await schemaOf(db);
  await db.migrate.latest();
  const after = await schemaOf(db);
  await db.destroy();
  assert.equal(
    missing(before, after).filter((what) => !MEANT.includes(what)),
    [],
    'Add what is new beside what is old, and take the old away a release later; or say in MEANT why it harms nobody.',
  );
});

test('the check reports removed tables and columns and new required columns', () => {
  const column = (name: string, more: Partial<Column> = {}): [string, Column] => [
    name,
    { name, notnull: 0, dflt_value: null, pk: 0, ...more },
  ];
  const before = new Map([
    ['items', new Map([column('name'), column('size')])],
    ['old', new Map([column('id')])],
  ]);
  const after = new Map([['items', new Map([column('name'), column('bytes', { notnull: 1 })])]]);
  assert.equal(missing(before, after), ['items.size is gone', 'items.bytes is asked for', 'old is gone']);
  assert.equal(missing(before, before), []);
});

test.run();
