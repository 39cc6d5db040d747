import { Router } from '@koa/router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';

const test = suite<{ front: HttpWorld }>('http app');
const secret = 'file:///srv/almirah.sqlite SELECT password_hash';

function probes(): Router {
  const router = new Router();
  router.get('/api/fault', (ctx) => {
    ctx.set('Content-Disposition', 'attachment');
    throw new Error(secret);
  });
  router.get('/api/widgets/:id', (ctx) => (ctx.body = { id: ctx.params.id }));
  router.patch('/api/widgets/:id', (ctx) => (ctx.status = 204));
  router.get('/api/stream', (ctx) => {
    ctx.body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('half'));
        setTimeout(() => controller.error(new Error('the blob is damaged')), 20);
      },
    });
  });
  return router;
}

test.before.each(async (world) => {
  world.front = await openHttpWorld({ routes: [probes()] });
});
test.after.each(({ front }) => front.close());

test('an answer of the API runs nothing, is framed by nobody and is kept by no cache', async ({ front }) => {
  const { headers } = await (await front.visitor()).get('/api/auth/user');
  assert.is(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  assert.is(headers.get('cache-control'), 'no-store');
  assert.is(headers.get('x-content-type-options'), 'nosniff');
  assert.is(headers.get('referrer-policy'), 'same-origin');
  assert.is(headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.is(headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.ok(headers.get('permissions-policy')?.includes('camera=()'));
  assert.is(headers.get('strict-transport-security'), null, 'on http it would mean nothing');
  assert.is(headers.get('x-powered-by'), null);
});

test('on https browsers are told to stay there, and cookies are Secure with the host prefix', async () => {
  const front = await openHttpWorld({ config: { baseUrl: 'https://vault.test', trustProxy: [] } });
  const { headers } = await (await front.visitor()).get('/sanctum/csrf-cookie');
  assert.match(headers.get('strict-transport-security') ?? '', /max-age=31536000/);
  assert.match(headers.getSetCookie()[0] ?? '', /^XSRF-TOKEN=.*; secure/);
  const signedIn = await front.asha();
  assert.ok([...signedIn.jar.keys()].includes('__Host-almirah_session'));
  assert.is((await signedIn.get('/api/auth/user')).status, 200);
  await front.close();
});

test('the request id is ours, whatever the request says of itself', async ({ front }) => {
  const { headers } = await (
    await front.visitor()
  ).get('/healthz', { headers: { 'x-request-id': 'forged' } });
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
});

test('a fault of ours says only the request id, by which the log has the whole of it', async ({ front }) => {
  const { status, json, text, headers } = await (await front.visitor()).get('/api/fault');
  assert.is(status, 500);
  assert.equal(Object.keys(json), ['success', 'message', 'code', 'request_id']);
  assert.is(
    json.message,
    'Something went wrong on our side. Try again; if it happens again, tell your admin the request id.',
  );
  assert.is(json.request_id, headers.get('x-request-id'));
  assert.not.ok(text.includes('SELECT'));
  assert.is(headers.get('content-disposition'), null, 'what the route had set belongs to another answer');
  assert.ok(front.logged.some((line) => line.includes(secret) && line.includes(json.request_id)));
});

test('an answer that fails on the way is cut, so that nobody takes half of it for the whole', async ({
  front,
}) => {
  const visitor = await front.visitor();
  await visitor.get('/api/stream').then(
    () => assert.unreachable('it came to an end'),
    (error: unknown) => assert.instance(error, TypeError),
  );
  assert.ok(front.logged.some((line) => line.includes('the blob is damaged')));
});

for (const path of ['/api/nothing', '/api', '/sanctum/nothing', '/api/auth', '/API/nothing']) {
  test(`${path} is a 404 in JSON, since programs ask there`, async ({ front }) => {
    const { status, json } = await (await front.visitor()).get(path, { headers: { accept: 'text/html' } });
    assert.is(status, 404);
    assert.is(json.code, 'not_found');
    assert.is(json.success, false);
  });
}

test('a method that a path does not have is 405 and names those it has', async ({ front }) => {
  const visitor = await front.visitor();
  const { status, json, headers } = await visitor.call('PUT', '/api/widgets/3', { body: {} });
  assert.is(status, 405);
  assert.is(headers.get('allow'), 'GET, HEAD, PATCH');
  assert.is(json.code, 'method_not_allowed');
  const asked = await visitor.call('OPTIONS', '/api/widgets/3');
  assert.is(asked.status, 204);
  assert.is(asked.headers.get('access-control-allow-origin'), null, 'no other site may read our answers');
});

test('a path that is not valid text is an error of the sender', async ({ front }) => {
  const { status } = await (await front.visitor()).get('/api/widgets/%ff');
  assert.ok(status < 500, String(status));
});

test('a page path without pages is a plain 404 for people', async ({ front }) => {
  const { status, headers, text } = await (
    await front.visitor()
  ).get('/x', { headers: { accept: 'text/html' } });
  assert.is(status, 404);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(text, /does not exist.*\n\nRequest id: /);
});

test('health follows the database, for those who watch over the server', async () => {
  let broken = false;
  let stuck = false;
  const front = await openHttpWorld({
    health: async () => {
      if (broken) throw new Error('no database');
      return stuck ? [{ code: 'database_stuck', message: 'Nothing could be written.' }] : [];
    },
  });
  const visitor = await front.visitor();
  assert.equal((await visitor.get('/healthz')).json, { status: 'ok' });
  stuck = true;
  const told = await visitor.get('/healthz');
  assert.is(told.status, 503);
  assert.equal(told.json, {
    status: 'unavailable',
    problems: [{ code: 'database_stuck', message: 'Nothing could be written.' }],
  });
  broken = true;
  const { status, json } = await visitor.get('/healthz');
  assert.is(status, 503);
  assert.is(json.status, 'unavailable');
  await front.close();
});

test('a server that is starting or stopping is alive but not ready, so that nobody restarts it or sends it requests', async () => {
  let ready = false;
  let problems: { code: string; message: string }[] = [];
  const front = await openHttpWorld({ health: async () => problems, ready: () => ready });
  const visitor = await front.visitor();
  const told = await visitor.get('/readyz');
  assert.equal([told.status, told.json.problems[0].code], [503, 'not_ready']);
  assert.is((await visitor.get('/healthz')).status, 200);
  ready = true;
  assert.equal((await visitor.get('/readyz')).json, { status: 'ok' });
  problems = [{ code: 'database_stuck', message: 'Nothing could be written.' }];
  assert.is((await visitor.get('/readyz')).status, 503, 'who cannot work is not ready either');
  await front.close();
});

test('a file is served without asking who is there; a page is asked last', async () => {
  const seen: string[] = [];
  const front = await openHttpWorld({
    assets: (ctx, next) => (ctx.path === '/app.css' ? (ctx.body = 'body {}') : next()),
    pages: (ctx) => {
      seen.push(String(ctx.state.actor?.userId));
      ctx.body = 'page';
    },
  });
  const visitor = await front.asha();
  await front.db.destroy();
  assert.is((await visitor.get('/app.css')).text, 'body {}');
  assert.is((await visitor.get('/dashboard')).status, 500);
  assert.equal(seen, []);
  await front.close().catch(() => {});
});

test.run();
