import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Knex } from 'knex';
import { queryRows } from '../../db/sql.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { SORTS } from '../contract.ts';

const test = suite<World>('documents: the index of a folder');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('a page of a folder is found in an index alone in every order, since reading each row of a large folder takes ten times as long', async ({
  services: { documents },
  build,
  db,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor, 'Scans');
  const queries: { sql: string; bindings: Knex.RawBinding[] }[] = [];
  const record = ({ sql, bindings }: { sql: string; bindings: Knex.RawBinding[] }) => {
    // The rows of the page itself are fetched by their ids.
    if (/^select `i`\.`id` .*limit/i.test(sql)) queries.push({ sql, bindings });
  };
  db.on('query', record);
  for (const id of [null, folder.id])
    for (const sort of SORTS) await documents.folder(actor, id, { sort, limit: 50 });
  db.off('query', record);
  assert.is(queries.length, 2 * SORTS.length);
  for (const { sql, bindings } of queries) {
    const plan = await queryRows<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`, bindings);
    const details = plan.map(({ detail }) => detail).join('\n');
    assert.match(details, /SEARCH (i|item_rows) USING COVERING INDEX items_listing/, sql);
  }
});

test.run();
