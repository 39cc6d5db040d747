import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONTENT_TYPE, filePart, multipart } from '../testing/multipart.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import type { TestResponse } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { EntryView } from './contract.ts';
import type { Forged } from './read/testing/forge.ts';
import { forge } from './read/testing/forge.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';

interface Desk extends World {
  get(path: string): Promise<TestResponse>;
  call(method: string, path: string, body?: unknown): Promise<TestResponse>;
  upload(name: string, content: Buffer, fields?: Record<string, string>): Promise<TestResponse>;
  base: string;
}

const test = suite<Desk>('calls on archives');
test.before.each(async (desk) => {
  const world = await freshWorld();
  await world.services.jobs.start();
  const base = await world.serve();
  const { token } = await world.build.account();
  const visitor = new Visitor(base);
  const call = (method: string, path: string, body?: unknown) =>
    visitor.call(method, path, { headers: bearer(token), ...(body !== undefined && { body }) });
  Object.assign(desk, world, {
    base,
    call,
    get: (path: string) => call('GET', path),
    upload(name: string, content: Buffer, fields: Record<string, string> = {}) {
      const texts = Object.entries(fields).map(([name, body]) => ({ name, body }));
      const body = multipart([...texts, filePart(name, content)]);
      const headers = { ...bearer(token), 'content-type': CONTENT_TYPE };
      return visitor.call('POST', '/api/documents/upload', { headers, body });
    },
  });
});
test.after.each((desk) => desk.close());

const returns: Forged[] = [
  { name: 'GST/2026/return 10.pdf', data: 'ten' },
  { name: 'GST/2026/return 9.pdf', data: 'nine' },
  { name: 'GST/notes.txt', data: 'n'.repeat(2000) },
  { name: 'empty/', method: 0 },
  { name: 'setup.exe', data: 'MZ' },
  { name: 'locked.pdf', data: 'x', password: 'p' },
];

test('starting an extraction answers with its id at the top level and in the data, and the status has the rest', async ({
  upload,
  call,
  get,
  services,
}) => {
  const { id } = (await upload('GSTR-3B.zip', forge(returns.slice(0, 5)))).json.data;
  const started = await call('POST', `/api/documents/${id}/extract`);
  assert.is(started.status, 202);
  const { extraction_id, data, success, message } = started.json;
  assert.equal([success, message, data.extraction_id], [true, 'ZIP extraction started', extraction_id]);
  assert.is((await get('/api/documents/extraction-status')).json.data[0].id, extraction_id);
  await services.jobs.idle();
  const end = (await get(`/api/documents/extraction-status/${extraction_id}`)).json.data;
  assert.equal([end.status, end.progress], ['completed', 100]);
  assert.is(end.message, 'Extracted 3 files into "GSTR-3B". 1 skipped.');
  assert.equal((await get('/api/documents/extraction-status')).json.data, []);
  const listing = (await get(`/api/documents?parent_id=${end.folder_id}`)).json.data;
  assert.equal(
    listing.items.map((item: { name: string }) => item.name),
    ['empty', 'GST'],
  );
  assert.is((await call('DELETE', `/api/documents/extraction-status/${extraction_id}`)).status, 409);
});

test('an upload with extract_zip becomes a folder, and stays a ZIP when it cannot', async ({
  upload,
  get,
  services,
}) => {
  const good = await upload('Returns.zip', forge(returns.slice(0, 3)), { extract_zip: '1' });
  assert.equal([good.status, good.json.message], [201, 'Returns.zip uploaded, unpacking it']);
  assert.is(good.json.data.extraction_id, good.json.extraction_id);
  const bad = await upload('Locked.zip', forge(returns), { extract_zip: '1' });
  await services.jobs.idle();
  const end = (await get(`/api/documents/extraction-status/${bad.json.extraction_id}`)).json.data;
  assert.equal([end.status, end.code], ['failed', 'password_needed']);
  assert.match(
    end.message,
    /^This ZIP is password protected\. Enter its password, or .* The ZIP file was kept\.$/,
  );
  const names = (await get('/api/documents')).json.data.items.map((item: { name: string }) => item.name);
  assert.equal(names, ['Returns', 'Locked.zip']);
});

test('an archive is listed folder by folder, in the order of other lists, with totals', async ({
  upload,
  get,
}) => {
  const { id } = (await upload('a.zip', forge(returns))).json.data;
  const top = (await get(`/api/documents/${id}/entries`)).json.data;
  assert.equal([top.files, top.folders, top.encrypted, top.total], [4, 3, true, 3]);
  assert.equal(top.skipped, [{ path: 'setup.exe', reason: 'File type "exe" is not supported' }]);
  const lines = (entries: EntryView[]) =>
    entries.map(({ path, type, size, files }) => [path, type, size, files]);
  assert.equal(lines(top.entries), [
    ['empty', 'folder', 0, 0],
    ['GST', 'folder', 2007, 3],
    ['locked.pdf', 'file', 1, null],
  ]);
  const below = (await get(`/api/documents/${id}/entries?path=GST%2F2026&limit=1`)).json.data;
  assert.equal([below.total, lines(below.entries)], [2, [['GST/2026/return 9.pdf', 'file', 4, null]]]);
  const next = (await get(`/api/documents/${id}/entries?path=GST%2F2026&limit=1&offset=1`)).json.data;
  assert.is(next.entries[0].name, 'return 10.pdf');
  assert.is(next.entries[0].modified, '2025-04-19T12:00:00');
  const found = (await get(`/api/documents/${id}/entries?search=RETURN&limit=1&offset=1`)).json.data;
  assert.equal([found.total, found.entries[0].path], [2, 'GST/2026/return 10.pdf']);
  assert.is((await get(`/api/documents/${id}/entries?path=nowhere`)).status, 404);
  assert.is((await get(`/api/documents/${id}/entries?limit=x`)).status, 422);
  const other = (await upload('b.zip', Buffer.from('no archive'))).json.data;
  const refused = await get(`/api/documents/${other.id}/entries`);
  assert.equal([refused.status, refused.json.code], [422, 'damaged']);
});

