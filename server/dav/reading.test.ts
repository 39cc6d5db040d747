import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { DriveWorld } from './testing/drive.ts';
import { caller, driveWorld, hrefs } from './testing/drive.ts';

const test = suite<DriveWorld>('reading the drive');
test.before.each(async (office) => void Object.assign(office, await driveWorld()));
test.after.each((office) => office.close());

const ONE = { headers: { depth: '1' } };
const ZERO = { headers: { depth: '0' } };

test('the drive opens only with an app password, not with a session token or the account password', async (office) => {
  const { base, account } = office;
  const visitor = new Visitor(base);
  const nobody = await visitor.call('PROPFIND', '/dav/', ZERO);
  assert.is(nobody.status, 401);
  assert.match(nobody.headers.get('www-authenticate') ?? '', /^Basic realm=/);
  assert.match(nobody.text, /app password/);
  const session = await visitor.call('PROPFIND', '/dav/', {
    headers: { depth: '0', ...bearer(account.token) },
  });
  assert.is(session.status, 401);
  assert.is((await caller(base, account.email, account.password)('PROPFIND', '/dav/', ZERO)).status, 401);
  assert.is((await office.dav('PROPFIND', '/dav/', ZERO)).status, 207);
  const options = await visitor.call('OPTIONS', '/dav/x');
  assert.equal([options.status, options.headers.get('dav')], [200, '1, 2']);
});

test('wrong passwords from one network are throttled', async (office) => {
  const wrong = caller(office.base, office.account.email, 'wrong');
  const statuses = new Set<number>();
  for (let n = 0; n < 31; n += 1) statuses.add((await wrong('GET', '/dav/')).status);
  assert.equal([...statuses], [401, 429]);
});

test('folders are listed with size, date and tag, and infinite depth is refused as the protocol says', async (office) => {
  const { build, actor, dav } = office;
  const folder = await build.folder(actor, 'Sharma & Söhne');
  const file = await build.file(actor, { name: 'a b.pdf', parent_id: folder.id, content: 'hello' });
  const got = await dav('PROPFIND', '/dav/Sharma%20%26%20S%C3%B6hne', ONE);
  assert.is(got.status, 207);
  assert.equal(hrefs(got), ['/dav/Sharma%20%26%20S%C3%B6hne/', '/dav/Sharma%20%26%20S%C3%B6hne/a%20b.pdf']);
  const sha256 = createHash('sha256').update('hello').digest('hex').slice(0, 32);
  for (const part of [
    '<d:getcontentlength>5</d:getcontentlength>',
    '<d:getcontenttype>application/pdf</d:getcontenttype>',
    `<d:getetag>&quot;${sha256}&quot;</d:getetag>`.replaceAll('&quot;', '"'),
    '<d:displayname>Sharma &amp; Söhne</d:displayname>',
    `<d:getlastmodified>${new Date(file.modified_at).toUTCString()}</d:getlastmodified>`,
    '<d:resourcetype><d:collection/></d:resourcetype>',
  ])
    assert.ok(got.text.includes(part), part);
  const deep = await dav('PROPFIND', '/dav/');
  assert.is(deep.status, 403);
  assert.match(deep.text, /<d:propfind-finite-depth\/>/);
  assert.is((await dav('PROPFIND', '/dav/sharma%20%26%20s%C3%B6hne/A%20B.PDF', ZERO)).status, 207);
  assert.is((await dav('PROPFIND', '/dav/nothing', ZERO)).status, 404);
});

test('properties are returned by name, missing ones as 404, and the quota on request', async (office) => {
  const body =
    '<?xml version="1.0"?><propfind xmlns="DAV:" xmlns:z="urn:z"><prop><getetag/><quota-available-bytes/><z:mine/></prop></propfind>';
  const { text } = await office.dav('PROPFIND', '/dav/', { ...ZERO, body });
  assert.match(text, /<d:quota-available-bytes>\d{6,}<\/d:quota-available-bytes>/);
  assert.match(text, /<d:getetag\/><x:mine xmlns:x="urn:z"\/><\/d:prop><d:status>HTTP\/1.1 404/);
});

test('XML that is malformed, too long, or has entities is refused cheaply', async (office) => {
  const ask = (body: string) => office.dav('PROPFIND', '/dav/', { ...ZERO, body });
  const laughs =
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>';
  assert.is((await ask(laughs)).status, 400);
  assert.is((await ask('<propfind xmlns="DAV:"><prop>')).status, 400);
  assert.is((await ask('<propfind xmlns="DAV:"><prop><x:a/></prop></propfind>')).status, 400);
  assert.is((await ask(`<a>${'<b>'.repeat(30)}${'</b>'.repeat(30)}</a>`)).status, 400);
  assert.is((await ask(`<!--${'x'.repeat(70_000)}-->`)).status, 413);
});

test('paths that lead out of the drive are refused, in any spelling', async ({ dav }) => {
  for (const path of ['/dav/../api', '/dav/%2e%2e/api', '/dav/a%2fb', '/dav/a%5Cb', '/dav/a%00', '/dav/%ff'])
    assert.is((await dav('PROPFIND', path, ZERO)).status, 400, path);
});

