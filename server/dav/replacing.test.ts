import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '#server/testing/build.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { DriveWorld } from './testing/drive.ts';
import { driveWorld } from './testing/drive.ts';

/** Without Trash nothing that is replaced by mistake comes back. */
const test = suite<DriveWorld>('what a copy or move on the drive replaces');
test.before.each(async (office) => void Object.assign(office, await driveWorld({ trashDays: 0 })));
test.after.each((office) => office.close());

const RULE = {
  name: 'Eight years',
  source: 'Section 128 of the Companies Act',
  applies_to: 'everything' as const,
  months: 96,
  counts_from: 'put_in' as const,
};
const NO_DELETION = { permissions_taken: JSON.stringify(['documents.delete']) };
const to = (destination: string) => ({ headers: { destination } });
const stored = async ({ blobs }: DriveWorld) => (await Array.fromAsync(blobs.list())).length;
const fill = async ({ db, actor }: DriveWorld) =>
  void (await db('firm_usage')
    .where({ firm_id: actor.firmId })
    .update({ bytes: 5 * 1024 ** 4 }));

test('a temporary file that cannot become a document keeps its bytes, since programs save a day of work that way', async (office) => {
  const { dav, services, actor } = office;
  await dav('PUT', '/dav/Report.docx', { body: 'old' });
  await dav('PUT', '/dav/Draft.tmp', { body: 'a day of work' });
  const before = await stored(office);
  const report = await services.documents.childNamed(actor, null, 'Report.docx');
  await services.seals.seal(actor, report!.id, { reason: 'signed' });
  const sealed = await dav('MOVE', '/dav/Draft.tmp', to('/dav/Report.docx'));
  assert.is(Math.floor(sealed.status / 100), 4, sealed.text);
  assert.is((await dav('GET', '/dav/Draft.tmp')).text, 'a day of work');

  await fill(office);
  assert.is((await dav('MOVE', '/dav/Draft.tmp', to('/dav/Another.docx'))).status, 507);
  assert.is((await dav('GET', '/dav/Draft.tmp')).text, 'a day of work');
  assert.is(await stored(office), before);
  await office.db('firm_usage').where({ firm_id: actor.firmId }).update({ bytes: 0 });
  assert.is((await dav('MOVE', '/dav/Draft.tmp', to('/dav/Another.docx'))).status, 201);
  assert.is((await dav('GET', '/dav/Another.docx')).text, 'a day of work');
  assert.is((await dav('GET', '/dav/Draft.tmp')).status, 404);
});

test('of two moves of a temporary file one succeeds, and its bytes are in one place', async (office) => {
  const { dav } = office;
  await dav('PUT', '/dav/a.tmp', { body: 'work' });
  const moves = await Promise.all(
    ['b.tmp', 'b.docx'].map((name) => dav('MOVE', '/dav/a.tmp', to(`/dav/${name}`))),
  );
  assert.equal(moves.map(({ status }) => status).toSorted(), [201, 404]);
  const found = await Promise.all(['a.tmp', 'b.tmp', 'b.docx'].map((name) => dav('GET', `/dav/${name}`)));
  assert.equal(
    found.filter(({ status }) => status === 200).map(({ text }) => text),
    ['work'],
  );
  assert.is(await stored(office), 1);
  await dav('PUT', '/dav/c.tmp', { body: 'kept' });
  assert.is((await dav('MOVE', '/dav/c.tmp', to('/dav/C.TMP'))).status, 204);
  assert.is((await dav('GET', '/dav/C.TMP')).text, 'kept');
});

