import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../testing/rejects.ts';
import { listed } from '#storage/conformance.ts';
import { until } from '../../testing/until.ts';
import type { Office } from '../testing/extracting.ts';
import { forge } from '../read/testing/forge.ts';
import { CLEAN, files, openOffice } from '../testing/extracting.ts';

const MB = 1024 * 1024;

const test = suite<Office>('extraction');
test.before.each(async (office) => {
  Object.assign(office, await openOffice());
});
test.after.each((office) => office.close());

test('programs in an archive are held back, whatever their names', async (office) => {
  const { services, actor } = office;
  const id = await office.zip([
    { name: 'Form 16.pdf', data: `MZ\0${' '.repeat(200)}` },
    { name: 'GSTR.pdf', data: '%PDF-1.7' },
  ]);
  const end = await office.unpack(id);
  assert.is(end.status, 'completed', end.message);
  const { files: held } = await services.scanning.list(actor);
  assert.equal(
    held.map(({ name, state }) => [name, state]),
    [['Form 16.pdf', 'program']],
  );
});

test('an archive is extracted into a new folder beside it that has its name, and the job reports the result', async (office) => {
  const { services, build, actor, db } = office;
  const client_id = await build.client(actor);
  const parent = await build.folder(actor, 'GST');
  await build.folder(actor, 'gstr-3b', parent.id);
  const id = await office.zip(
    [...files(7), { name: 'setup.exe', data: 'MZ' }, { name: 'empty/', method: 0 }],
    { parent_id: parent.id, client_id },
  );
  const end = await office.unpack(id);
  assert.is(end.status, 'completed', end.message);
  assert.is(end.message, 'Extracted 7 files into "GSTR-3B (2)". 1 skipped.');
  assert.is(end.progress, 100);
  assert.equal(end.skipped, [{ path: 'setup.exe', reason: 'File type "exe" is not supported' }]);
  assert.equal([end.files, end.folders, end.bytes_done, end.bytes_total], [7, 4, 70, 70]);
  assert.equal(await office.names(parent.id), ['gstr-3b', 'GSTR-3B (2)', 'GSTR-3B.zip']);
  assert.equal(await office.names(end.folder_id), ['Client 0', 'Client 1', 'Client 2', 'empty']);
  const listing = await services.documents.folder(actor, end.folder_id);
  assert.ok(
    listing.items.every((item) => item.client_id === client_id),
    'the archive’s client goes with the files',
  );
  const found = await services.search.find(actor, 'return 5', 10);
  assert.is(found.items[0]?.name, 'return 5.pdf', 'what was unpacked is found by searching');
  assert.is((await db('audit_events').where({ did: 'archive.extract' })).length, 1);
  assert.equal(await office.leftovers(), CLEAN);
});

test('only the new folder and a few of its files become recent, so that earlier recent files stay listed', async (office) => {
  const { services, build, actor, advance } = office;
  await build.file(actor, { name: 'before.pdf' });
  const id = await office.zip(files(300));
  advance(1000);
  await office.unpack(id);
  const recent = (await services.dashboard.recentFiles(actor)).map(({ name }) => name);
  assert.equal([recent.length, recent[0]], [13, 'GSTR-3B']);
  assert.equal(recent.slice(-2), ['GSTR-3B.zip', 'before.pdf']);
  assert.ok(
    recent.slice(1, 11).every((name) => name.startsWith('return ')),
    recent.join(),
  );
});

test('a refused archive leaves nothing, and the reason is for the reader', async (office) => {
  const { actor, services } = office;
  const id = await office.zip([...files(20), { name: 'b.txt', data: 'x', crc: 1 }]);
  const end = await office.unpack(id);
  assert.equal([end.status, end.code], ['failed', 'damaged']);
  assert.match(end.message, /^This ZIP is damaged: "b\.txt"/);
  assert.equal(await office.names(null), ['GSTR-3B.zip']);
  assert.equal(await office.leftovers(), CLEAN);
  assert.equal(await services.extraction.running(actor), []);
});

test('an extraction interrupted by an unavailable database releases its reservation and is marked failed once the database is back', async (office) => {
  const { db, services, actor } = office;
  const id = await office.zip(files(20));
  const { client } = db as unknown as { client: { transaction(...args: unknown[]): Promise<unknown> } };
  const begin = client.transaction.bind(client);
  let away: boolean | undefined;
  client.transaction = (...args) =>
    away
      ? Promise.reject(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }))
      : begin(...args);
  db.on('query', ({ sql }: { sql: string }) => {
    if (sql.startsWith('INSERT INTO hidden_items')) away ??= true;
  });
  const job = await services.extraction.start(actor, id);
  await services.jobs.idle();
  assert.is(away, true);
  assert.not.equal(await db('storage_reservations'), []);
  away = false;
  const status = async () => (await services.extraction.status(actor, job.id)).status;
  await until(async () => (await status()) === 'failed' && (await db('storage_reservations')).length === 0);
  assert.equal(await db('hidden_items').whereNotNull('planting'), []);
  assert.equal(await office.leftovers(), CLEAN);
  assert.is((await office.unpack(id)).status, 'completed');
});

