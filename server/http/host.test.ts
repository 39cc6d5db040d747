import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpWorld } from '../testing/http-world.ts';
import { openHttpWorld } from '../testing/http-world.ts';

const test = suite<{ front: HttpWorld }>('the Host header');
test.before.each(async (world) => {
  world.front = await openHttpWorld({ config: { baseUrl: 'https://vault.test', trustProxy: [] } });
});
test.after.each(({ front }) => front.close());

async function ask(
  { base }: HttpWorld,
  host: string,
  path = '/sanctum/csrf-cookie',
  headers = {},
  method = 'GET',
) {
  const sent = request(base + path, { method, headers: { host, ...headers } }).end();
  const [got] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: got.statusCode, body: await text(got) };
}

test('the host of BASE_URL, IP addresses and private host names are accepted', async ({ front }) => {
  for (const host of [
    'vault.test',
    'VAULT.test:443',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.168.1.5:3000',
    'office-pc',
    'office-pc.local',
  ])
    assert.is((await ask(front, host)).status, 204, host);
});

test('a foreign host name is refused with the right address, and logged once', async ({ front }) => {
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await ask(front, 'evil.example');
    assert.is(status, 421);
    assert.match(body, /https:\/\/vault\.test/);
  }
  assert.is(front.logged.filter((line) => line.includes('BASE_URL')).length, 1);
  assert.is((await ask(front, 'evil.example', '/healthz')).status, 200, 'whoever watches over it may ask');
});

test('a host name passed on by a trusted proxy is accepted; requests from other addresses are checked', async () => {
  for (const [network, status] of [
    ['127.0.0.0/8', 204],
    ['10.0.0.0/8', 421],
  ] as const) {
    const front = await openHttpWorld({ config: { baseUrl: 'https://vault.test', trustProxy: [network] } });
    assert.is((await ask(front, 'documents.rao.example').finally(front.close)).status, status, network);
  }
});

test('an invalid Host header is refused', async ({ front }) => {
  const { status, body } = await ask(front, 'a@b');
  assert.is(status, 400);
  assert.match(body, /names no host/);
});

test('signing in at another address than BASE_URL is refused with the right address', async ({ front }) => {
  const headers = { origin: 'http://office-pc:3000' };
  const got = await ask(front, 'office-pc:3000', '/api/auth/login', headers, 'POST');
  assert.is(got.status, 421);
  assert.match(got.body, /Open https:\/\/vault\.test instead/);
  const evil = { origin: 'http://evil.example' };
  assert.is((await ask(front, 'vault.test', '/api/auth/login', evil, 'POST')).status, 419);
});

test.run();
