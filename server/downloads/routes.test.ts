import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { until } from '#server/testing/until.ts';
import { freshWorld } from '#server/testing/world.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';

interface Office extends World {
  bytes: ReturnType<typeof createMemoryBytes>;
  address: string;
  actor: Actor;
  /** Asks for a fresh link to an item. */
  link(id: number): Promise<string>;
}

const test = suite<Office>('GET /api/documents/:id/content');
test.before.each(async (office) => {
  const bytes = createMemoryBytes();
  Object.assign(
    office,
    await freshWorld({ blobs: createSealedBlobs(bytes, deriveMasterKey(randomBytes(32))) }),
  );
  const actor = await office.build.actor();
  const address = await office.serve();
  const link = async (id: number) => address + (await office.services.documents.downloadUrl(actor, id));
  Object.assign(office, { bytes, actor, address, link });
});
test.after.each((office) => office.close());

const body = async (response: Response) => Buffer.from(await response.arrayBuffer());
async function failed(url: string, status: number, code: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  assert.is(response.status, status, url);
  const json = (await response.json()) as { success: boolean; code: string; message: string };
  assert.is(json.success, false);
  assert.is(json.code, code);
  return json;
}
/** Flips one bit of the stored bytes of a file, `offset` bytes from the start. */
async function damage({ bytes, services, actor }: Office, id: number, offset: number) {
  const { blob_id } = await services.documents.openFile(actor, id);
  const reader = await bytes.open(blob_id);
  const one = Buffer.alloc(1);
  await reader.read(one, offset);
  one[0]! ^= 1;
  await bytes.overwrite(blob_id, offset, one);
}
const trail = (office: Office) => office.db('audit_events').where({ did: 'document.download' });

test('a file is downloaded unchanged, with its name, type, size and security headers', async (office) => {
  const content = randomBytes(400_000);
  const { id } = await office.build.file(office.actor, {
    name: 'आयकर "2026".pdf'.replaceAll('"', ''),
    content,
  });
  const response = await fetch(await office.link(id));
  assert.is(response.status, 200);
  assert.ok((await body(response)).equals(content));
  const header = (name: string) => response.headers.get(name);
  assert.is(header('content-length'), '400000');
  assert.is(header('content-type'), 'application/pdf');
  assert.match(header('content-disposition')!, /^attachment; filename=".*"; filename\*=utf-8''%E0%A4%86/i);
  assert.is(header('accept-ranges'), 'bytes');
  assert.match(header('etag')!, /^"[0-9a-f]{64}"$/);
  assert.is(header('x-content-type-options'), 'nosniff');
  assert.is(header('cross-origin-resource-policy'), 'same-origin');
  assert.match(header('content-security-policy')!, /^sandbox; default-src 'none'/);
  assert.match(header('cache-control')!, /private/);
});

test('only types that browsers can display without risk are sent inline, and never with scripts allowed', async (office) => {
  const shown = async (name: string) => {
    const { id } = await office.build.file(office.actor, { name, content: '<svg onload="alert(1)"/>' });
    const response = await fetch(`${await office.link(id)}&inline=1`);
    await response.text();
    const csp = response.headers.get('content-security-policy')!;
    assert.ok(
      csp.includes('sandbox;') && !csp.includes('allow-scripts') && !csp.includes('script-src'),
      name,
    );
    return [response.headers.get('content-disposition')!.split(';')[0], response.headers.get('content-type')];
  };
  assert.equal(await shown('a.png'), ['inline', 'image/png']);
  assert.equal(await shown('a.svg'), ['inline', 'image/svg+xml']);
  assert.equal(await shown('a.xml'), ['inline', 'text/plain; charset=utf-8']);
  assert.equal(await shown('a.csv'), ['inline', 'text/plain; charset=utf-8']);
  assert.equal(await shown('a.tif'), ['inline', 'image/tiff']);
  assert.equal(await shown('a.pdf'), ['attachment', 'application/pdf'], 'a PDF can hold scripts');
  assert.equal(await shown('a.html'), ['attachment', 'application/octet-stream']);
  assert.equal(await shown('a.htm'), ['attachment', 'application/octet-stream']);
  assert.equal(await shown('a.eml'), ['attachment', 'message/rfc822']);
  assert.equal(await shown('a.heic'), ['attachment', 'image/heic']);
  assert.equal(await shown('a.pfx'), ['attachment', 'application/octet-stream']);
  assert.equal(await shown('a.rtf'), ['attachment', 'application/rtf']);
  assert.equal(await shown('a.psd'), ['attachment', 'application/octet-stream']);
});

