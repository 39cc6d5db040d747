import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { PORTAL_COOKIE } from '#server/portal/contract.ts';
import type { World } from '#server/testing/world.ts';
import { askClient } from './asked.ts';
import { enterDrive } from './drive.ts';
import { officeSuite } from './office.ts';
import { shareLink } from './share-link.ts';

const test = officeSuite('the size of pages');

const CLIENT = join(import.meta.dirname, '../../dist/client');
const MAX_BYTES = 100 * 1024;
/** Without the headers of the responses, which are 5 KB, and the hashes in the names of files, which are 1 KB. */
const FIRST_VIEW_BYTES = 199_000;
/** The hash in a file's name. It differs with each build, and with it how well a file is compressed: by 100 bytes for the same code. */
const HASH = /\.[\w-]{8}(?=\.(?:js|css)\b)/g;
/** A static import of what loads after the first view. */
const IMPORTED_LATE = /from\s*["']\.\/(?:toasts|prompts|removal)\.[^"']*/g;
/** Files of compressed formats, which are sent as they are. */
const COMPRESSED = /\.(?:woff2|png|jpg|webp)$/;

/** All that the page's HTML refers to, and what its scripts import before they run. */
function filesOf(html: string): Set<string> {
  const files = new Set<string>();
  const queue = Array.from(
    html.matchAll(/(?:href|src)="(\/(?:_astro\/)?[\w.-]+\.\w+)"/g),
    ([, path]) => path!,
  );
  while (queue.length > 0) {
    const path = queue.pop()!;
    if (files.has(path)) continue;
    files.add(path);
    if (!path.endsWith('.js')) continue;
    const script = readFileSync(join(CLIENT, path), 'utf8');
    for (const [, name] of script.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      queue.push(`/_astro/${name}`);
  }
  return files;
}

const bytesSent = (path: string): number => {
  const plain = readFileSync(join(CLIENT, path));
  return COMPRESSED.test(path) ? plain.length : gzipSync(plain).length;
};

/** Opens a client's page with a code. @returns the cookie of the browser that has done so. */
async function openPortal({ services, deliverMail }: World, url: string, email: string): Promise<string> {
  const cookie = randomBytes(32).toString('base64url');
  const token = url.slice(url.lastIndexOf('/') + 1);
  const visitor = { token, cookie, ip: '127.0.0.1', language: 'en' as const };
  await services.portal.visitors.requestCode(visitor, email);
  const code = (await deliverMail()).find(({ kind }) => kind === 'portal.code')!.subject.slice(0, 6);
  assert.ok(await services.portal.visitors.verifyCode(visitor, code));
  return `${PORTAL_COOKIE}=${cookie}`;
}

test('a page for people outside is at most 100 KB over the wire, since a phone on a slow network opens it', async (office) => {
  const { world, asha, url } = office;
  const { services, build } = world;
  const rows = Array.from({ length: 10 }, (_, index) => `Bank statement ${index}`);
  const { id, client: client_id } = await askClient(office, rows);
  const request = await services.requests.office.link(asha.actor, id);
  const drop = await services.drops.make(asha.actor, { client_id });
  const file = await build.file(asha.actor, { name: 'a.pdf' });
  const share = await shareLink(office, [file.id]);
  const portal = await services.portal.office.make(asha.actor, { client_id, emails: ['meera@iyer.in'] });
  const cookie = await openPortal(world, portal.url, 'meera@iyer.in');
  for (const page of [request.url, drop.url, share.url, portal.url]) {
    const { pathname } = new URL(page);
    const response = await fetch(url + pathname, { headers: { cookie } });
    assert.is(response.status, 200, pathname.slice(0, 3));
    const html = await response.text();
    const files = [...filesOf(html)];
    assert.ok(files.some((path) => path.endsWith('.css')));
    const weights = files.map((path) => [path, bytesSent(path)] as const);
    const total = weights.reduce((sum, [, bytes]) => sum + bytes, gzipSync(html).length);
    assert.ok(total <= MAX_BYTES, `${pathname.slice(0, 3)}: ${total} bytes, of them ${weights.join(' ')}`);
  }
});

test('the first view of a drive takes at most 15 scripts and 200 KB, none of them only for other screens, since a slow line carries all of it', async (office) => {
  const { page } = office;
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(new URL(response.url()).pathname);
  });
  // What a page must have when the server cannot be reached follows a while later.
  const late = ['toasts', 'prompts', 'removal'].map((name) =>
    page.waitForResponse((response) => response.url().includes(`/_astro/${name}.`)),
  );
  await enterDrive(office);
  await Promise.all(late);
  await page.waitForNetworkIdle({ idleTime: 300, concurrency: 1 });
  const first = [...scripts].filter((path) => !/\/(?:toasts|prompts|removal)\./.test(path));
  assert.ok(first.length <= 15, first.join(' '));
  assert.not.ok(
    first.some((path) => path.includes('/lists.')),
    first.join(' '),
  );
  const sources = first.map((path) => readFileSync(join(CLIENT, path), 'utf8'));
  const imports = sources.flatMap((source) => source.match(IMPORTED_LATE) ?? []);
  assert.equal(imports, []);
  const sizes = sources.map((source) => brotliCompressSync(source.replaceAll(HASH, '')).length);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(total <= FIRST_VIEW_BYTES, `${total} bytes`);
});

test.run();
