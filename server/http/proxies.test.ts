import { suite, test as plain } from 'uvu';
import * as assert from 'uvu/assert';
import { openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { Visitor } from '../testing/visitor.ts';
import { readProxies } from './proxies.ts';

plain('TRUST_PROXY accepts addresses, networks and a few keywords, and refuses anything else', () => {
  assert.equal(readProxies('127.0.0.1, 10.0.0.0/8 2001:db8::/32'), [
    '127.0.0.1/32',
    '10.0.0.0/8',
    '2001:db8::/32',
  ]);
  assert.equal(readProxies('Loopback'), ['127.0.0.0/8', '::1/128']);
  for (const bad of [
    'yes',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '1.2.3',
    '127.0.0.1, proxy.lan',
    ',',
  ]) {
    assert.is(readProxies(bad), undefined, bad);
  }
});

plain('TRUST_PROXY cannot cover all addresses, since any client could then forge its own', () => {
  assert.is(readProxies('0.0.0.0/0'), undefined);
  assert.is(readProxies('::/0'), undefined);
});

const test = suite<{ fronts: HttpWorld[] }>('behind proxies');
test.before.each((world) => {
  world.fronts = [];
});
test.after.each(async ({ fronts }) => {
  for (const front of fronts) await front.close();
});

async function open({ fronts }: { fronts: HttpWorld[] }, trustProxy: string[]) {
  const front = await openHttpWorld({ config: { baseUrl: 'http://vault.test', trustProxy } });
  fronts.push(front);
  return {
    front,
    async seenAs(forwarded: string): Promise<unknown> {
      const { headers } = await new Visitor(front.base).get('/healthz', {
        headers: { 'x-forwarded-for': forwarded },
      });
      for (;;) {
        const line = front.logged.find((text) => text.includes(headers.get('x-request-id') ?? ''));
        if (line) return (JSON.parse(line) as { ip: unknown }).ip;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

test('X-Forwarded-For is read from the right, through trusted proxies only', async (world) => {
  const { seenAs } = await open(world, ['127.0.0.1/32', '10.0.0.0/8']);
  assert.is(await seenAs('203.0.113.9'), '203.0.113.9');
  assert.is(await seenAs('1.1.1.1, 203.0.113.9'), '203.0.113.9', 'what the client wrote itself');
  assert.is(await seenAs('1.1.1.1, 203.0.113.9, 10.2.3.4'), '203.0.113.9', 'two proxies of ours');
  assert.is(await seenAs('10.9.9.9, 10.2.3.4'), '10.9.9.9', 'a person inside our own network');
  assert.is(await seenAs('203.0.113.9:50123'), '203.0.113.9');
  assert.is(await seenAs('[2001:db8::7]:443'), '2001:db8::7');
  assert.is(await seenAs('203.0.113.9, unknown, 10.2.3.4'), '10.2.3.4', 'what cannot be read ends the walk');
  assert.is(await seenAs('unknown'), '127.0.0.1');
});

test('forwarded headers of an untrusted connection are ignored', async (world) => {
  const { seenAs } = await open(world, ['10.0.0.0/8']);
  assert.is(await seenAs('203.0.113.9'), '127.0.0.1');
});

test('an untrusted proxy is logged once', async (world) => {
  const { front, seenAs } = await open(world, []);
  const warnings = () => front.logged.filter((line) => line.includes('X-Forwarded-For'));
  await new Visitor(front.base).get('/healthz');
  assert.is(warnings().length, 0);
  assert.is(await seenAs('203.0.113.9'), '127.0.0.1');
  await seenAs('203.0.113.10');
  assert.is(warnings().length, 1);
  assert.match(warnings()[0]!, /TRUST_PROXY=127\.0\.0\.1/);
});

test('X-Forwarded-Proto is only trusted from our own proxy', async (world) => {
  const believed = await open(world, ['127.0.0.0/8']);
  const doubted = await open(world, []);
  for (const [{ front }, status] of [
    [believed, 422],
    [doubted, 421],
  ] as const) {
    const visitor = await front.visitor();
    const host = new URL(front.base).host;
    const got = await visitor.post(
      '/api/auth/login',
      {},
      {
        headers: {
          origin: `https://${host}`,
          'x-forwarded-proto': 'http, https',
          'x-forwarded-for': '1.1.1.1',
        },
      },
    );
    assert.is(got.status, status);
  }
});

plain.run();
test.run();
