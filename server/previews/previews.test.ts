import { buffer } from 'node:stream/consumers';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import { LOWEST_PRIORITY } from '#server/sandbox/sandbox.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { createPreviews } from './service.ts';
import { heic } from './testing/heic.ts';

interface Office extends World {
  base: string;
  actor: Actor;
  token: string;
  see(id: number, what?: string, headers?: Record<string, string>): Promise<Response>;
}

const test = suite<Office>('pictures of files');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ trashDays: 0 }));
  const base = await office.serve();
  const { actor, token } = await office.build.account();
  const see = (id: number, what = 'thumbnail', headers: Record<string, string> = {}) =>
    fetch(`${base}/api/documents/${id}/${what}`, { headers: { ...bearer(token), ...headers } });
  Object.assign(office, { base, actor, token, see });
});
test.after.each(async (office) => {
  await office.services.previews.stop();
  await office.close();
});

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2563eb' } });
const body = async (response: Response) => Buffer.from(await response.arrayBuffer());
const stored = async ({ blobs }: Office) => {
  const ids: string[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  return ids;
};

/** One page of 200 by 100 points, half of it blue. */
function pdf(): Buffer {
  const content = '0 0 1 rg 0 0 100 100 re f';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  return Buffer.from(
    `%PDF-1.4\n${objects.map((one, n) => `${n + 1} 0 obj\n${one}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF`,
  );
}

/** A PNG of a few hundred bytes that claims to be 60,000 pixels wide and high. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(60_000, 0);
  head.writeUInt32BE(60_000, 4);
  head.set([1, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** The same photo, claiming to be 65,535 pixels wide and high. */
function vast(): Buffer {
  const bytes = heic();
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 1)) {
    bytes.writeUInt32BE(65_535, at + 8);
    bytes.writeUInt32BE(65_535, at + 12);
  }
  return bytes;
}

test('a photograph gets a small upright thumbnail without metadata', async (office) => {
  const content = await blank(1200, 800)
    .withExif({ IFD0: { Artist: 'Client of Rao' }, IFD3: { GPSLatitude: '12/1 58/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  assert.ok(content.includes('Client of Rao'));
  const { id } = await office.build.file(office.actor, { name: 'site.jpg', content });
  const response = await office.see(id);
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'image/webp');
  assert.is(response.headers.get('cache-control'), 'private, no-cache');
  assert.is(response.headers.get('x-content-type-options'), 'nosniff');
  const picture = await body(response);
  assert.not(picture.includes('Client of Rao'));
  const { width, height, exif, format } = await sharp(picture).metadata();
  assert.equal({ width, height, exif, format }, { width: 267, height: 400, exif: undefined, format: 'webp' });
});

test('a document shows its first page', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'a.pdf', content: pdf() });
  const picture = await body(await office.see(id));
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  assert.is(info.width, 400);
  assert.is(info.height, 200);
  const at = (x: number) => Array.from(data.subarray((100 * info.width + x) * info.channels).subarray(0, 3));
  assert.ok(at(50)[2]! > 200 && at(50)[0]! < 60, 'blue on the left');
  assert.ok(
    at(350).every((value) => value > 240),
    'white on the right',
  );
});

test('every picture format is read, also those that browsers do not show', async (office) => {
  const bmp = Buffer.alloc(54 + 16);
  bmp.write('BM');
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(2, 18);
  bmp.writeInt32LE(2, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  const files = {
    'a.png': await blank(50, 50).png().toBuffer(),
    'a.gif': await blank(50, 50).gif().toBuffer(),
    'a.webp': await blank(50, 50).webp().toBuffer(),
    'a.tif': await blank(49, 50).tiff().toBuffer(),
    'a.heic': heic(),
    'a.heif': await blank(50, 50).heif({ compression: 'av1' }).toBuffer(),
    'photo.heic': await blank(48, 50).jpeg().toBuffer(),
    'a.tiff': await blank(50, 50).tiff().toBuffer(),
    'a.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    ),
    'a.bmp': bmp,
  };
  for (const [name, content] of Object.entries(files)) {
    const { id } = await office.build.file(office.actor, { name, content });
    assert.is((await office.see(id)).status, 200, name);
  }
});

test('a thumbnail is made once for all copies, stored encrypted, and deleted with the last copy', async (office) => {
  const content = await blank(300, 300).png().toBuffer();
  const first = await office.build.file(office.actor, { name: 'a.png', content });
  const copy = await office.build.file(office.actor, { name: 'b.png', content });
  const answers = await Promise.all([first, copy, first, copy].map(({ id }) => office.see(id)));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.is((await stored(office)).length, 3, 'two files, one picture');
  assert.equal((await office.services.sweeper.orphans(-60_000)).ids, []);
  await office.services.documents.remove(office.actor, [first.id]);
  await office.services.sweeper.drain();
  assert.is((await office.see(copy.id)).status, 200);
  assert.is((await office.see(first.id)).status, 404);
  await office.services.documents.remove(office.actor, [copy.id]);
  await office.services.sweeper.drain();
  assert.equal(await stored(office), []);
  assert.is((await office.db('renditions').count({ n: '*' }).first())!.n, 0);
});

test('a cached thumbnail is revalidated at each use, so that it is not shown after signing out', async (office) => {
  const content = await blank(9, 9).png().toBuffer();
  const { id } = await office.build.file(office.actor, { name: 'a.png', content });
  const { id: bare } = await office.build.file(office.actor, { name: 'a.txt' });
  const kept = await office.see(id);
  const held = { 'if-none-match': kept.headers.get('etag')! };
  for (const answer of [kept, await office.see(id, 'thumbnail', held), await office.see(bare)])
    assert.is(answer.headers.get('cache-control'), 'private, no-cache', String(answer.status));
  await office.services.auth.signOutAll(office.actor);
  assert.is((await office.see(id, 'thumbnail', held)).status, 401);
});

test('a thumbnail that the browser has cached is answered with 304', async (office) => {
  const { id } = await office.build.file(office.actor, {
    name: 'a.png',
    content: await blank(9, 9).png().toBuffer(),
  });
  const etag = (await office.see(id)).headers.get('etag')!;
  const again = await office.see(id, 'thumbnail', { 'if-none-match': etag });
  assert.is(again.status, 304);
  const head = await fetch(`${office.base}/api/documents/${id}/thumbnail`, {
    method: 'HEAD',
    headers: bearer(office.token),
  });
  assert.is(head.status, 200);
});

test('a file of which no picture can be made is answered with 204, and later files have pictures', async (office) => {
  const files: Record<string, Buffer | string> = {
    'bomb.png': bomb(),
    'torn.jpg': (await blank(900, 900).jpeg().toBuffer()).subarray(0, 300),
    'not.pdf': 'this is no PDF',
    'note.txt': 'text',
    'torn.heic': heic().subarray(0, 500),
    'vast.heic': vast(),
    'empty.png': '',
    'entity.svg': '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
  };
  for (const [name, content] of Object.entries(files)) {
    const { id } = await office.build.file(office.actor, { name, content });
    for (let n = 0; n < 2; n += 1) assert.is((await office.see(id)).status, 204, name);
  }
  const { id } = await office.build.file(office.actor, {
    name: 'good.png',
    content: await blank(9, 9).png().toBuffer(),
  });
  assert.is((await office.see(id)).status, 200);
});

test('a picture that takes too much time or memory is given up, and the next one is made', async (office) => {
  const { services, blobs, actor, build } = office;
  const { documents, records, audit, jobs, auth, daily } = services;
  const parts = { documents, records, blobs, jobs, audit, clock: office.now, daily, viewer: auth.viewer };
  const log = { info: () => {} };
  const slow = await build.file(actor, { name: 'slow.png', content: await blank(9, 9).png().toBuffer() });
  for (const limits of [{ milliseconds: 1, nice: LOWEST_PRIORITY }, { bytes: 1 }]) {
    const previews = createPreviews({ ...parts, log, limits });
    assert.is(await previews.thumbnail(actor, slow.id), null);
    await previews.stop();
    await office.db('renditions').delete();
  }
  assert.is((await office.see(slow.id)).status, 200);
});

test('a picture interrupted by a stop of the server is made after the next start, not recorded as impossible', async (office) => {
  const { jobs } = office.services;
  const content = await blank(2000, 2000).png().toBuffer();
  const { id } = await office.build.file(office.actor, { name: 'a.png', content });
  const asked = new Promise<void>((resolve) => {
    office.db.on(
      'query-response',
      (_rows, { sql }: { sql: string }) => sql.includes('renditions') && resolve(),
    );
  });
  const cut = office.see(id);
  await asked;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await jobs.stop();
  assert.is((await cut).status >= 500, true);
  assert.equal(await office.db('renditions'), []);
  await jobs.start();
  assert.is((await office.see(id)).status, 200);
});

test('a scan of many pages is shown page by page', async (office) => {
  const pages = await Promise.all(
    [1, 2, 3].map((n) =>
      blank(100 * n, 100)
        .png()
        .toBuffer(),
    ),
  );
  const content = await sharp(pages, { join: { animated: true } })
    .tiff()
    .toBuffer();
  const { id } = await office.build.file(office.actor, { name: 'scan.tiff', content });
  const { data } = (await (await office.see(id, 'pages')).json()) as { data: { pages: number } };
  assert.is(data.pages, 3);
  const page = await office.see(id, 'pages/3');
  assert.is(page.status, 200);
  assert.is(page.headers.get('cache-control'), 'private, no-store', 'it can be read, so no cache keeps it');
  for (const beyond of ['pages/4', 'pages/0', 'pages/x'])
    assert.is((await office.see(id, beyond)).status, 404);
  const other = await office.build.file(office.actor, { name: 'a.txt' });
  assert.is((await office.see(other.id, 'pages')).status, 404);
  const rows = await office.db('audit_events').where({ did: 'document.download' });
  assert.is(rows.length, 1, 'looking at it is on record');
});

test('a HEIC photo of a phone is shown with the right colours', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'IMG_0042.HEIC', content: heic() });
  const { data } = (await (await office.see(id, 'pages')).json()) as { data: { pages: number } };
  assert.is(data.pages, 1);
  const picture = await sharp(await body(await office.see(id, 'pages/1')))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.equal([picture.info.width, picture.info.height], [96, 64]);
  const at = (x: number) => Array.from(picture.data.subarray((32 * 96 + x) * 3).subarray(0, 3));
  assert.ok(
    at(20).every((value) => value > 240),
    'white on the left',
  );
  assert.ok(at(70)[2]! > 200 && at(70)[0]! < 80, 'blue on the right');
});

test('pictures of another firm give 404, and requests without a session give 401', async (office) => {
  const { id } = await office.build.file(office.actor, {
    name: 'a.png',
    content: await blank(9, 9).png().toBuffer(),
  });
  const stranger = await office.build.account();
  for (const what of ['thumbnail', 'pages', 'pages/1']) {
    assert.is((await office.see(id, what, bearer(stranger.token))).status, 404);
    assert.is((await fetch(`${office.base}/api/documents/${id}/${what}`)).status, 401);
  }
  const browser = await new Visitor(office.base).arrive();
  const account = await office.build.account();
  await browser.post('/api/auth/login', { email: account.email, password: account.password });
  const own = await office.build.file(account.actor, {
    name: 'b.png',
    content: await blank(9, 9).png().toBuffer(),
  });
  assert.is(
    (await browser.get(`/api/documents/${own.id}/thumbnail`)).status,
    200,
    'the cookie is enough for a picture',
  );
});

test('a picture whose blob is missing, as after a restore, is made again', async (office) => {
  const { id } = await office.build.file(office.actor, {
    name: 'a.png',
    content: await blank(9, 9).png().toBuffer(),
  });
  await office.see(id);
  const { blob_id } = await office.db('renditions').first();
  await office.blobs.delete(blob_id);
  const response = await office.see(id);
  assert.is(response.status, 200);
  assert.is((await sharp(await body(response)).metadata()).format, 'webp');
  const file = await office.services.documents.openFile(office.actor, id);
  assert.ok((await buffer(await office.blobs.get(file.blob_id))).length > 0);
});

test.run();
