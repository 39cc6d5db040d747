import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DriveWorld } from './testing/drive.ts';
import { driveWorld } from './testing/drive.ts';

/** Without Trash nothing that is replaced by mistake comes back. */
const test = suite<DriveWorld>('what a copy or move on the drive replaces');
test.before.each(async (office) => void Object.assign(office, await driveWorld({ trashDays: 0 })));
test.after.each((office) => office.close());

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

test.run();
