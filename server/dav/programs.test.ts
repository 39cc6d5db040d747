import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DriveWorld, DavResponse } from './testing/drive.ts';
import { driveWorld, hrefs } from './testing/drive.ts';

/** Requests of real programs, as recorded. */
const test = suite<DriveWorld>('the drive as real programs use it');
test.before.each(async (office) => void Object.assign(office, await driveWorld()));
test.after.each((office) => office.close());

const LOCK =
  '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>OFFICE\\asha</D:href></D:owner></D:lockinfo>';
const ZERO = { headers: { depth: '0' } };
const to = (path: string, more: Record<string, string> = {}) => ({ headers: { destination: path, ...more } });
const tokenOf = ({ headers }: DavResponse): string => String(headers['lock-token']);
const earlier = async ({ services, actor }: DriveWorld, name: string) => {
  const file = await services.documents.childNamed(actor, null, name);
  return (await services.versions.list(actor, file!.id)).earlier.map(({ file_size }) => file_size);
};

test('Windows Explorer copies a file: it creates and locks an empty one, then sends bytes and dates; no version is made', async (office) => {
  const { dav } = office;
  const path = '/dav/Form%2016.pdf';
  assert.is((await dav('OPTIONS', '/dav')).headers['ms-author-via'], 'DAV');
  assert.is((await dav('PROPFIND', path, ZERO)).status, 404);
  assert.is((await dav('PUT', path, { body: '' })).status, 201);
  const locked = await dav('LOCK', path, { headers: { timeout: 'Second-3600' }, body: LOCK });
  assert.is(locked.status, 200);
  assert.match(locked.text, /<d:timeout>Second-3600<\/d:timeout>/);
  assert.match(locked.text, /OFFICE\\asha/);
  const given = { if: `(${tokenOf(locked)})` };
  assert.is((await dav('PUT', path, { headers: given, body: 'the whole file' })).status, 204);
  const patch =
    '<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32LastModifiedTime>Tue, 02 Apr 2024 10:00:00 GMT</Z:Win32LastModifiedTime></D:prop></D:set></D:propertyupdate>';
  assert.is((await dav('PROPPATCH', path, { headers: given, body: patch })).status, 207);
  assert.is((await dav('UNLOCK', path, { headers: { 'lock-token': tokenOf(locked) } })).status, 204);
  assert.is((await dav('PROPPATCH', path, { body: patch })).status, 207, 'the lock is over');
  assert.equal(await earlier(office, 'Form 16.pdf'), []);
  assert.equal((await dav('GET', path)).text, 'the whole file');
});

test('Finder copies a file in chunks with its shadow file, which never becomes a document', async (office) => {
  const { dav } = office;
  const shadow = '/dav/._scan.pdf';
  assert.is((await dav('PROPFIND', shadow, ZERO)).status, 404);
  for (const path of ['/dav/scan.pdf', shadow]) {
    assert.is((await dav('PUT', path, { body: '' })).status, 201);
    const locked = await dav('LOCK', path, { headers: { timeout: 'Second-600', depth: '0' }, body: LOCK });
    assert.is(locked.status, 200);
    const headers = {
      if: `(${tokenOf(locked)})`,
      'transfer-encoding': 'chunked',
      'x-expected-entity-length': '5',
    };
    assert.is((await dav('PUT', path, { headers, body: 'bytes' })).status, 204);
    assert.is((await dav('UNLOCK', path, { headers: { 'lock-token': tokenOf(locked) } })).status, 204);
    assert.is((await dav('GET', path)).text, 'bytes');
  }
  for (const junk of ['.DS_Store', 'desktop.ini', 'Thumbs.db', '~$budget.xlsx', '.~lock.a.odt%23'])
    assert.is((await dav('PUT', `/dav/${junk}`, { body: 'x' })).status, 201, junk);
  assert.equal(await office.names(), ['scan.pdf']);
  const colleague = await office.program();
  const listed = await colleague('PROPFIND', '/dav/', { headers: { depth: '1' } });
  assert.equal(hrefs(listed), ['/dav/', '/dav/scan.pdf']);
  assert.is((await colleague('GET', '/dav/~$budget.xlsx')).text, 'x', 'another Excel sees who has it open');
  assert.is((await dav('DELETE', shadow)).status, 204);
  assert.is((await dav('GET', shadow)).status, 404);
  assert.is((await office.services.documents.total(office.actor)).files, 1);
});

