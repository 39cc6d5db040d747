import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from './rejects.ts';
import type { World } from './world.ts';
import { freshWorld } from './world.ts';

const test = suite<World>('a clock set back');
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 0 }));
});
test.after.each(({ close }) => close());

const origin = { ip: '203.0.113.7', userAgent: 'test' };

const refusal = async ({ services }: World, email: string) =>
  services.auth.signIn({ email, password: 'wrong password' }, origin).then(
    () => ({ status: 200, message: 'signed in' }),
    (error: Error & { status: number }) => ({ status: error.status, message: error.message }),
  );

test('a clock set back does not lengthen the wait of a rate limit', async (world) => {
  const { email } = await world.build.account();
  for (let tries = 0; tries < 10; tries += 1) assert.is((await refusal(world, email)).status, 401);
  world.advance(-2 * DAY);
  const { status, message } = await refusal(world, email);
  assert.is(status, 429);
  assert.match(message, /wait 15 minutes/);
  world.advance(15 * 60_000);
  assert.is((await refusal(world, email)).status, 401, 'and the time that was said is the time it takes');
});

test('a clock set back does not postpone the deletion of the contents of deleted files', async (world) => {
  const { services, build, db, advance } = world;
  const actor = await build.actor();
  services.start();
  advance(60_000);
  await services.jobs.runDue('delete-file-contents');
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  advance(-2 * DAY);
  await services.jobs.runDue('delete-file-contents');
  assert.equal(await db('discarded_blobs'), []);
  assert.equal(await db('hidden_items'), []);
});

test('a clock set back does not extend sessions, and signs nobody out', async ({
  services,
  build,
  advance,
  db,
  now,
}) => {
  const { cookie } = await build.account();
  advance(-200 * DAY);
  assert.ok(await services.auth.identifyByCookie(cookie), 'nobody is signed out by it');
  const row = await db('sessions').first('created_at', 'last_used_at');
  assert.equal(row, { created_at: now().toISOString(), last_used_at: now().toISOString() });
});

test('a clock set back does not extend the validity of a password reset link', async (world) => {
  const { services, build, advance } = world;
  const { email } = await build.account();
  const token = (await services.auth.letIn(email, { twoStepOff: false }))!;
  const stands = () => services.auth.isResetLinkValid(token, origin);
  advance(-2 * DAY);
  await services.auth.sweep();
  assert.ok(await stands());
  advance(HOUR);
  assert.not(await stands());
});

test('a clock set back ends download links, which would otherwise stay valid too long', async (world) => {
  const { services, build, advance } = world;
  const { documents, downloads, exports } = services;
  const actor = await build.actor();
  const file = await build.file(actor);
  const LOOK = { sending: false, inline: true };
  const tokenOf = (url: string) => new URL(url, 'http://x').searchParams.get('token')!;
  const one = tokenOf(await documents.downloadUrl(actor, file.id));
  const all = await exports.link(actor, 'history');
  advance(-30_000);
  await downloads.open(one, file.id, LOOK);
  await exports.open(all, { sending: false });
  advance(-2 * DAY);
  await rejects(downloads.open(one, file.id, LOOK), 403);
  await rejects(exports.open(all, { sending: false }), 403);
});

test('a clock set back does not postpone the expiry of an abandoned upload', async ({
  services,
  build,
  advance,
}) => {
  const actor = await build.actor();
  await services.resumable.begin(actor, { id: 'a'.repeat(32), name: 'large.pdf', size: 100, fields: {} });
  advance(-400 * DAY);
  assert.is(await services.resumable.sweep(), 0);
  advance(3 * DAY);
  assert.is(await services.resumable.sweep(), 1);
});

test.run();
