import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('documents that clients send again');
eachOffice(test);

test('the same file is stored once, nothing is overwritten, and a document that was sent back can be sent again', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  await meera.files(rows[0]!, [['Form.pdf', pdf('one')]]);
  const again = (await (await meera.upload(rows[0]!, 'Form.pdf', pdf('one'))).json()) as {
    data: { again: boolean };
  };
  assert.ok(again.data.again);
  await meera.files(rows[0]!, [['Form.pdf', pdf('two')]]);
  const names = async () =>
    (await services.requests.office.view(asha.actor, id)).rows[0]!.files.map(({ name }) => name);
  assert.equal(await names(), ['Form.pdf', 'Form (2).pdf']);
  await services.requests.office.judge(asha.actor, id, rows[0]!, {
    state: 'returned',
    reason: 'Page 2 is missing',
  });
  const asked = (await meera.open()).rows[0]!;
  assert.equal([asked.state, asked.reason, asked.files], ['returned', 'Page 2 is missing', []]);
  await meera.files(rows[0]!, [['Form.pdf', pdf('one')]]);
  assert.is((await names()).length, 3);
});

test('a receipt counts what has come after it until there is a new one, or it would say that all is done without the newer files', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN card']);
  const meera = sender(office, address, url);
  for (const row of rows) await meera.files(row, [['First.pdf', pdf('one')]]);
  await meera.send('/done');
  const newer = async () => (await meera.open()).receipt?.newer;
  assert.is(await newer(), 0);
  const judge = { state: 'returned', reason: 'Not legible' } as const;
  await services.requests.office.judge(asha.actor, id, rows[0]!, judge);
  assert.is(await newer(), 0);
  office.advance(60_000);
  await meera.files(rows[0]!, [['Second.pdf', pdf('two')]]);
  assert.is(await newer(), 1);
  await meera.send('/done');
  assert.equal((await meera.open()).receipt?.newer, 0);
});

test('what a process of the last release sends back counts, and it sees what this one sent back: or a file sent again is dropped as known', async (office) => {
  const { address, services, asha, db } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN card']);
  const meera = sender(office, address, url);
  const send = async (row: number) => {
    const answered = await meera.upload(rows[row]!, 'Form.pdf', pdf('one'));
    return ((await answered.json()) as { data: { again: boolean } }).data.again;
  };
  const ofRow = (row: number) => db('arrivals').where({ slot: rows[row] });
  await send(0);
  await ofRow(0).update({ superseded: 1 });
  assert.is((await services.requests.office.view(asha.actor, id)).rows[0]!.files[0]!.judged, 'returned');
  assert.is(await send(0), false, 'it counts as new');

  await send(1);
  const judge = { state: 'returned', reason: 'Not legible' } as const;
  await services.requests.office.judge(asha.actor, id, rows[1]!, judge);
  assert.equal(await ofRow(1).pluck('superseded'), [1]);
  await ofRow(1).update({ superseded: 0 });
  const { rows: shown } = await services.requests.office.view(asha.actor, id);
  assert.is(shown[1]!.files[0]!.judged, null);
  const { item } = await services.details.of(asha.actor, shown[1]!.files[0]!.item_id!);
  assert.is(item.sent_back, undefined, 'nor is it marked in the drive');
});

test('a file sent again after the office has trashed or replaced the first copy is filed again, or Trash would purge the only one', async (office) => {
  const { address, services, asha, db } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  const send = async () => {
    const answered = await meera.upload(rows[0]!, 'Form.pdf', pdf('one'));
    return ((await answered.json()) as { data: { again: boolean } }).data.again;
  };
  const files = async () => {
    const { folder_id } = await services.requests.office.view(asha.actor, id);
    return (await services.documents.folder(asha.actor, folder_id)).items;
  };
  assert.is(await send(), false);
  const [first] = await files();
  await services.documents.remove(asha.actor, [first!.id]);
  const shown = async (actor = asha.actor) =>
    (await services.requests.office.view(actor, id)).rows[0]!.files.map(({ in_trash }) => in_trash);
  assert.equal(await shown(), [true], 'the office is told where it is');
  const permissions = asha.actor.permissions.filter((one) => one !== 'documents.delete');
  assert.equal(await shown({ ...asha.actor, permissions }), [false], 'not who may not open Trash');
  assert.is(await send(), false, 'the first is in Trash');
  assert.equal(await shown(), [true, false]);
  const [second, ...others] = await files();
  assert.equal([second!.name, others], ['Form.pdf', []]);
  assert.is(await send(), true, 'the second is in the drive');

  await office.build.file(asha.actor, {
    name: 'Form.pdf',
    content: pdf('signed by the office'),
    parent_id: (await services.requests.office.view(asha.actor, id)).folder_id,
    conflict: 'replace',
  });
  assert.is((await files()).length, 1);
  assert.is(await send(), true, 'an earlier version has it');
  const { earlier } = await services.versions.list(asha.actor, second!.id);
  await services.versions.remove(asha.actor, { item: second!.id, version: earlier[0]!.id! });
  assert.is(await send(), false, 'no version has it');
  assert.is((await files()).length, 2);
  assert.is((await db('arrivals')).length, 3);
});

test('photographs that are chosen again after the page was loaded anew become one document with the others, in order', async (office) => {
  const { address, services, asha, blobs, db } = office;
  const { id, url, rows } = await office.ask(['Passbook']);
  const meera = sender(office, address, url);
  const photos = await Promise.all(
    [30, 40, 50].map((width) =>
      sharp({ create: { width, height: 20, channels: 3, background: '#abc' } })
        .jpeg()
        .toBuffer(),
    ),
  );
  const send = async (batch: string, count: number) => {
    for (const [index, content] of photos.slice(0, count).entries()) {
      const position = String(index + 1);
      const answered = await meera.upload(rows[0]!, `IMG_${position}.jpg`, content, { batch, position });
      assert.is(answered.status, 200);
    }
  };
  await send('batch-one', 2);
  office.advance(15 * 60_000);
  await send('batch-two', 3);
  office.advance(15 * 60_000);
  assert.is(await services.collecting.work(), 0, 'those of before wait with the new one');
  assert.is((await meera.bind(rows[0]!, 'batch-two')).status, 200);
  const { files } = (await services.requests.office.view(asha.actor, id)).rows[0]!;
  assert.equal(
    files.map(({ name }) => name),
    ['Passbook.pdf'],
  );
  const { blob_id } = await services.documents.openFile(asha.actor, files[0]!.item_id!);
  const content = (await buffer(await blobs.get(blob_id))).toString('latin1');
  const widths = [...content.matchAll(/\/Width (\d+)/g)].map(([, width]) => Number(width));
  assert.equal(widths, [30, 40, 50]);
  assert.equal(
    (await meera.open()).rows[0]!.files.map(({ photos }) => photos),
    [3],
  );
  assert.is((await db('arrivals')).length, 3);
  assert.equal(await services.records.recount(), []);
});

test.run();