test('an extraction releases its reservation if the connection breaks before the commit of the reservation is known', async (office) => {
  const { db, services, actor } = office;
  const id = await office.zip(files(3));
  const { client } = db as unknown as { client: { transaction(...args: unknown[]): Promise<unknown> } };
  const begin = client.transaction.bind(client);
  let broken = false;
  db.on('query', ({ sql }: { sql: string }) => {
    if (/^insert into .storage_reservations/.test(sql)) broken = true;
  });
  client.transaction = async (...args) => {
    const done = await begin(...args);
    if (!broken) return done;
    broken = false;
    throw new Error('Connection terminated unexpectedly');
  };
  const job = await services.extraction.start(actor, id);
  await services.jobs.idle();
  assert.is((await services.extraction.status(actor, job.id)).status, 'failed');
  assert.equal(await db('storage_reservations'), []);
});

test('an archive with nothing to keep fails and names the first reason', async (office) => {
  const end = await office.unpack(await office.zip([{ name: 'a.exe' }, { name: 'b.bat' }]));
  assert.equal([end.status, end.code, end.skipped_count], ['failed', 'nothing', 2]);
  assert.match(end.message, /a\.exe: File type "exe"/);
  assert.match((await office.unpack(await office.zip([]))).message, /is empty/);
});

test('a protected archive asks for its password, which is never stored', async (office) => {
  const { actor, db } = office;
  const id = await office.zip([{ name: 'a.txt', data: 'secret', password: 'ABCDE1234F' }]);
  assert.is((await office.unpack(id)).code, 'password_needed');
  assert.is((await office.unpack(id, { password: 'wrong' })).code, 'wrong_password');
  assert.is((await office.unpack(id, { password: 'ABCDE1234F' })).status, 'completed');
  const rows = JSON.stringify([await db('jobs'), await db('audit_events')]);
  assert.not.ok(rows.includes('ABCDE1234F'));
  assert.equal(await office.leftovers(), CLEAN);
  assert.is(actor.role, 'admin');
});

test('only the chosen entries are extracted, with their parent folders', async (office) => {
  const id = await office.zip([...files(9), { name: 'a.txt', data: 'a' }, { name: 'x/y/z.csv', data: '1' }]);
  const end = await office.unpack(id, { entries: ['Client 1', 'x/y/z.csv'] });
  assert.is(end.message, 'Extracted 4 files into "GSTR-3B".');
  assert.equal(await office.names(end.folder_id), ['Client 1', 'x']);
  assert.is((await office.unpack(id, { entries: ['nowhere'] })).code, 'no_entry');
});

test('retrying a failed extraction extracts the entries that were chosen the first time', async (office) => {
  const id = await office.zip([{ name: 'a.txt', data: 'a', password: 'p' }, ...files(3)]);
  const failed = await office.unpack(id, { entries: ['a.txt'] });
  assert.is(failed.code, 'password_needed');
  const end = await office.unpack(id, { again: failed.id, password: 'p' });
  assert.is(end.message, 'Extracted 1 file into "GSTR-3B".');
  const other = await office.zip(files(1));
  await office.services.extraction.start(office.actor, other, { again: failed.id }).then(
    () => assert.unreachable('it is of another ZIP'),
    (error) => assert.is(error.status, 404),
  );
});

test('with `replace` the archive is deleted once all its contents are extracted, and kept if any are missing', async (office) => {
  const end = await office.unpack(await office.zip(files(3)), {}, { replace: true });
  assert.is(end.status, 'completed');
  assert.equal(await office.names(null), ['GSTR-3B']);
  const bad = await office.unpack(
    await office.zip([{ name: '../a.txt' }], { name: 'bad.zip' }),
    {},
    { replace: true },
  );
  assert.match(bad.message, /outside.* The ZIP file was kept\.$/);
  assert.equal(await office.names(null), ['GSTR-3B', 'bad.zip']);
  assert.equal(await office.leftovers(), CLEAN);
});

