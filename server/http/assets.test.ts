import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAssets } from './assets.ts';
import { securityHeaders } from './headers.ts';

interface World {
  folder: string;
  server: Server;
  url: string;
}

const test = suite<World>('assets');

test.before.each(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'assets-'));
  await mkdir(join(world.folder, '_astro'));
  await writeFile(join(world.folder, '_astro/app.abc123.js'), 'plain');
  await writeFile(join(world.folder, '_astro/app.abc123.js.br'), 'small');
  await writeFile(join(world.folder, 'robots.txt'), 'User-agent: *');
  await writeFile(join(world.folder, '.secret'), 'no');
  const app = new Koa();
  app.use(securityHeaders(true));
  app.use(createAssets(world.folder));
  app.use((ctx) => {
    ctx.body = 'page';
  });
  world.server = app.listen(0);
  world.url = `http://127.0.0.1:${(world.server.address() as AddressInfo).port}`;
});
test.after.each(async (world) => {
  world.server.close();
  await rm(world.folder, { recursive: true });
});

test('a file with a hash in its name is cached for a year as immutable, since its name changes with its content', async ({
  url,
}) => {
  const answer = await fetch(`${url}/_astro/app.abc123.js`, { headers: { 'Accept-Encoding': 'identity' } });
  assert.is(answer.status, 200);
  assert.is(await answer.text(), 'plain');
  assert.is(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
});

test('a browser that accepts brotli gets the precompressed file', async ({ url }) => {
  const answer = await fetch(`${url}/_astro/app.abc123.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'br' },
  });
  assert.is(answer.headers.get('content-encoding'), 'br');
  assert.is(answer.headers.get('vary'), 'Accept-Encoding');
});

test('a script is sent without the security headers of pages, which browsers ignore there and which cost bandwidth', async ({
  url,
}) => {
  const script = await fetch(`${url}/_astro/app.abc123.js`);
  assert.is(script.headers.get('content-security-policy'), null);
  assert.is(script.headers.get('permissions-policy'), null);
  assert.is(script.headers.get('x-request-id'), null);
  assert.is(script.headers.get('x-content-type-options'), 'nosniff');
  assert.is(script.headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.is(script.headers.get('strict-transport-security'), 'max-age=31536000');
  const page = await fetch(`${url}/drive`);
  assert.match(page.headers.get('content-security-policy')!, /frame-ancestors/);
  assert.ok(page.headers.get('permissions-policy'));
});

test('unknown and forbidden paths are passed on to the pages', async ({ url }) => {
  for (const path of ['/nothing.js', '/.secret', '/../package.json', '/%2e%2e/package.json']) {
    assert.is(await (await fetch(url + path)).text(), 'page', path);
  }
  assert.is(await (await fetch(`${url}/robots.txt`, { method: 'POST' })).text(), 'page');
});

test('an unchanged file is not sent again', async ({ url }) => {
  const first = await fetch(`${url}/robots.txt`);
  await first.text();
  const again = await fetch(`${url}/robots.txt`, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  });
  assert.is(again.status, 304);
});

test('a file deleted since the start cuts its response, but does not crash the server', async ({
  folder,
  url,
}) => {
  await rm(join(folder, 'robots.txt'));
  const gone = await fetch(`${url}/robots.txt`)
    .then((answer) => answer.text())
    .catch(() => 'cut');
  assert.is(gone, 'cut');
  assert.is((await fetch(`${url}/_astro/app.abc123.js`)).status, 200);
});

test.run();
