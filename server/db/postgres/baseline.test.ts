import { readFile } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase, versionOf } from '../../datadir/database.ts';
import { BASELINE, readBaseline, withHeader } from './baseline.ts';
import { schemaFrom } from './schema-from-sqlite.ts';
import { withPlainJoins, toPostgresSql } from './translate.ts';

test('the baseline is the schema that the migrations give in SQLite, so that no trigger or key is missing in PostgreSQL', async () => {
  const { covered } = await readBaseline();
  const db = openDatabase(':memory:');
  const { known } = await versionOf(db);
  assert.ok(known.includes(covered), `${covered}, which the baseline names, is one of the migrations`);
  for (const name of known.filter((one) => one <= covered)) await db.migrate.up({ name } as object);
  const generated = withHeader(covered, await schemaFrom(db));
  await db.destroy();
  const stored = await readFile(BASELINE, 'utf8');
  assert.ok(
    generated === stored,
    'A migration that the baseline covers was changed, or the baseline was. Before a release with PostgreSQL: npm run baseline:postgres. After one: leave both as they are.',
  );
});

test('CROSS JOIN … ON becomes a JOIN in PostgreSQL, and a CROSS JOIN without ON stays one', () => {
  const product = 'FROM a CROSS JOIN b WHERE b.id = a.id';
  assert.is(withPlainJoins(product), product);
  assert.is(withPlainJoins('FROM a CROSS JOIN b ON b.id = a.id'), 'FROM a JOIN b ON b.id = a.id');
  assert.is(withPlainJoins('CROSS JOIN items i\n ON i.id = a.id'), 'JOIN items i\n ON i.id = a.id');
  assert.is(
    withPlainJoins('a CROSS JOIN (SELECT * FROM b WHERE id IN (1)) AS i ON i.id = a.id'),
    'a JOIN (SELECT * FROM b WHERE id IN (1)) AS i ON i.id = a.id',
  );
  const both = 'a CROSS JOIN b i WHERE i.id = a.id LEFT JOIN c ON c.id = i.id';
  assert.is(withPlainJoins(both), both);
});

test('a column IN a bound list is looked up by an index, but not with `checkOnly` or NOT IN', () => {
  const list = 'SELECT value::bigint AS value FROM jsonb_array_elements_text(?::jsonb) AS each_one(value)';
  assert.is(toPostgresSql(`WHERE i.id IN (${list}) AND x`), `WHERE i.id = ANY (ARRAY(${list})) AND x`);
  for (const other of [`(i.id) IN (${list})`, `i.id NOT IN (${list})`, `i.id IN (${list} UNION ALL ${list})`])
    assert.is(toPostgresSql(other), other);
});

test.run();
