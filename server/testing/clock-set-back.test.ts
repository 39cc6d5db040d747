import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { World } from './world.ts';
import { freshWorld } from './world.ts';

const test = suite<World>('a clock that is set back');
const DAY = 24 * 60 * 60_000;

test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
});
test.after.each(({ close }) => close());

const origin = { ip: '203.0.113.7', userAgent: 'test' };

const refusal = async ({ services }: World, email: string) =>
  services.auth.signIn({ email, password: 'wrong password' }, origin).then(
    () => ({ status: 200, message: 'signed in' }),
    (error: Error & { status: number }) => ({ status: error.status, message: error.message }),
  );

test('makes nobody wait longer than the limit itself does', async (world) => {
  const { email } = await world.build.account();
  for (let tries = 0; tries < 10; tries += 1) assert.is((await refusal(world, email)).status, 401);
  world.pass(-2 * DAY);
  const { status, message } = await refusal(world, email);
  assert.is(status, 429);
  assert.match(message, /wait 15 minutes/);
  world.pass(15 * 60_000);
  assert.is((await refusal(world, email)).status, 401, 'and the time that was said is the time it takes');
});

test('does not keep the bytes of deleted files, which wait for their next turn', async (world) => {
  const { services, build, db, pass } = world;
  const actor = await build.actor();
  services.start();
  pass(60_000);
  await services.jobs.work('bytes of deleted files');
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  pass(-2 * DAY);
  await services.jobs.work('bytes of deleted files');
  assert.equal(await db('discarded_blobs'), []);
  assert.equal(await db('hidden_items'), []);
});

test('does not let a sign-in live longer than one that begins now', async ({
  services,
  build,
  pass,
  db,
  now,
}) => {
  const { cookie } = await build.account();
  pass(-200 * DAY);
  assert.ok(await services.auth.identifyByCookie(cookie), 'nobody is signed out by it');
  const row = await db('sessions').first('created_at', 'last_used_at');
  assert.equal(row, { created_at: now().toISOString(), last_used_at: now().toISOString() });
});

test.run();