test('range requests return exactly the requested bytes, and one link serves many of them', async (office) => {
  const content = randomBytes(300_000);
  const { id } = await office.build.file(office.actor, { content });
  const url = await office.link(id);
  const asked: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 299_999],
    ['bytes=65535-65536', 65_535, 65_536],
    ['bytes=299999-', 299_999, 299_999],
    ['bytes=-5', 299_995, 299_999],
    ['bytes=-900000', 0, 299_999],
    ['bytes=100000-9999999', 100_000, 299_999],
  ];
  for (const [range, start, end] of asked) {
    const response = await fetch(url, { headers: { Range: range } });
    assert.is(response.status, 206, range);
    assert.is(response.headers.get('content-range'), `bytes ${start}-${end}/300000`);
    assert.ok((await body(response)).equals(content.subarray(start, end + 1)), range);
  }
  for (const ignored of ['bytes=5-2', 'bytes=a-b', 'items=0-5', 'bytes=0-1,5-6', 'bytes=-', 'bytes=']) {
    const response = await fetch(url, { headers: { Range: ignored } });
    assert.is(response.status, 200, ignored);
    assert.is((await body(response)).length, 300_000);
  }
  for (const beyond of ['bytes=300000-', 'bytes=999999-9999999', 'bytes=-0', 'bytes=99999999999999999999-']) {
    const response = await fetch(url, { headers: { Range: beyond } });
    assert.is(response.status, 416, beyond);
    assert.is(response.headers.get('content-range'), 'bytes */300000');
    assert.is(((await response.json()) as { code: string }).code, 'range_not_satisfiable');
  }
});

test('a download is resumed only if the file has not changed', async (office) => {
  const { id } = await office.build.file(office.actor, { content: '0123456789' });
  const url = await office.link(id);
  const etag = (await fetch(url)).headers.get('etag')!;
  const modified = (await fetch(url)).headers.get('last-modified')!;
  const ranged = async (ifRange: string) =>
    (await fetch(url, { headers: { Range: 'bytes=5-', 'If-Range': ifRange } })).status;
  assert.is(await ranged(etag), 206);
  assert.is(await ranged(modified), 206);
  assert.is(await ranged('"other"'), 200);
  assert.is(await ranged(`W/${etag}`), 200);
  assert.is(await ranged('Thu, 01 Jan 1970 00:00:00 GMT'), 200);
  assert.is((await fetch(url, { headers: { 'If-None-Match': etag } })).status, 304);
  assert.is((await fetch(url, { headers: { 'If-None-Match': '"other"' } })).status, 200);
});

test('HEAD returns the headers of GET without the content, and records no download', async (office) => {
  const { id } = await office.build.file(office.actor, { content: 'x'.repeat(5000) });
  const response = await fetch(await office.link(id), { method: 'HEAD' });
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-length'), '5000');
  assert.is((await body(response)).length, 0);
  assert.equal(await trail(office), [], 'nothing was sent, so nothing is on record');
});

test('an empty file is downloaded with length 0, and a range of it gives 416', async (office) => {
  const { id } = await office.build.file(office.actor, { content: '' });
  const response = await fetch(await office.link(id));
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-length'), '0');
  const ranged = await fetch(await office.link(id), { headers: { Range: 'bytes=0-' } });
  assert.is(ranged.status, 416);
});

