import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hoursText } from './contract.ts';
import { refusalOf } from './admission.ts';
import { isWithin } from './work-hours.ts';
import { bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { Visitor } from '../testing/visitor.ts';

const test = suite<World>('work hours and office networks');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const OFFICE = { days: [1, 2, 3, 4, 5, 6], from: '09:30', to: '19:00' };
const HOUR = 60 * 60_000;

test('work hours are in Indian time whatever the server’s time zone, and include their start but not their end', () => {
  // 20 November 2026 is a Friday.
  for (const [utc, expected] of [
    ['2026-11-20T03:59:59Z', false],
    ['2026-11-20T04:00:00Z', true],
    ['2026-11-20T13:29:59Z', true],
    ['2026-11-20T13:30:00Z', false],
    ['2026-11-22T06:00:00Z', false],
    // Saturday evening in London is Sunday in India.
    ['2026-11-21T19:00:00Z', false],
  ] as const)
    assert.is(isWithin(OFFICE, new Date(utc)), expected, utc);
});

test('a night shift belongs to the day on which it begins', () => {
  const night = { days: [5], from: '22:00', to: '06:00' };
  assert.is(isWithin(night, new Date('2026-11-20T17:00:00Z')), true, 'Friday 22:30');
  assert.is(isWithin(night, new Date('2026-11-20T23:30:00Z')), true, 'Saturday 05:00');
  assert.is(isWithin(night, new Date('2026-11-19T23:30:00Z')), false, 'Friday 05:00 is of Thursday');
});

test('work hours are formatted as text', () => {
  assert.is(hoursText(OFFICE), 'Monday to Saturday, 09:30 to 19:00 IST');
  assert.is(hoursText({ ...OFFICE, days: [6, 1] }), 'Monday and Saturday, 09:30 to 19:00 IST');
  assert.is(hoursText({ ...OFFICE, days: [1, 3, 5] }), 'Monday, Wednesday and Friday, 09:30 to 19:00 IST');
  assert.is(hoursText({ ...OFFICE, days: [1, 2, 3, 4, 5, 6, 7] }), 'every day, 09:30 to 19:00 IST');
});

test('an office network allows its own addresses only, IPv4-mapped IPv6 addresses included', () => {
  const of = { work_hours: null, networks: '["203.0.113.0/24","2001:db8:1::/48"]' };
  const refused = (ip?: string) => refusalOf(of, new Date(), ip)?.code;
  assert.is(refused('203.0.113.9'), undefined);
  assert.is(refused('::ffff:203.0.113.9'), undefined);
  assert.is(refused('2001:db8:1:2::9'), undefined);
  assert.is(refused('203.0.114.9'), 'outside_network');
  assert.is(refused('2001:db8:2::9'), 'outside_network');
  assert.is(refused('not an address'), 'outside_network');
});

test('outside work hours, password, cookie and token are refused with 403 and the permitted hours, and sign-out still works', async (world) => {
  const { db, build, advance } = world;
  const { email, password, token } = await build.account();
  const url = await world.serve();
  const inside = await new Visitor(url).arrive();
  await inside.post('/api/auth/login', { email, password });
  assert.is((await inside.get('/api/auth/user')).status, 200);
  await db('users').update({ work_hours: JSON.stringify(OFFICE) });
  assert.is((await inside.get('/api/auth/user')).status, 200, '15:30 in India');
  advance(4 * HOUR);
  const outside = await inside.get('/api/documents');
  assert.is(outside.status, 403);
  assert.is(outside.json.code, 'outside_hours');
  assert.match(outside.json.message, 'Monday to Saturday, 09:30 to 19:00 IST');
  const byToken = await new Visitor(url).get('/api/documents', { headers: bearer(token) });
  assert.is(byToken.json.code, 'outside_hours');
  const again = await (await new Visitor(url).arrive()).post('/api/auth/login', { email, password });
  assert.is(again.status, 403);
  assert.match(again.json.message, '09:30 to 19:00');
  const wrong = await (
    await new Visitor(url).arrive()
  ).post('/api/auth/login', { email, password: 'guessed at' });
  assert.is(wrong.status, 401, 'one who does not know the password learns nothing');
  assert.is((await inside.post('/api/auth/logout')).status, 200);
  advance(14 * HOUR);
  assert.is((await inside.get('/api/auth/user')).status, 401, 'it was signed out');
});

test('a download link opened from outside the office network is refused with 403', async (world) => {
  const { db, build, services } = world;
  const { actor } = await build.account();
  const file = await build.file(actor);
  const url = await world.serve();
  const download_url = await services.documents.downloadUrl(actor, file.id);
  const visitor = new Visitor(url);
  assert.is((await visitor.get(download_url)).status, 200);
  await db('users').update({ networks: '["203.0.113.0/24"]' });
  const outside = await visitor.get(download_url);
  assert.is(outside.status, 403);
  assert.match(outside.text, 'office network');
});

test('the time a user was last seen is updated at most once in five minutes', async ({
  db,
  build,
  services,
  advance,
}) => {
  const { cookie } = await build.account();
  const seen = async () => (await db('users').first('last_seen_at')).last_seen_at;
  const first = await seen();
  assert.ok(first);
  advance(4 * 60_000);
  await services.auth.identifyByCookie(cookie);
  assert.is(await seen(), first);
  advance(2 * 60_000);
  await services.auth.identifyByCookie(cookie);
  assert.ok((await seen()) > first);
});

test.run();