test('Word saves by exchanging files; the document keeps its id, links and earlier content', async (office) => {
  const { dav, build, actor } = office;
  const doc = await build.file(actor, { name: 'letter.docx', content: 'before' });
  assert.is((await dav('PUT', '/dav/~WRD0000.tmp', { body: 'after the change' })).status, 201);
  assert.is((await dav('MOVE', '/dav/letter.docx', to('/dav/~WRL0001.tmp', { overwrite: 'F' }))).status, 201);
  assert.is((await dav('PROPFIND', '/dav/letter.docx', ZERO)).status, 404);
  assert.equal(await office.names(), ['letter.docx'], 'for everybody else it is there');
  assert.is((await dav('MOVE', '/dav/~WRD0000.tmp', to('/dav/letter.docx', { overwrite: 'F' }))).status, 201);
  assert.is((await dav('DELETE', '/dav/~WRL0001.tmp')).status, 204);
  assert.is(await office.content(doc.id), 'after the change');
  assert.equal(await earlier(office, 'letter.docx'), [6]);
  assert.equal(await office.names(), ['letter.docx']);
  assert.is((await dav('GET', '/dav/letter.docx')).text, 'after the change');
});

test('a save by Word that is aborted leaves the document where it was', async (office) => {
  const { dav, build, actor } = office;
  const doc = await build.file(actor, { name: 'letter.docx', content: 'before' });
  await dav('MOVE', '/dav/letter.docx', to('/dav/~WRL0001.tmp'));
  assert.is((await dav('GET', '/dav/~WRL0001.tmp')).status, 400);
  assert.is((await dav('COPY', '/dav/~WRL0001.tmp', to('/dav/copy.docx'))).status, 400);
  assert.is((await dav('MOVE', '/dav/~WRL0001.tmp', to('/dav/letter.docx'))).status, 201);
  assert.is((await dav('GET', '/dav/letter.docx')).text, 'before');
  await dav('MOVE', '/dav/letter.docx', to('/dav/~WRL0002.tmp'));
  office.advance(11 * 60_000);
  assert.is(
    (await dav('GET', '/dav/letter.docx')).text,
    'before',
    'and what it forgets comes back by itself',
  );
  assert.is(await office.content(doc.id), 'before');
});

test('a document that is moved aside and then elsewhere is moved there, or a rename in two steps would be lost', async (office) => {
  const { dav, build, actor, advance } = office;
  const folder = await build.folder(actor, 'Final');
  const doc = await build.file(actor, { name: 'A.docx', content: 'report' });
  await build.file(actor, { name: 'C.docx', content: 'older' });
  await dav('MOVE', '/dav/A.docx', to('/dav/A.tmp'));
  assert.is((await dav('MOVE', '/dav/A.tmp', to('/dav/Final/B.docx'))).status, 201);
  assert.equal([await office.names(), await office.names(folder.id)], [['Final', 'C.docx'], ['B.docx']]);
  assert.is(await office.content(doc.id), 'report');
  assert.is((await dav('GET', '/dav/Final/B.docx')).text, 'report');
  assert.is((await dav('GET', '/dav/A.tmp')).status, 404);

  await dav('MOVE', '/dav/Final/B.docx', to('/dav/B.tmp'));
  assert.is((await dav('MOVE', '/dav/B.tmp', to('/dav/C.docx', { overwrite: 'F' }))).status, 412);
  assert.is((await dav('MOVE', '/dav/B.tmp', to('/dav/C.docx'))).status, 204);
  assert.equal([await office.names(), await office.names(folder.id)], [['Final', 'C.docx'], []]);
  assert.is((await dav('GET', '/dav/C.docx')).text, 'report');
  assert.equal(await earlier(office, 'C.docx'), [5]);

  await dav('MOVE', '/dav/C.docx', to('/dav/C.tmp'));
  advance(1000);
  await dav('PUT', '/dav/new.tmp', { body: 'saved anew' });
  await dav('MOVE', '/dav/new.tmp', to('/dav/C.docx'));
  await dav('MOVE', '/dav/C.tmp', to('/dav/D.tmp'));
  assert.is((await dav('MOVE', '/dav/D.tmp', to('/dav/D.docx'))).status, 409);
  assert.equal(await office.names(), ['Final', 'C.docx'], 'what was saved in its place stays there');
});

