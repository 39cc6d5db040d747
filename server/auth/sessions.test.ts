import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, DAY, MINUTE, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';

const test = suite<{ front: HttpWorld }>('sessions');
const right = { email: ASHA.email, password: ASHA.password };

test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

type Asha = Visitor & { token: string };
const byCookie = async (asha: Visitor) => (await asha.get('/api/auth/user')).status;
const byToken = async (front: HttpWorld, token: string) =>
  (await new Visitor(front.base).get('/api/auth/user', { headers: bearer(token) })).status;

async function signIn(front: HttpWorld): Promise<Asha> {
  const visitor = await front.visitor();
  const { json } = await visitor.post('/api/auth/login', right);
  return Object.assign(visitor, { token: json.data.token as string });
}

test('the cookie and the token of one sign-in belong to the same session', async ({ front }) => {
  const asha = await front.asha();
  assert.is(await byCookie(asha), 200);
  assert.is(await byToken(front, asha.token), 200);
  assert.is((await front.db('sessions')).length, 1);
});

test('the session cookie is HttpOnly and SameSite=Lax, and scripts can read only the CSRF cookie', async ({
  front,
}) => {
  const visitor = await front.visitor();
  const { headers } = await visitor.post('/api/auth/register', ASHA);
  const lines = headers.getSetCookie();
  const session = lines.find((line) => line.startsWith('almirah_session='));
  assert.match(session ?? '', /; path=\/; expires=.*; samesite=lax; httponly$/);
  assert.not.ok(
    lines.find((line) => line.startsWith('XSRF-TOKEN='))?.includes('httponly'),
    'scripts must read this',
  );
});

for (const path of ['/api/auth/logout', '/api/auth/logout-all']) {
  test(`${path} with the cookie ends the token too`, async ({ front }) => {
    const asha = await front.asha();
    const stolen = new Map(asha.jar);
    const left = await asha.post(path);
    assert.is(left.status, 200);
    assert.is(left.headers.get('clear-site-data'), '"cache"', 'no picture of a document stays behind');
    assert.is(asha.jar.has('almirah_session'), false, 'the browser is told to forget it');
    assert.is(await byToken(front, asha.token), 401);
    for (const [name, value] of stolen) asha.jar.set(name, value);
    assert.is(await byCookie(asha), 401);
  });

  test(`${path} with the token ends the cookie too`, async ({ front }) => {
    const asha = await front.asha();
    const elsewhere = new Visitor(front.base);
    assert.is((await elsewhere.post(path, undefined, { headers: bearer(asha.token) })).status, 200);
    assert.is(await byCookie(asha), 401);
  });
}

test('logout ends the session of this device only, logout-all those of all devices', async ({ front }) => {
  await front.asha();
  const [phone, laptop, tablet] = [await signIn(front), await signIn(front), await signIn(front)];
  await phone.post('/api/auth/logout');
  assert.is(await byCookie(laptop), 200);
  await laptop.post('/api/auth/logout-all');
  assert.is(await byCookie(tablet), 401);
  assert.equal(await front.db('sessions'), []);
});

test('sign-out without a session is refused with 401', async ({ front }) => {
  const { status, json } = await (await front.visitor()).post('/api/auth/logout');
  assert.is(status, 401);
  assert.is(json.code, 'unauthenticated');
});

test('signing in again in a browser gives a new session and ends the old one', async ({ front }) => {
  const asha = await front.asha();
  const before = asha.jar.get('almirah_session');
  await asha.post('/api/auth/login', right);
  assert.is.not(asha.jar.get('almirah_session'), before);
  assert.is(await byToken(front, asha.token), 401);
  assert.is((await front.db('sessions')).length, 1);
});

test('a session id chosen by the client is never adopted (session fixation)', async ({ front }) => {
  await front.asha();
  const visitor = await front.visitor();
  visitor.jar.set('almirah_session', 'chosen-by-someone-else');
  await visitor.arrive();
  await visitor.post('/api/auth/login', right);
  assert.is.not(visitor.jar.get('almirah_session'), 'chosen-by-someone-else');
  assert.is(await byCookie(visitor), 200);
});

test('a session cookie without its signature is refused with 401', async ({ front }) => {
  const asha = await front.asha();
  asha.jar.delete('almirah_session.sig');
  assert.is(await byCookie(asha), 401);
});

test('with both a token and a cookie, the token counts: an invalid token is refused despite a valid cookie', async ({
  front,
}) => {
  const asha = await front.asha();
  assert.is((await asha.get('/api/auth/user', { headers: bearer('nobody') })).status, 401);
});

test('a session that is not used for 30 days expires', async ({ front }) => {
  const asha = await front.asha();
  front.advance(29 * DAY);
  assert.is(await byToken(front, asha.token), 200, 'which is a use');
  front.advance(29 * DAY);
  assert.is(await byCookie(asha), 200);
  front.advance(30 * DAY);
  assert.is(await byCookie(asha), 401);
  assert.is(await byToken(front, asha.token), 401);
});

test('a session expires after 90 days, however much it is used', async ({ front }) => {
  const asha = await front.asha();
  for (let day = 0; day < 89; day += 10) {
    assert.is(await byCookie(asha), 200);
    front.advance(10 * DAY);
  }
  assert.is(await byCookie(asha), 401);
});

test('a disabled user is refused immediately, with the cookie and with the token', async ({ front }) => {
  const asha = await front.asha();
  await front.db('users').update({ deactivated_at: '2026-11-20T10:00:00.000Z' });
  assert.is(await byCookie(asha), 401);
  assert.is(await byToken(front, asha.token), 401);
});

test('the last use of a session is stored at most once a minute', async ({ front }) => {
  const asha = await front.asha();
  const lastUse = async () => (await front.db('sessions').first()).last_used_at;
  const start = await lastUse();
  front.advance(MINUTE);
  await byCookie(asha);
  assert.is(await lastUse(), start);
  front.advance(1);
  await byCookie(asha);
  assert.is(await lastUse(), '2026-11-20T10:01:00.001Z');
});

test('the clean-up deletes expired sessions', async ({ front }) => {
  await front.asha();
  front.advance(20 * DAY);
  await signIn(front);
  front.advance(20 * DAY);
  await front.auth.sweep();
  assert.is((await front.db('sessions')).length, 1);
});

test.run();