test('a link opens only its own item, for five minutes and while the session lasts', async (office) => {
  const { id } = await office.build.file(office.actor);
  const other = await office.build.file(office.actor, { name: 'other.txt' });
  const url = await office.link(id);
  await failed(url.replace(`/${id}/`, `/${other.id}/`), 403, 'bad_link');
  const last = url.at(-2) === 'A' ? 'B' : 'A';
  await failed(url.slice(0, -2) + last + url.at(-1), 403, 'bad_link');
  await failed(url.replace(/token=.*/, 'token='), 403, 'bad_link');
  await failed(url.replace(/\?.*/, ''), 403, 'bad_link');
  await failed(`${url}&token=x`, 403, 'bad_link');
  for (const bad of ['0', '-1', 'abc', '1.5', '9'.repeat(30), '%00']) {
    await failed(url.replace(`/${id}/`, `/${bad}/`), 404, 'not_found');
  }
  office.advance(5 * 60_000 - 1);
  assert.is((await fetch(url)).status, 200);
  office.advance(1);
  await failed(url, 403, 'bad_link');
  const ended = await office.link(id);
  await office.db('sessions').delete();
  await failed(ended, 403, 'bad_link');
});

test('a link to a deleted item gives 404', async (office) => {
  const { id } = await office.build.file(office.actor);
  const url = await office.link(id);
  await office.services.documents.remove(office.actor, [id]);
  await failed(url, 404, 'not_found');
});

test('a download is recorded once, however many range requests it takes', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'film.mp4' });
  const url = await office.link(id);
  for (let n = 0; n < 3; n += 1) await (await fetch(url, { headers: { Range: `bytes=${n}-` } })).text();
  assert.is((await trail(office)).length, 1);
  office.advance(1000);
  await (await fetch(`${await office.link(id)}&inline=1`)).text();
  office.advance(1000);
  await (await fetch(await office.link(id))).text();
  const rows = await trail(office);
  assert.is(rows.length, 3);
  assert.is(rows[0].subject, `item:${id}`);
  assert.equal(JSON.parse(rows[1].detail), { name: 'film.mp4', inline: true, browser: 'A program' });
});

test('a file damaged at its start gives an error with its name instead of content', async (office) => {
  const { id } = await office.build.file(office.actor, { name: 'deed.txt', content: 'x'.repeat(1000) });
  await damage(office, id, 500);
  const url = await office.link(id);
  const { message } = await failed(url, 500, 'damaged');
  assert.match(message, /"deed.txt" is damaged/);
  await failed(url, 500, 'damaged', { headers: { Range: 'bytes=5-9' } });
  await office.blobs.delete((await office.services.documents.openFile(office.actor, id)).blob_id);
  await failed(url, 500, 'damaged');
});

test('a file damaged in the middle is sent only up to the damage, and then the connection is closed', async (office) => {
  const content = randomBytes(3_000_000);
  const { id } = await office.build.file(office.actor, { content });
  await damage(office, id, 2_000_000);
  const response = await fetch(await office.link(id));
  assert.is(response.status, 200);
  let got = Buffer.alloc(0);
  const outcome = await (async () => {
    for await (const chunk of response.body!) got = Buffer.concat([got, chunk]);
    return 'complete';
  })().catch(() => 'cut');
  assert.is(outcome, 'cut');
  assert.ok(got.length < 2_000_000 && got.equals(content.subarray(0, got.length)));
});

test('a folder is downloaded as a ZIP whose size is in the header', async (office) => {
  const { actor, build } = office;
  const top = await build.folder(actor, 'आयकर');
  const year = await build.folder(actor, '2026', top.id);
  await build.folder(actor, 'खाली', top.id);
  await build.file(actor, { name: 'विवरण.pdf', content: 'pdf', parent_id: year.id });
  const url = await office.link(top.id);
  const head = await fetch(url, { method: 'HEAD' });
  const response = await fetch(url);
  const archive = await body(response);
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'application/zip');
  assert.is(response.headers.get('content-length'), String(archive.length));
  assert.is(head.headers.get('content-length'), String(archive.length));
  assert.match(response.headers.get('content-disposition')!, /filename\*=utf-8''%E0%A4%86.*\.zip/i);
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
  const names: string[] = [];
  for await (const { fileName } of zip.eachEntry()) names.push(fileName);
  assert.equal(names.toSorted(), ['आयकर/', 'आयकर/2026/', 'आयकर/2026/विवरण.pdf', 'आयकर/खाली/'].toSorted());
});