test('Excel saves by a name of hexadecimal digits, and a file that only looks like it is refused, or it would be lost', async (office) => {
  const { dav, build, actor } = office;
  const doc = await build.file(actor, { name: 'Sales.xlsx', content: 'before' });
  assert.is((await dav('PUT', '/dav/5C2A1000', { body: '' })).status, 201);
  assert.is((await dav('PUT', '/dav/5C2A1000', { body: 'after the change' })).status, 204);
  assert.is((await dav('MOVE', '/dav/Sales.xlsx', to('/dav/D4E5F000'))).status, 201);
  assert.is((await dav('MOVE', '/dav/5C2A1000', to('/dav/Sales.xlsx'))).status, 201);
  assert.is((await dav('DELETE', '/dav/D4E5F000')).status, 204);
  assert.is(await office.content(doc.id), 'after the change');

  const refused = await dav('PUT', '/dav/20241231', { body: 'a file' });
  assert.is(refused.status, (await dav('PUT', '/dav/notes', { body: 'a file' })).status);
  assert.match(refused.text, 'is not supported');
  assert.ok((await dav('COPY', '/dav/Sales.xlsx', to('/dav/20241231'))).status >= 400);
  assert.is((await dav('MKCOL', '/dav/20241231')).status, 201);
  assert.is((await dav('PUT', '/dav/20241231/a.pdf', { body: 'x' })).status, 201);
  assert.equal(await office.names(), ['20241231', 'Sales.xlsx']);
});

test('LibreOffice locks a document against colleagues until it unlocks or the lock expires', async (office) => {
  const { dav, build, actor, advance } = office;
  await build.file(actor, { name: 'sheet.ods', content: 'one' });
  const ravi = await build.colleague(actor);
  const his = await office.program(ravi);
  const path = '/dav/sheet.ods';
  const locked = await dav('LOCK', path, { headers: { timeout: 'Second-180' }, body: LOCK });
  const given = { if: `(${tokenOf(locked)})` };
  assert.match((await his('PROPFIND', path, ZERO)).text, /<d:activelock>/);
  for (const [method, call] of [
    ['PUT', { body: 'his' }],
    ['DELETE', {}],
    ['MOVE', to('/dav/other.ods')],
    ['PUT', { body: 'his', headers: given }],
    ['LOCK', { body: LOCK }],
  ] as const) {
    const got = await his(method, path, call);
    assert.is(got.status, 423, method);
    assert.match(got.text, /open in a colleague’s program/);
  }
  const taken = await his('UNLOCK', path, { headers: { 'lock-token': tokenOf(locked) } });
  assert.is(taken.status, 403);
  advance(170_000);
  const refreshed = await dav('LOCK', path, { headers: { ...given, timeout: 'Second-180' } });
  assert.is(refreshed.status, 200);
  advance(170_000);
  assert.is((await dav('PUT', path, { body: 'two', headers: given })).status, 204);
  assert.is((await his('PUT', path, { body: 'his' })).status, 423);
  advance(20_000);
  assert.is((await his('PUT', path, { body: 'his' })).status, 204, 'a lock that is forgotten ends');
  assert.is((await dav('PUT', path, { body: 'x', headers: given })).status, 412);
});