test('a folder stays where a file cannot take its place', async (office) => {
  const { dav } = office;
  await dav('MKCOL', '/dav/Accounts');
  await dav('PUT', '/dav/Accounts/Ledger.xlsx', { body: 'ledger' });
  await dav('PUT', '/dav/Accounts.pdf', { body: 'pdf' });
  await dav('PUT', '/dav/Draft.tmp', { body: 'draft' });
  for (const method of ['COPY', 'MOVE'])
    for (const name of ['Accounts.pdf', 'Draft.tmp'])
      assert.ok((await dav(method, `/dav/${name}`, to('/dav/Accounts'))).status >= 400, `${method} ${name}`);
  assert.is((await dav('GET', '/dav/Accounts/Ledger.xlsx')).text, 'ledger');
  assert.is((await dav('GET', '/dav/Accounts.pdf')).text, 'pdf');
  assert.is((await dav('GET', '/dav/Draft.tmp')).text, 'draft');
});

test('a folder that gives way to a file, or to another folder, stays until that is complete', async (office) => {
  const { dav } = office;
  for (const folder of ['A.pdf', 'B.pdf', 'C.pdf', 'D', 'E']) {
    await dav('MKCOL', `/dav/${folder}`);
    await dav('PUT', `/dav/${folder}/in ${folder}.txt`.replaceAll(' ', '%20'), { body: folder });
  }
  await dav('PUT', '/dav/file.pdf', { body: 'pdf' });
  await dav('PUT', '/dav/Draft.tmp', { body: 'draft' });
  const { bytes } = (await office.db('firm_usage').first('bytes')) as { bytes: number };
  await fill(office);
  assert.is((await dav('COPY', '/dav/file.pdf', to('/dav/A.pdf'))).status, 507);
  assert.is((await dav('MOVE', '/dav/Draft.tmp', to('/dav/A.pdf'))).status, 507);
  assert.is((await dav('COPY', '/dav/D', to('/dav/E'))).status, 507);
  assert.is((await dav('GET', '/dav/A.pdf/in%20A.pdf.txt')).text, 'A.pdf');
  assert.is((await dav('GET', '/dav/E/in%20E.txt')).text, 'E');
  assert.not.ok(
    (await office.names()).some((name) => name.includes('(2)')),
    'nothing half copied',
  );

  await office.db('firm_usage').update({ bytes });
  assert.is((await dav('COPY', '/dav/file.pdf', to('/dav/A.pdf'))).status, 204);
  assert.is((await dav('MOVE', '/dav/Draft.tmp', to('/dav/B.pdf'))).status, 204);
  assert.is((await dav('MOVE', '/dav/file.pdf', to('/dav/C.pdf'))).status, 204);
  assert.is((await dav('COPY', '/dav/D', to('/dav/E'))).status, 204);
  const texts = await Promise.all(
    ['A.pdf', 'B.pdf', 'C.pdf', 'E/in%20D.txt'].map((path) => dav('GET', `/dav/${path}`)),
  );
  assert.equal(
    texts.map(({ text }) => text),
    ['pdf', 'draft', 'pdf', 'D'],
  );
  assert.equal((await office.names()).toSorted(), ['A.pdf', 'B.pdf', 'C.pdf', 'D', 'E']);
  assert.is((await dav('MOVE', '/dav/E', to('/dav/D'))).status, 204);
  assert.is((await dav('GET', '/dav/D/in%20D.txt')).text, 'D');
});

test('a document that has to stay where it is does not replace another one either, since a refused move leaves both as they were', async (office) => {
  const { dav, services, actor, build, program } = office;
  await dav('PUT', '/dav/Letter.txt', { body: 'sent' });
  await dav('PUT', '/dav/Letter%20new.txt', { body: 'draft' });
  const draft = (await services.documents.childNamed(actor, null, 'Letter new.txt'))!;
  const refused = async (why: string, drive = dav) => {
    const { status, text } = await drive('MOVE', '/dav/Letter%20new.txt', to('/dav/Letter.txt'));
    assert.is(status, 403, `${why}: ${text}`);
    assert.is((await dav('GET', '/dav/Letter.txt')).text, 'sent', why);
    assert.is((await dav('GET', '/dav/Letter%20new.txt')).text, 'draft', why);
  };
  const { email, actor: article } = await build.colleague(actor);
  const drive = await program({ actor: article, email });
  await office.db('users').where({ id: article.userId }).update(NO_DELETION);
  await refused('of one who may not delete', drive);
  const count = await stored(office);
  await services.seals.seal(actor, draft.id, { reason: 'signed' });
  await refused('sealed');
  await services.seals.break(actor, draft.id, { reason: 'open again', current_password: PASSWORD });
  await services.retention.add(actor, RULE);
  await refused('kept by a rule');
  assert.is(await stored(office), count, 'no bytes are left over');
});

