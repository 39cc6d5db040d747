import { IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';
import { rawBody, read, readBody } from './body.ts';

const test = suite<{ front: HttpWorld }>('body');
const headers = { ...bearer('nobody'), 'content-type': 'application/json' };

test.before.each(async (world) => {
  const router = new Router();
  router.post('/api/echo', async (ctx) => (ctx.body = { got: await readBody(ctx) }));
  router.post('/api/twice', async (ctx) => {
    const parsed = await readBody(ctx);
    ctx.body = { parsed, raw: (await rawBody(ctx)).toString() };
  });
  router.post(
    '/api/named',
    async (ctx) => (ctx.body = await read(ctx, v.object({ name: v.string('Name!') }))),
  );
  router.post('/api/unread', (ctx) => (ctx.body = { ok: true }));
  world.front = await openHttpWorld({ routes: [router] });
});
test.after.each(({ front }) => front.close());

const echo = (front: HttpWorld, body: string | Uint8Array, type = 'application/json') =>
  new Visitor(front.base).post('/api/echo', body, { headers: { ...headers, 'content-type': type } });

test('JSON and small forms are parsed', async ({ front }) => {
  assert.equal((await echo(front, '{"a":[1]}')).json, { got: { a: [1] } });
  assert.equal((await echo(front, 'a=1&b=x+y', 'application/x-www-form-urlencoded')).json, {
    got: { a: '1', b: 'x y' },
  });
  assert.equal((await echo(front, '')).json, { got: {} });
});

test('malformed JSON is a client error', async ({ front }) => {
  for (const broken of ['{', '{"a":}', 'nonsense', '[1,]', '['.repeat(200_000)]) {
    const { status, json } = await echo(front, broken);
    assert.is(status, 400);
    assert.is(json.code, 'malformed_json');
    assert.is(json.message, 'The request body is not valid JSON.');
  }
  assert.is((await echo(front, new Uint8Array([0x22, 0xff, 0x22]))).status, 400, 'not UTF-8');
});

test('a body that is not an object is refused before validation', async ({ front }) => {
  for (const body of ['[]', '"text"', '7', 'null']) {
    const { status } = await new Visitor(front.base).post('/api/named', body, { headers });
    assert.is(status, 400, body);
  }
});

test('more than 1 MB is 413, with or without Content-Length', async ({ front }) => {
  const big = JSON.stringify({ a: 'x'.repeat(1024 * 1024) });
  const { status, json } = await echo(front, big);
  assert.is(status, 413);
  assert.is(json.code, 'too_large');
  const chunked = await fetch(`${front.base}/api/echo`, {
    method: 'POST',
    headers,
    body: new Blob([big]).stream(),
    duplex: 'half',
  });
  assert.is(chunked.status, 413);
  assert.is((await echo(front, JSON.stringify({ a: 'x'.repeat(1024 * 1024 - 20) }))).status, 200);
});

test('an unread large body does not prevent the response', async ({ front }) => {
  const { status } = await echo(front, 'x'.repeat(8 * 1024 * 1024));
  assert.is(status, 413);
  const unread = await new Visitor(front.base).post('/api/unread', 'x'.repeat(4 * 1024 * 1024), { headers });
  assert.is(unread.status, 200);
});

test('any other type is 415, so that another site cannot send JSON as plain text', async ({ front }) => {
  assert.is((await echo(front, '{}', 'text/plain')).status, 415);
});

test('the raw bytes remain available after parsing, for signatures', async ({ front }) => {
  const { json } = await new Visitor(front.base).post('/api/twice', '{ "a" : 1 }', { headers });
  assert.equal(json, { parsed: { a: 1 }, raw: '{ "a" : 1 }' });
});

test('a client that disconnects midway is not a server error', async ({ front }) => {
  const cut = request(`${front.base}/api/echo`, {
    method: 'POST',
    headers: { ...headers, 'content-length': 100 },
  });
  cut.on('error', () => {});
  // What has not left the client would never reach the server.
  await new Promise((resolve) => cut.write('{"a":', resolve));
  cut.destroy();
  const read = () => front.logged.map((line) => JSON.parse(line));
  while (!read().some((line) => line.path === '/api/echo'))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const lines = read();
  assert.ok(lines.some((line) => line.path === '/api/echo' && line.cut === true));
  assert.equal(
    lines.filter((line) => line.level >= 50),
    [],
  );
});

test('a body whose client has disconnected before the read is refused immediately, not after a minute', async () => {
  const req = new IncomingMessage(new Socket());
  req.destroy();
  const said = await rawBody({ req } as Context).then(String, (error: Error) => error.message);
  assert.is(said, 'The client went away.');
});

test.run();