test('with `replace` an archive of which something was skipped is kept, since that is nowhere else', async (office) => {
  const books = { name: 'books.tsf1', data: 'a ledger' };
  const ignored = { name: '__MACOSX/._a.txt', data: 'x' };
  const id = await office.zip([...files(2), books, ignored], { name: 'mixed.zip' });
  const end = await office.unpack(id, {}, { replace: true });
  assert.is(end.status, 'completed', end.message);
  assert.is(end.message, 'Extracted 2 files into "mixed". 1 skipped. The ZIP file was kept.');
  assert.equal(await office.names(null), ['mixed', 'mixed.zip']);
  await office.unpack(await office.zip([...files(2), ignored]), {}, { replace: true });
  assert.equal(await office.names(null), ['GSTR-3B', 'mixed', 'mixed.zip'], 'what systems add is no loss');
  assert.equal(await office.leftovers(), CLEAN);
});

test('with `replace` an archive that replaced another is kept, or the earlier one would be deleted with its versions and bypass Trash', async (office) => {
  const { services, build, actor } = office;
  const id = await office.zip(files(1));
  const over = { name: 'GSTR-3B.zip', content: forge(files(2)), conflict: 'replace' } as const;
  assert.is((await build.file(actor, over)).id, id);
  const end = await office.unpack(id, {}, { replace: true });
  assert.is(end.message, 'Extracted 2 files into "GSTR-3B". The ZIP file was kept.');
  assert.equal(await office.names(null), ['GSTR-3B', 'GSTR-3B.zip']);
  assert.is((await services.versions.list(actor, id)).earlier.length, 1);
  assert.equal(await office.leftovers(), CLEAN);
});

test('with `replace` an archive under a retention rule or a legal hold stays beside its extracted contents', async (office) => {
  const { services, build, actor } = office;
  const held = await build.client(actor, 'Mehta Ltd');
  const kept = await build.client(actor, 'Meera', { client_type: 'Individual' });
  await services.holds.place(actor, held, { reason: 'Notice of the department' });
  const rule = { name: 'Books', source: '', months: 96, counts_from: 'year_end' } as const;
  await services.retention.add(actor, { ...rule, applies_to: 'client_type', client_type: 'Individual' });
  for (const [index, client_id] of [held, kept].entries()) {
    const parent = await build.folder(actor, `Papers ${index}`);
    const id = await office.zip(files(3), { parent_id: parent.id, client_id });
    const end = await office.unpack(id, {}, { replace: true });
    assert.is(end.status, 'completed', end.message);
    assert.match(end.message, / The ZIP file was kept\.$/);
    assert.equal(await office.names(parent.id), ['GSTR-3B', 'GSTR-3B.zip']);
  }
  assert.equal(await office.leftovers(), CLEAN);
});

test('an archive whose contents would exceed the quota is refused before a byte is written', async (office) => {
  const { actor, db } = office;
  const id = await office.zip([{ name: 'big.csv', method: 8, data: Buffer.alloc(2 * MB) }]);
  await db('firm_usage').insert({
    firm_id: actor.firmId,
    file_type: 'fake',
    files: 1,
    bytes: 1024 ** 3 - MB,
  });
  const before = (await listed(office.blobs)).length;
  const end = await office.unpack(id);
  assert.equal([end.status, end.code], ['failed', 'quota_exceeded']);
  assert.match(end.message, /^Not enough storage/);
  assert.is((await listed(office.blobs)).length, before);
  assert.equal(await db('storage_reservations'), []);
});

test('a file that is no ZIP, does not exist, belongs to another firm or may not be extracted is refused at once', async ({
  services,
  build,
  actor,
  zip,
}) => {
  const text = await build.file(actor);
  const id = await zip(files(1));
  const why = (start: Promise<unknown>) =>
    start.then(
      () => 'started',
      (error: { status: number }) => error.status,
    );
  const { extraction } = services;
  assert.is(await why(extraction.start(actor, text.id)), 422);
  const folder = await services.documents.createFolder(actor, {
    name: 'Visible',
    parent_id: null,
    client_id: null,
  });
  const error = await rejects(extraction.start(actor, folder.id), 422);
  assert.equal([error.code, error.message], ['not_a_zip', 'Only ZIP files can be unpacked.']);
  assert.is(await why(extraction.start(actor, 999_999)), 404);
  const stranger = await build.actor();
  assert.is(await why(extraction.start(stranger, id)), 404);
  assert.is(await why(extraction.start(build.limited(actor), id)), 403);
  const job = await extraction.start(actor, id);
  assert.is(await why(extraction.status(stranger, job.id)), 404);
  assert.is(await why(extraction.cancel(stranger, job.id)), 404);
  await services.jobs.idle();
  assert.is(await why(extraction.cancel(actor, job.id)), 409);
});

test.run();