test('a file is sent whole or as a range, not again when unchanged, and counts as one download', async (office) => {
  const { build, actor, dav, db } = office;
  await build.file(actor, { name: 'a.txt', content: '0123456789' });
  const whole = await dav('GET', '/dav/a.txt');
  assert.equal([whole.status, whole.text, whole.headers['content-length']], [200, '0123456789', '10']);
  const etag = String(whole.headers['etag']);
  const part = await dav('GET', '/dav/a.txt', { headers: { range: 'bytes=2-4' } });
  assert.equal([part.status, part.text, part.headers['content-range']], [206, '234', 'bytes 2-4/10']);
  assert.is((await dav('GET', '/dav/a.txt', { headers: { 'if-none-match': etag } })).status, 304);
  assert.is((await dav('GET', '/dav/a.txt', { headers: { 'if-match': '"other"' } })).status, 412);
  assert.equal((await dav('HEAD', '/dav/a.txt')).text, '');
  const noted = await db('audit_events').where({ did: 'document.download' });
  assert.is(noted.length, 1);
  assert.is(JSON.parse(noted[0].detail).browser, 'WebDAV, app password “Explorer on office PC”');
});

test('a user sees assigned clients only, a folder’s password that folder only, and duplicate names get a number', async (office) => {
  const { build, actor, db } = office;
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const ravi = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  const [one, two] = [await build.folder(actor, 'One'), await build.folder(actor, 'Two')];
  for (const [parent_id, client_id] of [
    [one.id, own],
    [two.id, own],
    [null, other],
  ] as const)
    await office.services.documents.createFolder(actor, { name: 'ITR', parent_id, client_id });
  const his = await office.program(ravi);
  assert.equal(hrefs(await his('PROPFIND', '/dav/', ONE)), ['/dav/', '/dav/ITR/', '/dav/ITR%20(2)/']);
  assert.is((await his('PROPFIND', '/dav/ITR%20(2)', ONE)).status, 207);
  assert.is((await his('PROPFIND', '/dav/One', ZERO)).status, 404);
  const narrow = await office.program(office.account, { folder_id: one.id });
  assert.equal(hrefs(await narrow('PROPFIND', '/dav/', ONE)), ['/dav/', '/dav/ITR/']);
  await office.services.documents.remove(actor, [one.id]);
  assert.match((await narrow('PROPFIND', '/dav/', ONE)).text, /not there any more/);
});

test('a view-only user can list names but gets no bytes', async (office) => {
  const { build, actor } = office;
  await build.file(actor, { name: 'a.txt', content: 'Zx9OriginalMarker7q' });
  const looker = await build.colleague(actor);
  const taken = JSON.stringify(['documents.download']);
  await office.db('users').where({ id: looker.actor.userId }).update({ permissions_taken: taken });
  const his = await office.program(looker);
  assert.ok(hrefs(await his('PROPFIND', '/dav/', ONE)).includes('/dav/a.txt'));
  const got = await his('GET', '/dav/a.txt');
  assert.is(got.status, 403);
  assert.not.ok(got.text.includes('OriginalMarker'));
  assert.is((await his('COPY', '/dav/a.txt', { headers: { destination: '/dav/b.txt' } })).status, 201);
  assert.is((await his('GET', '/dav/b.txt')).status, 403);
});

test('a document copied to a temporary name is a download, since nobody counts how a program reads temporary files', async (office) => {
  const { build, actor, dav, db } = office;
  for (const name of ['a.txt', 'b.txt']) await build.file(actor, { name, content: 'Zx9OriginalMarker7q' });
  const copyTo = (destination: string) => ({ headers: { destination } });
  const looker = await build.colleague(actor, { client_scope: 'all' });
  const taken = JSON.stringify(['documents.download']);
  await db('users').where({ id: looker.actor.userId }).update({ permissions_taken: taken });
  const his = await office.program(looker);
  const refused = await his('COPY', '/dav/a.txt', copyTo('/dav/a.tmp'));
  assert.is(refused.status, 403);
  assert.match(refused.text, /not download/);
  assert.is((await his('GET', '/dav/a.tmp')).status, 404);
  assert.is((await dav('COPY', '/dav/a.txt', copyTo('/dav/a.tmp'))).status, 201);
  assert.is((await dav('GET', '/dav/a.tmp')).text, 'Zx9OriginalMarker7q');
  assert.is((await dav('GET', '/dav/a.txt')).status, 200);
  assert.is((await db('audit_events').where({ did: 'document.download' })).length, 1);
  const limits = { permissions_taken: '[]', daily_downloads: 1 };
  await db('users').where({ id: looker.actor.userId }).update(limits);
  for (const [name, status] of [
    ['a', 201],
    ['b', 429],
  ] as const)
    assert.is((await his('COPY', `/dav/${name}.txt`, copyTo(`/dav/his-${name}.tmp`))).status, status, name);
});

test.run();
