import { Router } from '@koa/router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, Visitor } from '../testing/visitor.ts';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';

const test = suite<{ front: HttpWorld }>('csrf');
const SESSION = 'almirah_session';

test.before.each(async (world) => {
  const hook = new Router().post('/api/hook', (ctx) => (ctx.body = { heard: true }));
  world.front = await openHttpWorld({ routes: [hook], csrfExcept: ['/api/hook'] });
});
test.after.each(({ front }) => front.close());

const refusal = {
  success: false,
  message: 'Session expired. Please try again.',
  code: 'csrf_mismatch',
};

for (const [method, path] of [
  ['POST', '/api/auth/login'],
  ['POST', '/api/auth/register'],
  ['POST', '/api/auth/logout'],
  ['POST', '/api/auth/logout-all'],
  ['PUT', '/api/auth/profile'],
  ['POST', '/api/auth/change-password'],
] as const) {
  test(`${method} ${path} without the CSRF token is refused with 419, so that other sites cannot send it`, async ({
    front,
  }) => {
    const asha = await front.asha();
    asha.jar.delete('XSRF-TOKEN');
    const { status, json } = await asha.call(method, path, { body: ASHA });
    const { request_id: _, ...rest } = json;
    assert.is(status, 419);
    assert.equal(rest, refusal);
    assert.is((await asha.get('/api/auth/user')).status, 200, 'nothing was changed');
  });
}

test('the CSRF cookie without the header is refused with 419, since browsers send cookies automatically', async ({
  front,
}) => {
  const asha = await front.asha();
  const { status } = await asha.post('/api/auth/logout', undefined, { headers: { 'x-xsrf-token': '' } });
  assert.is(status, 419);
});

test('a CSRF token of another session is refused, so that an attacker cannot plant one', async ({
  front,
}) => {
  const mallory = await front.visitor();
  const asha = await front.asha();
  asha.jar.set('XSRF-TOKEN', mallory.jar.get('XSRF-TOKEN') ?? '');
  assert.is((await asha.post('/api/auth/logout')).status, 419);
});

test('forged CSRF tokens are refused even if cookie and header match, since tokens are signed', async ({
  front,
}) => {
  const visitor = new Visitor(front.base);
  for (const made of ['x', 'x.y', '.', 'x.']) {
    visitor.jar.set('XSRF-TOKEN', made);
    assert.is((await visitor.post('/api/auth/login', ASHA)).status, 419, made);
  }
});

test('the form of a page is not read but leads to the page, and never to another site', async ({ front }) => {
  const visitor = new Visitor(front.base);
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const send = (path: string) => visitor.call('POST', path, { body: 'password=x', headers });
  const answer = await send('/login?next=/clients');
  assert.is(answer.status, 303);
  assert.is(answer.headers.get('location'), '/login?next=/clients');
  for (const path of ['//evil.test/x', '/\\evil.test', '/api/auth/login'])
    assert.is((await send(path)).status, 419, path);
});

test('a foreign origin is refused even with a valid token', async ({ front }) => {
  const asha = await front.asha();
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    assert.is(
      (await asha.post('/api/auth/logout', undefined, { headers })).status,
      419,
      JSON.stringify(headers),
    );
  }
  assert.is((await asha.get('/api/auth/user')).status, 200);
});

test('requests from our own origin are accepted, whether it is BASE_URL or the address that was opened', async ({
  front,
}) => {
  const visitor = await front.visitor();
  for (const origin of ['http://vault.test', front.base]) {
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    assert.is((await visitor.post('/api/auth/login', ASHA, { headers })).status, 401, origin);
  }
});

test('a bearer token needs no CSRF token, since no browser adds it automatically', async ({ front }) => {
  const { token } = await front.asha();
  const stranger = new Visitor(front.base);
  assert.is((await stranger.post('/api/auth/logout', undefined, { headers: bearer(token) })).status, 200);
});

test('an invalid bearer token does not fall back to the cookie', async ({ front }) => {
  const asha = await front.asha();
  asha.jar.delete('XSRF-TOKEN');
  assert.is((await asha.post('/api/auth/logout', undefined, { headers: bearer('made-up') })).status, 401);
});

test('reading needs no CSRF token', async ({ front }) => {
  const asha = await front.asha();
  asha.jar.delete('XSRF-TOKEN');
  assert.is((await asha.get('/api/auth/user')).status, 200);
});

test('an exempt path needs no CSRF token, and paths below it do', async ({ front }) => {
  const gateway = new Visitor(front.base);
  assert.is((await gateway.post('/api/hook', {})).status, 200);
  assert.is((await gateway.post('/api/hook/x', {})).status, 419);
});

test('a valid CSRF token is kept, so that a second tab does not break the requests of the first', async ({
  front,
}) => {
  const asha = await front.asha();
  const before = asha.jar.get('XSRF-TOKEN');
  await asha.arrive();
  assert.is(asha.jar.get('XSRF-TOKEN'), before);
});

test('signing in and out changes the CSRF token, and the new one works', async ({ front }) => {
  const asha = await front.asha();
  const first = asha.jar.get('XSRF-TOKEN');
  assert.is((await asha.post('/api/auth/logout')).status, 200);
  assert.is.not(asha.jar.get('XSRF-TOKEN'), first);
  assert.is(asha.jar.has(SESSION), false);
  assert.is((await asha.post('/api/auth/login', ASHA)).status, 200);
  assert.is((await asha.post('/api/auth/logout')).status, 200);
});

test('the CSRF token stays valid after the session has expired, so that signing in again works', async ({
  front,
}) => {
  const asha = await front.asha();
  await front.db('sessions').delete();
  assert.is((await asha.post('/api/auth/login', ASHA)).status, 200);
});

test.run();
