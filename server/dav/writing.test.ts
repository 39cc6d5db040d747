import { createConnection } from 'node:net';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import type { DriveWorld } from './testing/drive.ts';
import { driveWorld, hrefs } from './testing/drive.ts';

const test = suite<DriveWorld>('writing to the drive');
test.before.each(async (office) => void Object.assign(office, await driveWorld()));
test.after.each((office) => office.close());

const to = (path: string, more: Record<string, string> = {}) => ({ headers: { destination: path, ...more } });
const idOf = async ({ services, actor }: DriveWorld, name: string, folder: number | null = null) =>
  (await services.documents.childNamed(actor, folder, name))?.id ?? 0;
const versions = async (office: DriveWorld, name: string) =>
  (await office.services.versions.list(office.actor, await idOf(office, name))).earlier.map(
    ({ file_size }) => file_size,
  );

test('a new file keeps its date, is counted, recorded with its program, and announced to open screens', async (office) => {
  const { dav, services, actor, db } = office;
  const date = Date.UTC(2024, 5, 1) / 1000;
  const got = await dav('PUT', '/dav/Form%2016.pdf', {
    body: 'bytes',
    headers: { 'x-oc-mtime': String(date) },
  });
  assert.equal([got.status, got.headers['x-oc-mtime']], [201, 'accepted']);
  const { items } = await services.documents.folder(actor, null);
  assert.equal(
    items.map(({ name, original_at }) => [name, original_at]),
    [['Form 16.pdf', '2024-06-01T00:00:00.000Z']],
  );
  assert.is((await services.documents.total(actor)).bytes, 5);
  const entry = await db('audit_events').where({ did: 'document.upload' }).first();
  assert.is(JSON.parse(entry.detail).browser, 'WebDAV, app password “Explorer on office PC”');
  assert.match(
    (await dav('PROPFIND', '/dav/Form%2016.pdf', { headers: { depth: '0' } })).text,
    /Sat, 01 Jun 2024/,
  );
});

test('names and types that the vault rejects are refused before their bytes, and nothing is left', async (office) => {
  const { dav, blobs } = office;
  const exe = await dav('PUT', '/dav/run.exe', { body: 'MZ' });
  assert.equal(
    [exe.status, /File type "exe" is not supported/.test(exe.text.replaceAll('&quot;', '"'))],
    [415, true],
  );
  assert.is((await dav('PUT', '/dav/a%3Ab.pdf', { body: 'x' })).status, 403);
  assert.is((await dav('PUT', `/dav/${'n'.repeat(260)}.pdf`, { body: 'x' })).status, 403);
  assert.is((await dav('PUT', '/dav/none/a.pdf', { body: 'x' })).status, 409);
  const huge = { 'content-length': String(6 * 1024 ** 3), expect: '100-continue' };
  assert.is((await dav('PUT', '/dav/a.pdf', { headers: huge })).status, 413);
  const full = await dav('PUT', '/dav/b.pdf', { headers: { 'content-length': String(4 * 1024 ** 3) } });
  assert.equal([full.status, /<d:quota-not-exceeded\/>/.test(full.text)], [507, true]);
  assert.equal(await Array.fromAsync(blobs.list()), []);
});