test('a document with more properties of programs than fit beside those of the other is not copied over it at all', async (office) => {
  const { dav } = office;
  for (const name of ['a', 'b']) {
    await dav('PUT', `/dav/${name}.txt`, { body: name });
    const all = Array.from({ length: 40 }, (_, index) => `<x:${name}${index}>1</x:${name}${index}>`).join('');
    const body = `<d:propertyupdate xmlns:d="DAV:" xmlns:x="urn:x"><d:set><d:prop>${all}</d:prop></d:set></d:propertyupdate>`;
    assert.is((await dav('PROPPATCH', `/dav/${name}.txt`, { body })).status, 207);
  }
  for (const method of ['COPY', 'MOVE']) {
    assert.is((await dav(method, '/dav/a.txt', to('/dav/b.txt'))).status, 507);
    assert.is((await dav('GET', '/dav/a.txt')).text, 'a', method);
    assert.is((await dav('GET', '/dav/b.txt')).text, 'b', method);
  }
});

/** A folder with a folder and files. @returns the blob of the second file. */
async function auditFolder({ dav, services, actor, db }: DriveWorld) {
  await dav('MKCOL', '/dav/Audit');
  await dav('MKCOL', '/dav/Audit/Inner');
  await dav('MKCOL', '/dav/Taken');
  for (const name of ['Inner/a.txt', 'b.txt', 'c.txt'])
    await dav('PUT', `/dav/Audit/${name}`, { body: name });
  const audit = (await services.documents.childNamed(actor, null, 'Audit'))!;
  const { id } = (await services.documents.childNamed(actor, audit.id, 'b.txt'))!;
  return (await db('items').where({ id }).first('blob_id')).blob_id as string;
}

test('a copy of a folder with a file in quarantine is refused before anything is copied, not only when its turn comes', async (office) => {
  const { dav, services, actor, db } = office;
  const blob_id = await auditFolder(office);
  const now = office.now().toISOString();
  const waiting = { state: 'waiting', source: 'office', tries: 0, next_try_at: now, created_at: now };
  const held = { blob_id, firm_id: actor.firmId, name: 'b.txt', bytes: 1, ...waiting };
  await db('quarantined_blobs').insert(held);
  await services.retention.add(actor, RULE);
  for (const name of ['Copy', 'Taken']) {
    assert.is((await dav('COPY', '/dav/Audit', to(`/dav/${name}`))).status, 409);
    assert.equal((await office.names()).toSorted(), ['Audit', 'Taken']);
  }
});

test('a copy of a folder that fails half-way leaves nothing, whether its user may delete or a rule keeps everything, since nobody would know what is missing', async (office) => {
  const { dav, actor, build, db, blobs, program, services } = office;
  await blobs.delete(await auditFolder(office));
  const { email, actor: article } = await build.colleague(actor);
  const drive = await program({ actor: article, email });
  await db('users').where({ id: article.userId }).update(NO_DELETION);
  const usage = () => db('firm_usage').where({ firm_id: actor.firmId }).first();
  const before = await usage();
  const count = await stored(office);
  const fails = async (by: typeof dav, name: string) => {
    const { status, text } = await by('COPY', '/dav/Audit', to(`/dav/${name}`));
    assert.ok(status >= 400, text);
    assert.equal((await office.names()).toSorted(), ['Audit', 'Taken']);
  };
  for (const by of [dav, drive]) for (const name of ['Copy', 'Taken']) await fails(by, name);
  await services.retention.add(actor, RULE);
  await fails(dav, 'Copy');
  assert.equal(await usage(), before, 'nor is it charged');
  assert.is(await stored(office), count, 'no bytes are left over');
});