test('a lock from before the clock was set back ends within the hour that a lock may last, or a colleague is locked out for the day', async (office) => {
  const { dav, build, actor, advance } = office;
  await build.file(actor, { name: 'sheet.ods', content: 'one' });
  const his = await office.program(await build.colleague(actor));
  const path = '/dav/sheet.ods';
  // So that the office has its plan also after the clock is set back.
  advance(25 * 60 * 60_000);
  await dav('LOCK', path, { headers: { timeout: 'Second-180' }, body: LOCK });
  advance(-24 * 60 * 60_000);
  assert.is((await his('PUT', path, { body: 'his' })).status, 423, 'whoever edits it keeps it');
  advance(60 * 60_000);
  assert.is((await his('PUT', path, { body: 'his' })).status, 204);
});

test('a lock survives a restart, covers the contents of a folder, and ends with the app password', async (office) => {
  const { build, actor, services } = office;
  const folder = await build.folder(actor, '2026-27');
  const second = await office.program(office.account, { name: 'Second' });
  assert.is(
    (await second('LOCK', '/dav/2026-27', { headers: { depth: 'infinity' }, body: LOCK })).status,
    200,
  );
  const ravi = await office.program(await build.colleague(actor));
  assert.is((await ravi('PUT', '/dav/2026-27/a.pdf', { body: 'x' })).status, 423);
  assert.is((await office.db('dav_locks')).length, 1, 'it stands in the database');
  const [one] = (await services.drivePasswords.list(actor, '::1')).filter(({ name }) => name === 'Second');
  await services.drivePasswords.end(actor, one!.id);
  assert.is((await ravi('PUT', '/dav/2026-27/a.pdf', { body: 'x' })).status, 201);
  assert.equal(await office.names(folder.id), ['a.pdf']);
});

test('a new file can be locked before it exists, like Word does, if its type is allowed', async (office) => {
  const { dav } = office;
  const locked = await dav('LOCK', '/dav/new.docx', { body: LOCK });
  assert.is(locked.status, 201);
  assert.is((await dav('PUT', '/dav/new.docx', { body: 'x' })).status, 423);
  const headers = { if: `<${office.base}/dav/new.docx> (${tokenOf(locked)})` };
  assert.is((await dav('PUT', '/dav/new.docx', { body: 'words', headers })).status, 204);
  assert.equal(await earlier(office, 'new.docx'), []);
  assert.is((await dav('LOCK', '/dav/new.exe', { body: LOCK })).status, 415);
  for (const header of ['(', '(<a>', 'x', '()', '(Not)', '<a> <b>'])
    assert.is(
      (await dav('PUT', '/dav/new.docx', { body: 'x', headers: { if: header } })).status,
      400,
      header,
    );
});

test('a temporary file is its user’s alone, because nobody’s rights say who else may read or replace it', async (office) => {
  const { dav, build, actor } = office;
  const folder = await build.folder(actor, '2026-27');
  const [all, some] = [
    await office.program(await build.colleague(actor, { client_scope: 'all' })),
    await office.program(await build.colleague(actor, { client_scope: 'assigned' })),
  ];
  for (const path of ['/dav/merger.tmp', '/dav/2026-27/merger.tmp', '/dav/~$merger.xlsx'])
    assert.is((await dav('PUT', path, { body: 'draft' })).status, 201);
  for (const his of [all, some]) {
    assert.is((await his('GET', '/dav/merger.tmp')).status, 404);
    assert.is((await his('PUT', '/dav/merger.tmp', { body: 'his' })).status, 201);
  }
  assert.is((await all('GET', '/dav/2026-27/merger.tmp')).status, 404);
  assert.is((await dav('GET', '/dav/merger.tmp')).text, 'draft');
  const second = await office.program(office.account, { name: 'Second' });
  assert.is((await second('GET', '/dav/merger.tmp')).text, 'draft', 'all programs of a user share it');
  assert.is((await some('GET', '/dav/~$merger.xlsx')).status, 404, 'his drive may have another of that name');
  assert.is((await some('PUT', '/dav/~$merger.xlsx', { body: 'his' })).status, 201);
  assert.is((await all('GET', '/dav/~$merger.xlsx')).text, 'draft');
  await office.services.documents.remove(actor, [folder.id]);
  assert.is((await dav('GET', '/dav/2026-27/merger.tmp')).status, 404);
});

