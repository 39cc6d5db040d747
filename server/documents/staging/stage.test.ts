import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { stageTree } from './stage.ts';

const test = suite<World>('staging a tree');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const CUT_OFF = new Error('Connection terminated unexpectedly');

/** A database whose first transaction is committed, but whose connection breaks before that is known here. */
function cutOffAfterCommit(db: Knex): Knex {
  let first = true;
  return new Proxy(db, {
    get: (target, name) =>
      name === 'transaction' && first
        ? async (work: (trx: Knex.Transaction) => Promise<unknown>) => {
            first = false;
            await target.transaction(work);
            throw CUT_OFF;
          }
        : Reflect.get(target, name),
  });
}

test('leaves nothing when the connection breaks before it is known that the first row was committed', async ({
  db,
  build,
  now,
  services,
}) => {
  const { actor } = await build.account();
  const deferred = { write: async (write: () => Promise<unknown>) => void (await write()) };
  const tree = { name: 'Vouchers', folders: [], files: [] };
  const staging = stageTree(
    { db: cutOffAfterCommit(db), clock: now, deferred },
    actor,
    tree,
    null,
    new AbortController().signal,
  );
  assert.is(await staging.catch((error: unknown) => error), CUT_OFF);
  while ((await services.records.purge()) > 0);
  assert.equal(await db('hidden_items').where('item_id', '>', 0), []);
  assert.equal(await db('item_rows').where({ firm_id: actor.firmId }), []);
});

test.run();