test('one file of an archive is downloaded by a link of its own', async ({ upload, call, base }) => {
  const { id } = (await upload('a.zip', forge(returns))).json.data;
  const ask = (path: string) => call('POST', `/api/documents/${id}/entry-token`, { path });
  const got = await fetch(base + (await ask('GST/2026/return 9.pdf')).json.download_url);
  assert.equal([got.status, await got.text(), got.headers.get('content-length')], [200, 'nine', '4']);
  assert.match(got.headers.get('content-disposition')!, /^attachment; filename="return 9\.pdf"/);
  assert.match(got.headers.get('content-security-policy')!, /^sandbox/);
  assert.is((await ask('GST')).status, 404);
});

test('a download of one entry is recorded once, when it is sent, and needs its link', async (desk) => {
  const { upload, call, base, blobs, db } = desk;
  const { id } = (await upload('a.zip', forge(returns))).json.data;
  const { download_url } = (await call('POST', `/api/documents/${id}/entry-token`, { path: 'GST/notes.txt' }))
    .json;
  let open = 0;
  const { get } = blobs;
  blobs.get = async (blob, range) => {
    open += 1;
    return (await get(blob, range)).once('close', () => (open -= 1));
  };
  const trail = () => db('audit_events').where({ did: 'document.download' });

  const head = await fetch(base + download_url, { method: 'HEAD' });
  assert.equal([head.status, head.headers.get('content-length')], [200, '2000']);
  assert.equal([await trail(), open], [[], 0]);

  const allow = await refuseWrites(db, 'audit_events', 'INSERT');
  for (let n = 0; n < 2; n += 1) assert.is((await fetch(base + download_url)).status, 500, 'off the record');
  assert.is(open, 0);
  await allow();

  for (let n = 0; n < 2; n += 1) assert.is((await (await fetch(base + download_url)).text()).length, 2000);
  assert.is((await trail()).length, 1);
});

test('an encrypted entry is downloaded with its password, which appears in no URL', async (desk) => {
  const { upload, call, base, db } = desk;
  const data = 'Form 16 '.repeat(100_000);
  for (const encryption of ['zipcrypto', 'ae2'] as const) {
    const archive = forge([{ name: 'locked.pdf', data, password: 'ABCPS1234K', encryption }]);
    const { id } = (await upload('a.zip', archive)).json.data;
    const ask = (body: unknown) => call('POST', `/api/documents/${id}/entry-token`, body);
    assert.is((await ask({ path: 'locked.pdf' })).json.code, 'password_needed');
    assert.is((await ask({ path: 'locked.pdf', password: 'guess' })).json.code, 'wrong_password');
    assert.is((await ask({ path: 'other.pdf', password: 'ABCPS1234K' })).status, 404);
    assert.is((await ask({ password: 'ABCPS1234K' })).status, 422);
    const { status, json } = await ask({ path: 'locked.pdf', password: 'ABCPS1234K' });
    assert.is(status, 200);
    assert.not.match(json.download_url, /ABCPS/);
    const got = await fetch(base + json.download_url);
    assert.match(got.headers.get('content-disposition')!, /filename="?locked\.pdf/);
    assert.is(await got.text(), data);
  }
  assert.is((await fetch(`${base}/api/documents/entry?token=guess`)).status, 403);
  assert.is((await db('audit_events').where({ did: 'document.download' })).length, 2);
});

test('the download of an entry that differs from what the archive states never completes, so that nobody trusts it', async ({
  upload,
  call,
  base,
}) => {
  for (const data of ['short', 'long '.repeat(200_000)]) {
    const { id } = (await upload('a.zip', forge([{ name: 'a.txt', data, crc: 1 }]))).json.data;
    const { status, json } = await call('POST', `/api/documents/${id}/entry-token`, { path: 'a.txt' });
    if (status === 422) continue;
    const url = base + json.download_url;
    const outcome = await fetch(url)
      .then((response) => response.text())
      .then(
        (text) => (text === data ? 'whole' : 'an error'),
        () => 'cut',
      );
    assert.is.not(outcome, 'whole');
  }
});

test('a wrong body is refused, and no archive is started', async ({ upload, call, get }) => {
  const { id } = (await upload('a.zip', forge(returns))).json.data;
  for (const body of [
    { entries: [] },
    { entries: 'GST' },
    { password: 7 },
    { entries: ['x'.repeat(40_000)] },
  ]) {
    assert.is(
      (await call('POST', `/api/documents/${id}/extract`, body)).status,
      422,
      JSON.stringify(body).slice(0, 50),
    );
  }
  assert.is((await call('POST', '/api/documents/0/extract')).status, 404);
  assert.is((await get('/api/documents/extraction-status/17')).status, 404);
  assert.equal((await get('/api/documents/extraction-status')).json.data, []);
});

test.run();