test('a temporary copy goes out of sight with its document, or a user taken off a client could still read it', async (office) => {
  const { build, actor, db } = office;
  const client = await build.client(actor, 'Sharma Traders');
  const folder = await build.folder(actor, 'Sharma');
  await office.services.documents.createFolder(actor, {
    name: 'ITR',
    parent_id: folder.id,
    client_id: client,
  });
  const itr = (await office.services.documents.childNamed(actor, folder.id, 'ITR'))!;
  const doc = await build.file(actor, { name: 'a.txt', content: 'secret', parent_id: itr.id });
  const ravi = await build.colleague(actor, { client_scope: 'assigned' });
  const assigned = { user_id: ravi.actor.userId, client_id: client };
  await db('user_clients').insert(assigned);
  const his = await office.program(ravi);
  assert.is((await his('COPY', '/dav/ITR/a.txt', to('/dav/keep.tmp'))).status, 201);
  assert.is((await his('COPY', '/dav/keep.tmp', to('/dav/again.tmp'))).status, 201);
  assert.is((await his('MOVE', '/dav/again.tmp', to('/dav/moved.tmp'))).status, 201);
  await office.services.documents.remove(actor, [doc.id]);
  for (const path of ['/dav/keep.tmp', '/dav/moved.tmp'])
    assert.is((await his('GET', path)).text, 'secret', 'also while it is in Trash: a program may be saving');
  const taken = (permissions_taken: string) =>
    db('users').where({ id: ravi.actor.userId }).update({ permissions_taken });
  await taken(JSON.stringify(['documents.download']));
  assert.is((await his('GET', '/dav/keep.tmp')).status, 403);
  await taken('[]');
  await db('user_clients').where(assigned).delete();
  for (const path of ['/dav/keep.tmp', '/dav/moved.tmp']) {
    assert.is((await his('GET', path)).status, 404);
    assert.is((await his('COPY', path, to('/dav/mine.txt'))).status, 404);
  }
  assert.not.ok((await his('PROPFIND', '/dav/', { headers: { depth: '1' } })).text.includes('keep.tmp'));
});

test('a refusal because of a lock names only what the user sees in their drive', async (office) => {
  const { build, actor, db, dav } = office;
  const [own, other] = [await build.client(actor, 'Own'), await build.client(actor, 'Other')];
  const shelf = await office.services.documents.createFolder(actor, {
    name: 'Shelf',
    parent_id: null,
    client_id: own,
  });
  await build.file(actor, { name: 'seizure notice.docx', parent_id: shelf.id, client_id: other });
  const ravi = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  const his = await office.program(ravi);
  assert.is((await dav('LOCK', '/dav/Shelf/seizure%20notice.docx', { body: LOCK })).status, 200);
  for (const [method, call] of [
    ['LOCK', { headers: { depth: 'infinity' }, body: LOCK }],
    ['MOVE', to('/dav/Renamed')],
  ] as const) {
    const refused = await his(method, '/dav/Shelf', call);
    assert.is(refused.status, 423, method);
    assert.not.match(refused.text, 'seizure');
  }
  assert.match((await office.dav('MOVE', '/dav/Shelf', to('/dav/Renamed'))).text, 'seizure notice.docx');
});

test.run();
