import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HttpWorld } from '../testing/http-world.ts';
import { openHttpWorld } from '../testing/http-world.ts';
import { createPages } from './pages.ts';

const PAGE = ['<!doctype html><title>Clients</title>', `<p>${'Sharma Traders '.repeat(400)}</p>`];

/** Writes like Astro: the head first, the rest when it is ready. */
async function render(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/moved') return void res.writeHead(302, { location: '/login' }).end();
  res.writeHead(200, { 'content-type': req.url === '/feed' ? 'text/plain' : 'text/html; charset=utf-8' });
  for (const part of PAGE) {
    res.write(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (req.url === '/broken') res.write('Internal server error', () => res.destroy());
  else res.end();
}

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
/** Raw response: `fetch` would decompress it. */
const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asking.on('error', reject).end();
  });

const test = suite<{ front: HttpWorld }>('pages');
test.before.each(async (world) => {
  world.front = await openHttpWorld({ pages: createPages(render, async () => ({})) });
});
test.after.each(({ front }) => front.close());

const whole = PAGE.join('');

test('a page is compressed by the best accepted encoding, and complete', async ({ front }) => {
  const brotli = await get(front.base, { 'accept-encoding': 'gzip, deflate, br' });
  assert.is(brotli.headers['content-encoding'], 'br');
  assert.is(brotliDecompressSync(brotli.body).toString(), whole);
  const gzip = await get(front.base, { 'accept-encoding': 'gzip, br;q=0' });
  assert.is(gzip.headers['content-encoding'], 'gzip');
  assert.is(gunzipSync(gzip.body).toString(), whole);
  assert.ok(gzip.body.length < whole.length / 10);
});

test('without Accept-Encoding a page is not compressed, and Vary is set', async ({ front }) => {
  const { headers, body } = await get(front.base);
  assert.is(headers['content-encoding'], undefined);
  assert.match(headers.vary ?? '', 'Accept-Encoding');
  assert.is(body.toString(), whole);
});

test('other types and responses without a body are left alone', async ({ front }) => {
  const taking = { 'accept-encoding': 'br' };
  assert.is((await get(`${front.base}/feed`, taking)).body.toString(), whole);
  const moved = await get(`${front.base}/moved`, taking);
  assert.equal([moved.status, moved.headers.location], [302, '/login']);
  assert.is(moved.headers['content-encoding'], undefined);
});

test('the response of a page that fails during rendering is cut off instead of closed normally', async ({
  front,
}) => {
  let cut = false;
  await get(`${front.base}/broken`, { 'accept-encoding': 'br' }).catch(() => (cut = true));
  assert.ok(cut);
});

test('a page opened by another site in a signed-in browser is not compressed', async ({ front }) => {
  const asha = await front.asha();
  const ask = (site: string, more = {}) =>
    get(front.base, { 'accept-encoding': 'br', 'sec-fetch-site': site, ...more });
  const signedIn = { authorization: `Bearer ${asha.token}` };
  assert.is((await ask('cross-site', signedIn)).headers['content-encoding'], undefined);
  assert.is((await ask('same-site', signedIn)).headers['content-encoding'], undefined);
  assert.is((await ask('same-origin', signedIn)).headers['content-encoding'], 'br');
  assert.is((await ask('none', signedIn)).headers['content-encoding'], 'br');
  assert.is((await ask('cross-site')).headers['content-encoding'], 'br', 'the landing page is for everybody');
});

test.run();