test('a copy that the database refuses at its end leaves nothing, and one whose name is taken meanwhile is no second folder', async (office) => {
  const { dav, services, actor, db } = office;
  await auditFolder(office);
  await services.retention.add(actor, RULE);
  const count = await stored(office);
  const allow = await refuseWrites(db, 'hidden_items', 'DELETE');
  assert.ok((await dav('COPY', '/dav/Audit', to('/dav/Copy'))).status >= 500);
  await allow();
  assert.equal((await office.names()).toSorted(), ['Audit', 'Taken']);
  await services.sweeper.drain();
  assert.is(await stored(office), count, 'no bytes are left over');
  const tree = { name: 'TAKEN', folders: [], files: [] };
  const place = { parent_id: null, replaced: null };
  await rejects(
    services.documents.addCopy(actor, place, tree, async () => {}),
    422,
  );
  await services.sweeper.drain();
  assert.is((await db('hidden_items')).length, 0);
});

test('a copied folder takes the client of its new place, and its history and the properties of programs tell of each file', async (office) => {
  const { dav, services, actor, build, db } = office;
  await auditFolder(office);
  const client_id = await build.client(actor, 'Meera Iyer');
  await services.documents.createFolder(actor, { name: 'Meera', parent_id: null, client_id });
  const body = `<d:propertyupdate xmlns:d="DAV:" xmlns:x="urn:x"><d:set><d:prop><x:of>a</x:of></d:prop></d:set></d:propertyupdate>`;
  await dav('PROPPATCH', '/dav/Audit/Inner/a.txt', { body });
  assert.is((await dav('COPY', '/dav/Audit', to('/dav/Meera/Copy'))).status, 201);
  const copied = await db('items').where({ client_id }).orderBy('id').select('id', 'name');
  assert.equal(copied.map(({ name }) => name).toSorted(), [
    'Copy',
    'Inner',
    'Meera',
    'a.txt',
    'b.txt',
    'c.txt',
  ]);
  const file = copied.find(({ name }) => name === 'a.txt');
  assert.equal(
    await db('dav_properties')
      .where({ item_id: file.id })
      .pluck('value')
      .then((all) => all.length),
    1,
  );
  const events = await db('audit_events')
    .where({ subject: `item:${file.id}` })
    .pluck('did');
  assert.equal(events, ['document.upload']);
  assert.is((await dav('GET', '/dav/Meera/Copy/Inner/a.txt')).text, 'Inner/a.txt');
});

test('the history of a copied folder is written by one statement, since everybody who saves waits until it is', async (office) => {
  const { dav, db } = office;
  await auditFolder(office);
  let statements = 0;
  db.on('query', ({ sql }: { sql: string }) => void (statements += Number(/INTO audit_events/i.test(sql))));
  assert.is((await dav('COPY', '/dav/Audit', to('/dav/Copy'))).status, 201);
  assert.is(statements, 1);
});

test('a folder of more items than may be copied in one go is refused before any of it is copied', async (office) => {
  const { dav, services, actor, db, build } = office;
  const beside = (await build.file(actor, { name: 'all.zip' })).id;
  const reservation = await db.transaction((trx) => services.documents.reserve(trx, actor, 0));
  const folders = Array.from({ length: 5001 }, (_, index) => ({ name: `Client ${index}`, parent: -1 }));
  const place = { beside, replace: null, reservation };
  const { signal } = new AbortController();
  await services.documents.addTree(
    actor,
    place,
    { name: 'Clients', folders, files: [] },
    signal,
    async () => {},
  );
  const { status, text } = await dav('COPY', '/dav/Clients', to('/dav/Copy'));
  assert.is(status, 403);
  assert.match(text, 'more than 5000 items');
  assert.is((await db('item_rows').where({ name: 'Copy' })).length, 0);
});

test.run();
