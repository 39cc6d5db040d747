import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, Visitor } from '../testing/visitor.ts';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';

const test = suite<{ front: HttpWorld }>('request log');
test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

async function lineOf(front: HttpWorld, part: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = front.logged.find((text) => text.includes(part));
    if (line) return JSON.parse(line) as Record<string, unknown>;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a line contains user, request and outcome', async ({ front }) => {
  const asha = await front.asha();
  const { headers } = await asha.get('/api/auth/user');
  const line = await lineOf(front, headers.get('x-request-id') ?? '');
  assert.is(line.method, 'GET');
  assert.is(line.path, '/api/auth/user');
  assert.is(line.status, 200);
  assert.is(line.user_id, 1);
  assert.is(line.ip, '127.0.0.1');
  assert.type(line.ms, 'number');
});

test('no password, token, cookie or query is logged', async ({ front }) => {
  const asha = await front.asha();
  const secrets = [ASHA.password, asha.token, ...asha.jar.values()];
  await asha.post('/api/auth/login', { email: ASHA.email, password: 'wrong password' });
  await asha.get('/reset-password?token=tell-nobody', { headers: bearer(asha.token) });
  const link = 'QmFzZTY0dXJsVG9rZW5PZk1hbnlCaXRz';
  const { headers } = await asha.get(`/api/documents/download/${link}/a.pdf`);
  const line = await lineOf(front, headers.get('x-request-id') ?? '');
  assert.is(line.path, '/api/documents/download/[hidden]/a.pdf');
  for (const token of [link, 'short-guess']) {
    const shared = await asha.get(`/s/${token}/files/1`);
    const { path } = await lineOf(front, shared.headers.get('x-request-id') ?? '');
    assert.is(path, '/s/[hidden]/files/1', 'of a shared link, whatever its token looks like');
    const dropped = await asha.get(`/d/${token}`);
    const line = await lineOf(front, dropped.headers.get('x-request-id') ?? '');
    assert.is(line.path, '/d/[hidden]', 'of a drop link as well');
  }
  const all = front.logged.join('');
  for (const secret of [...secrets, 'wrong password', 'tell-nobody', link, 'short-guess']) {
    assert.not.ok(all.includes(secret), secret);
  }
});

test('no name of a client or file is logged, however a drive program writes the address', async ({
  front,
}) => {
  const { port } = new URL(front.base);
  for (const [method, path] of [
    ['GET', '/dav/Telltale/a.pdf'],
    ['GET', '/DAV/Telltale/a.pdf'],
    ['PUT', '//dav/Telltale/a.pdf'],
    ['GET', '/%64av/Telltale/a.pdf'],
    ['GET', '/%2564av%2FTelltale'],
    ['GET', '/x/../dav/Telltale'],
    ['PROPFIND', '/Telltale'],
  ]) {
    // Not by fetch, which would change the address.
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      request({ port, method, path }, resolve).on('error', reject).end(),
    );
    answer.resume();
    const { path: logged } = await lineOf(front, String(answer.headers['x-request-id']));
    assert.match(String(logged), /dav\/\[hidden\]$/i, path);
  }
  assert.not.match(front.logged.join(''), /telltale/i);
});

test('without a trusted proxy a forwarded address is ignored', async ({ front }) => {
  const { headers } = await new Visitor(front.base).get('/api/auth/user', {
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  assert.is((await lineOf(front, headers.get('x-request-id') ?? '')).ip, '127.0.0.1');
});

test('behind a trusted proxy the logged address is the last forwarded one, which the proxy has added', async () => {
  const front = await openHttpWorld({
    config: { baseUrl: 'http://vault.test', trustProxy: ['127.0.0.1/32'] },
  });
  const { headers } = await new Visitor(front.base).get('/api/auth/user', {
    headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' },
  });
  assert.is((await lineOf(front, headers.get('x-request-id') ?? '')).ip, '198.51.100.7');
  await front.close();
});

test.run();