test('an interrupted folder download is resumed, unless something in the folder has changed', async (office) => {
  const { actor, build, services } = office;
  const top = await build.folder(actor, 'Top');
  const inside = await build.folder(actor, 'Inside', top.id);
  for (const size of [0, 500_000, 70_000, 1]) {
    await build.file(actor, { name: `${size}.txt`, content: randomBytes(size), parent_id: inside.id });
  }
  const url = await office.link(top.id);
  const whole = await fetch(url, { headers: { Range: 'bytes=0-' } });
  const etag = whole.headers.get('etag')!;
  const archive = await body(whole);
  assert.is(whole.status, 206);
  let got = Buffer.alloc(0);
  while (got.length < archive.length) {
    const headers = { Range: `bytes=${got.length}-`, 'If-Range': etag };
    const response = await fetch(await office.link(top.id), { headers });
    assert.is(response.status, 206);
    // At most a third of the whole at once, so that it takes several attempts.
    let most = 1 + randomInt(Math.ceil(archive.length / 3));
    for await (const piece of response.body!) {
      got = Buffer.concat([got, piece.subarray(0, most)]);
      most -= piece.length;
      if (most <= 0) break;
    }
  }
  assert.ok(got.equals(archive));
  for (const change of [
    () => services.documents.rename(actor, inside.id, { name: 'Renamed' }),
    () => build.file(actor, { name: 'new.txt', content: 'new', parent_id: top.id }),
  ]) {
    await change();
    const headers = { Range: 'bytes=1000-', 'If-Range': etag };
    const anew = await fetch(await office.link(top.id), { headers });
    assert.is(anew.status, 200);
    assert.is.not(anew.headers.get('etag'), etag);
    await yauzl.fromBufferPromise(await body(anew), { lazyEntries: true });
  }
});

test('the end of a folder’s ZIP is sent without reading the files, if their checksums are stored', async (office) => {
  const { actor, build, blobs, db } = office;
  const top = await build.folder(actor, 'Top');
  for (const size of [0, 500_000, 70_000]) {
    await build.file(actor, { name: `${size}.txt`, content: randomBytes(size), parent_id: top.id });
  }
  let opened = 0;
  const { get } = blobs;
  blobs.get = async (id, range) => {
    opened += 1;
    return get(id, range);
  };
  const end = async (): Promise<[Buffer, number]> => {
    opened = 0;
    const response = await fetch(await office.link(top.id), { headers: { Range: 'bytes=-200' } });
    return [await body(response), opened];
  };
  const [directory, files] = await end();
  assert.is(files, 0, 'they are counted when the bytes are stored');
  await db('item_rows').update({ crc32: null });
  assert.equal(await end(), [directory, 2], 'what an older version stored is counted once');
  // They are noted after the response; the empty one needs no counting.
  await until(async () => (await db('item_rows').whereNotNull('crc32')).length === 2);
  assert.equal(await end(), [directory, 0]);
});

test('the download of a folder with a damaged file is cut, so that an incomplete ZIP is not taken for a complete one', async (office) => {
  const { actor, build } = office;
  const top = await build.folder(actor, 'Top');
  await build.file(actor, { name: 'a.txt', content: 'x'.repeat(200_000), parent_id: top.id });
  const bad = await build.file(actor, { name: 'b.txt', content: 'y'.repeat(200_000), parent_id: top.id });
  await build.file(actor, { name: 'c.txt', content: 'z'.repeat(200_000), parent_id: top.id });
  await damage(office, bad.id, 150_000);
  const outcome = await fetch(await office.link(top.id))
    .then((response) => response.arrayBuffer())
    .then(
      () => 'complete',
      () => 'cut',
    );
  assert.is(outcome, 'cut');
});

test('when a client disconnects, the stored files opened for it are closed', async (office) => {
  let open = 0;
  const { get } = office.blobs;
  office.blobs.get = async (id, range) => {
    const stream = await get(id, range);
    open += 1;
    return stream.once('close', () => {
      open -= 1;
      noneLeft();
    });
  };
  let noneLeft = () => {};
  const top = await office.build.folder(office.actor, 'Top');
  const file = await office.build.file(office.actor, {
    content: randomBytes(9_000_000),
    parent_id: top.id,
  });
  for (const id of [file.id, top.id]) {
    const { pathname, search, port } = new URL(await office.link(id));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    assert.is(open, 1);
    const closed = new Promise<void>((resolve) => (noneLeft = resolve));
    socket.destroy();
    await closed;
    assert.is(open, 0);
  }
});

test.run();