test('a chunked upload that is cut midway leaves nothing', async (office) => {
  const { base, blobs } = office;
  const { user, password } = await office.credentials();
  const socket = createConnection(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  const auth = Buffer.from(`${user}:${password}`).toString('base64');
  socket.write(
    `PUT /dav/big.zip HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${auth}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let n = 0; n < 16; n += 1) {
    socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    socket.write('\r\n');
  }
  await until(async () => socket.bytesWritten > 900_000 && socket.writableLength === 0);
  socket.destroy();
  await until(async () => (await Array.fromAsync(blobs.list())).length === 0);
  assert.equal(await office.names(), []);
  const short = await office.dav('PUT', '/dav/short.zip', {
    body: 'half',
    headers: { 'transfer-encoding': 'chunked', 'x-expected-entity-length': '8' },
  });
  assert.is(short.status, 400, 'Finder said how long it is');
  assert.equal(await office.names(), []);
});

test('saving over a file makes a version; repeated saves of one program within ten minutes count as one', async (office) => {
  const { dav, advance, services, actor } = office;
  await office.build.file(actor, { name: 'a.txt', content: 'first' });
  const id = await idOf(office, 'a.txt');
  for (const body of ['second.', 'third...', 'fourth...']) {
    assert.is((await dav('PUT', '/dav/a.txt', { body })).status, 204);
    advance(60_000);
  }
  assert.equal(await versions(office, 'a.txt'), [5], 'only what was there before the first save');
  assert.equal([await office.content(id), await idOf(office, 'a.txt')], ['fourth...', id]);
  advance(10 * 60_000);
  await dav('PUT', '/dav/a.txt', { body: 'later' });
  assert.equal(await versions(office, 'a.txt'), [9, 5]);
  const other = await office.program();
  await other('PUT', '/dav/a.txt', { body: 'by another program' });
  assert.equal(await versions(office, 'a.txt'), [5, 9, 5], 'what another program saved is never dropped');
  await office.build.file(actor, { name: 'a.txt', content: 'by the web', conflict: 'replace' });
  await other('PUT', '/dav/a.txt', { body: 'again by it' });
  assert.equal((await versions(office, 'a.txt')).length, 5, 'nor what came by the web');
  assert.equal(await services.records.recount(), []);
});

test('what a copy or move puts another document over becomes a version, since the copy has nothing of it', async (office) => {
  const { dav, build, actor } = office;
  await build.file(actor, { name: 'r.xlsx', content: 'old' });
  await build.file(actor, { name: 'other.xlsx', content: 'another document' });
  assert.is((await dav('PUT', '/dav/r.xlsx', { body: 'saved' })).status, 204);
  office.advance(60_000);
  assert.is((await dav('COPY', '/dav/other.xlsx', to('/dav/r.xlsx'))).status, 204);
  assert.equal(await versions(office, 'r.xlsx'), [5, 3]);
  assert.is((await dav('PUT', '/dav/r.xlsx', { body: 'saved again' })).status, 204);
  assert.is((await dav('COPY', '/dav/other.xlsx', to('/dav/other.tmp'))).status, 201);
  assert.is((await dav('MOVE', '/dav/other.tmp', to('/dav/r.xlsx'))).status, 204);
  assert.equal(await versions(office, 'r.xlsx'), [11, 5, 3], 'also by way of a temporary file');
  assert.is((await dav('PUT', '/dav/r.xlsx', { body: 'once more' })).status, 204);
  assert.is((await dav('MOVE', '/dav/other.xlsx', to('/dav/r.xlsx'))).status, 204);
  assert.equal(await versions(office, 'r.xlsx'), [9, 11, 5, 3]);
  assert.equal(await office.services.records.recount(), []);
});

test('a save that empties the file first keeps what was there, or a broken connection would leave nothing of it', async (office) => {
  const { dav, build, actor } = office;
  await build.file(actor, { name: 'a.txt', content: 'first' });
  for (const body of ['second.', '']) assert.is((await dav('PUT', '/dav/a.txt', { body })).status, 204);
  assert.equal(await versions(office, 'a.txt'), [7, 5]);
  assert.is((await dav('PUT', '/dav/a.txt', { body: 'third...' })).status, 204);
  assert.equal(await versions(office, 'a.txt'), [7, 5], 'the empty content is no version');
  assert.equal(await office.services.records.recount(), []);
});

test('what a program writes into the empty file of a colleague is theirs, in the list of versions and for an undo', async (office) => {
  const { build, actor, services } = office;
  const { id } = await build.file(actor, { name: 'minutes.txt', content: '' });
  const ravi = await build.colleague(actor);
  const dav = await office.program(ravi);
  assert.is((await dav('PUT', '/dav/minutes.txt', { body: 'by Ravi' })).status, 204);
  const { current } = await services.versions.list(actor, id);
  assert.equal([current.file_size, current.user_id], [7, ravi.actor.userId]);
});

test('what another program writes into a file that one has emptied becomes a version when the first saves again', async (office) => {
  const { dav, build, actor } = office;
  await build.file(actor, { name: 'a.txt', content: 'first' });
  const other = await office.program();
  assert.is((await dav('PUT', '/dav/a.txt', { body: '' })).status, 204);
  assert.is((await other('PUT', '/dav/a.txt', { body: 'by the other' })).status, 204);
  assert.is((await dav('PUT', '/dav/a.txt', { body: 'again' })).status, 204);
  assert.equal(await versions(office, 'a.txt'), [12, 5]);
});

test('under a legal hold the content before every save is kept as a version', async (office) => {
  const { dav, build, actor, services } = office;
  const client_id = await build.client(actor, 'Sharma Traders');
  await build.file(actor, { name: 'a.txt', content: 'first', client_id });
  await services.holds.place(actor, client_id, { reason: 'Notice under s. 148' });
  for (const body of ['second.', 'third...']) await dav('PUT', '/dav/a.txt', { body });
  assert.equal(await versions(office, 'a.txt'), [7, 5]);
});

test('a user who still has to set up two-step sign-in gets 403 with that reason', async (office) => {
  await office.db('firms').update({ two_step_required_at: office.now().toISOString() });
  const got = await office.dav('PROPFIND', '/dav/', { headers: { depth: '0' } });
  assert.equal([got.status, /two-step sign-in/.test(got.text)], [403, true]);
});

test('If-Match and If-None-Match prevent lost updates', async ({ dav }) => {
  const made = await dav('PUT', '/dav/a.txt', { body: 'one', headers: { 'if-none-match': '*' } });
  assert.is(made.status, 201);
  assert.is((await dav('PUT', '/dav/a.txt', { body: 'x', headers: { 'if-none-match': '*' } })).status, 412);
  assert.is((await dav('PUT', '/dav/a.txt', { body: 'x', headers: { 'if-match': '"other"' } })).status, 412);
  const headers = { 'if-match': String(made.headers['etag']) };
  assert.is((await dav('PUT', '/dav/a.txt', { body: 'two', headers })).status, 204);
});

test('deleted items go to Trash; sealed or held ones stay, with the reason', async (office) => {
  const { dav, services, actor, build } = office;
  const folder = await build.folder(actor, 'Old');
  await build.file(actor, { name: 'a.txt', parent_id: folder.id });
  assert.is((await dav('DELETE', '/dav/Old/')).status, 204);
  assert.equal(
    (await services.trash.list(actor, {})).items.map(({ name }) => name),
    ['Old'],
  );
  const filed = await build.file(actor, { name: 'audit.txt', content: 'as filed' });
  await services.seals.seal(actor, filed.id, { reason: 'Assembled' });
  for (const [method, call] of [
    ['DELETE', {}],
    ['PUT', { body: 'x' }],
    ['MOVE', to('/dav/b.txt')],
  ] as const) {
    const got = await dav(method, '/dav/audit.txt', call);
    assert.is(got.status, 403, method);
    assert.match(got.text, /seal/i);
  }
  assert.is(await office.content(filed.id), 'as filed');
  assert.is((await dav('DELETE', '/dav/')).status, 403);
});

test('folders are created once, in existing folders, and a read-only password changes nothing', async (office) => {
  const { dav } = office;
  assert.is((await dav('MKCOL', '/dav/2026-27')).status, 201);
  assert.is((await dav('MKCOL', '/dav/2026-27/')).status, 405);
  assert.is((await dav('MKCOL', '/dav/none/ITR')).status, 409);
  assert.is((await dav('MKCOL', '/dav/x', { body: '<a/>' })).status, 415);
  const looks = await office.program(office.account, { read_only: true });
  for (const [method, path, call] of [
    ['MKCOL', '/dav/mine', {}],
    ['PUT', '/dav/a.txt', { body: 'x' }],
    ['DELETE', '/dav/2026-27', {}],
    ['MOVE', '/dav/2026-27', to('/dav/y')],
    ['COPY', '/dav/2026-27', to('/dav/y')],
    ['LOCK', '/dav/2026-27', { body: '<a/>' }],
    ['PROPPATCH', '/dav/2026-27', { body: '<d:propertyupdate xmlns:d="DAV:"/>' }],
  ] as const)
    assert.is((await looks(method, path, call)).status, 403, method);
  assert.equal(await office.names(), ['2026-27']);
});

test('MOVE keeps the item, applies the new folder’s client, and onto another file makes its next version', async (office) => {
  const { dav, build, actor, services } = office;
  const client = await build.client(actor, 'Sharma Traders');
  const theirs = await services.documents.createFolder(actor, {
    name: 'Sharma',
    parent_id: null,
    client_id: client,
  });
  const scan = await build.file(actor, { name: 'scan.txt', content: 'new' });
  assert.is((await dav('MOVE', '/dav/scan.txt', to('/dav/Sharma/Form%2016.txt'))).status, 201);
  const [moved] = await services.documents.views(actor, [scan.id]);
  assert.equal([moved?.name, moved?.client_id, moved?.parent_id], ['Form 16.txt', client, theirs.id]);
  const save = await build.file(actor, { name: 'saved.txt', content: 'newer' });
  const target = '/dav/Sharma/Form%2016.txt';
  assert.is((await dav('MOVE', '/dav/saved.txt', to(target, { overwrite: 'F' }))).status, 412);
  assert.is((await dav('MOVE', '/dav/saved.txt', to(`${office.base}${target}`))).status, 204);
  assert.is(await office.content(scan.id), 'newer', 'its links and history stay');
  assert.equal((await services.versions.list(actor, scan.id)).earlier.length, 1);
  assert.equal(await services.documents.views(actor, [save.id]), []);
  assert.is((await dav('MOVE', '/dav/Sharma/Form%2016.txt', to('/dav/Sharma/FORM%2016.txt'))).status, 201);
  assert.equal(await office.names(theirs.id), ['FORM 16.txt'], 'a name in other letters');
});

test('COPY copies whole folders, never onto or into themselves, nor to another server', async (office) => {
  const { dav, build, actor } = office;
  const a = await build.folder(actor, 'A');
  const inner = await build.folder(actor, 'In', a.id);
  await build.file(actor, { name: 'x.txt', parent_id: inner.id, content: 'bytes' });
  assert.is((await dav('COPY', '/dav/A', to('/dav/A'))).status, 403);
  assert.is((await dav('COPY', '/dav/A', to('/dav/A/In/B'))).status, 403);
  assert.is((await dav('MOVE', '/dav/A', to('/dav/a/In/B'))).status, 403);
  assert.is((await dav('COPY', '/dav/A/In', to('/dav/A'))).status, 403, 'nor over what it lies in');
  assert.is((await dav('COPY', '/dav/A', to('https://elsewhere.in/dav/B'))).status, 502);
  assert.is((await dav('COPY', '/dav/A')).status, 400);
  assert.is((await dav('COPY', '/dav/A', to('/dav/B'))).status, 201);
  assert.equal((await dav('GET', '/dav/B/In/x.txt')).text, 'bytes');
  const listed = await dav('PROPFIND', '/dav/B/In', { headers: { depth: '1' } });
  assert.equal(hrefs(listed), ['/dav/B/In/', '/dav/B/In/x.txt']);
});

test('dates set by Windows are kept, its attributes accepted, and dead properties returned', async (office) => {
  const { dav, services, actor, build } = office;
  const file = await build.file(actor, { name: 'a.txt' });
  const patch = (props: string) =>
    dav('PROPPATCH', '/dav/a.txt', {
      body: `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:" xmlns:m="urn:m"><D:set><D:prop>${props}</D:prop></D:set></D:propertyupdate>`,
    });
  const got = await patch(
    '<Z:Win32CreationTime>Mon, 01 Apr 2024 10:00:00 GMT</Z:Win32CreationTime><Z:Win32LastModifiedTime>Tue, 02 Apr 2024 10:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes><m:note>yes &amp; no</m:note>',
  );
  assert.equal([got.status, /200 OK/.test(got.text), /403|424/.test(got.text)], [207, true, false]);
  assert.is((await services.documents.item(actor, file.id)).original_at, '2024-04-02T10:00:00.000Z');
  const all = await dav('PROPFIND', '/dav/a.txt', { headers: { depth: '0' } });
  assert.match(all.text, /<x:note xmlns:x="urn:m">yes &amp; no<\/x:note>/);
  const ours = await patch('<m:more>1</m:more><D:getetag>mine</D:getetag>');
  assert.match(ours.text, /<d:getetag\/><\/d:prop><d:status>HTTP\/1.1 403/);
  assert.match(ours.text, /424 Failed Dependency/);
});

test('an app password of a deactivated user stops at the next request', async (office) => {
  const ravi = await office.build.colleague(office.actor);
  const his = await office.program(ravi);
  assert.is((await his('PUT', '/dav/a.txt', { body: 'x' })).status, 201);
  await office.services.team.deactivate(office.actor, ravi.actor.userId, { heir: null });
  assert.is((await his('PUT', '/dav/b.txt', { body: 'x' })).status, 401);
});

test('a name without a type, and an address with a broken code, are refused with what is wrong with them', async ({
  dav,
}) => {
  const untyped = await dav('PUT', '/dav/README', { body: 'a' });
  assert.is(untyped.status, 403);
  assert.match(untyped.text, /without a type at the end of its name/);
  const broken = await dav('GET', '/dav/50%25%zz.txt');
  assert.is(broken.status, 400);
  assert.match(broken.text, /after a &quot;%&quot; in it|after a "%" in it/);
});

test.run();
