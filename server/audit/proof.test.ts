import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresOnly } from '../testing/postgres.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { untilWritersWait } from '../testing/writers-wait.ts';

const test = suite<World>('verifying the history on PostgreSQL');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

test('the history is verified while others write, since verifying a long one takes minutes', async ({
  db,
  build,
  services,
}) => {
  await build.file(await build.actor());
  await db.transaction(async () => {
    const proof = services.audit.prove(null);
    const waiting = untilWritersWait(db, 1).then(
      () => 'waits for the writer',
      () => 'never waits',
    );
    assert.is(await Promise.race([proof.then(() => 'proven'), waiting]), 'proven');
    assert.equal((await proof).faults, []);
  });
});

postgresOnly(test).run();
