import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { heic } from '#server/previews/testing/heic.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('photographs that clients send by a request');
eachOffice(test);

const photo = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();

test('photographs of one row become one PDF in order and upright, also when the sender has closed the page', async (office) => {
  const { address, services, blobs, asha, client } = office;
  const { id, url, rows } = await office.ask(['Bank statement', 'PAN card']);
  const meera = sender(office, address, url);
  const mark = (row: number, batch: string, position: number, content: Buffer) =>
    meera.upload(row, `IMG_${position}.jpg`, content, { batch, position: String(position) });
  // The second page arrives first.
  await mark(rows[0]!, 'batch-one', 2, await photo('#0f0'));
  await mark(rows[0]!, 'batch-one', 1, await photo('#f00'));
  assert.equal(await office.names(null), [], 'they wait for each other');
  const states = async () => (await meera.open()).rows.map(({ state }) => state);
  const onClientPage = async () =>
    (await services.requests.ofClient.asked(asha.actor.firmId, client)).map((of) => [of.arriving, of.wanted]);
  assert.equal(await states(), ['arriving', 'wanted'], 'the client is not asked for what has come');
  assert.equal(await onClientPage(), [[['Bank statement'], ['PAN card']]]);
  await meera.send(`/rows/${rows[0]}/unavailable`, { reason: 'Page 3 is lost' });
  const [listed] = await services.requests.office.list(asha.actor);
  assert.equal([listed!.rows.unavailable, listed!.rows.received], [0, 1], 'the rest has come');
  await meera.send(`/rows/${rows[0]}/available`);
  assert.is((await meera.bind(rows[0]!, 'batch-one')).status, 200);
  const [file] = (await services.requests.office.view(asha.actor, id)).rows[0]!.files;
  assert.is(file!.name, 'Bank statement.pdf');
  assert.equal(await states(), ['received', 'wanted']);
  assert.equal(await onClientPage(), [[[], ['PAN card']]]);
  const { blob_id } = await services.documents.openFile(asha.actor, file!.item_id!);
  const content = (await buffer(await blobs.get(blob_id))).toString('latin1');
  assert.is(content.match(/\/Type \/Page\b(?!s)/g)?.length, 2);
  assert.match(content, '/Width 30', 'turned as the camera noted');
  assert.equal(
    (await meera.open()).rows[0]!.files.map(({ name, photos }) => [name, photos]),
    [['Bank statement.pdf', 2]],
  );

  await mark(rows[1]!, 'batch-two', 1, await photo('#00f'));
  // What was taken is not lost by what the firm decides afterwards.
  await services.sharing.links.set(asha.actor, { enabled: false, max_days: 90 });
  office.advance(21 * 60_000);
  assert.is(await services.collecting.work(), 1);
  assert.is((await services.requests.office.view(asha.actor, id)).rows[1]!.files[0]!.name, 'PAN card.pdf');
  assert.equal(await services.records.recount(), []);
  assert.equal(await office.db('storage_reservations'), []);
});

test('a hundred and twenty photographs become PDFs of sixty pages in the chosen order, whatever order they arrive in, and none is left as a picture', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['Rent receipts']);
  const meera = sender(office, address, url);
  const numbers = Array.from({ length: 122 }, (_, index) => index + 1);
  // The page sends several at a time: the last of a PDF may come after the first of the next.
  for (const position of numbers.toReversed()) {
    const content = await sharp({
      create: { width: position, height: 200, channels: 3, background: '#abc' },
    })
      .jpeg()
      .toBuffer();
    const place = { batch: 'batch-one', position: String(position) };
    assert.is((await meera.upload(rows[0]!, `IMG_${position}.jpg`, content, place)).status, 200);
  }
  assert.is((await meera.bind(rows[0]!, 'batch-one')).status, 200);
  const names = ['Rent receipts.pdf', 'Rent receipts part 2.pdf', 'Rent receipts part 3.pdf'];
  const { files } = (await services.requests.office.view(asha.actor, id)).rows[0]!;
  assert.equal(files.map(({ name }) => name).toSorted(), names.toSorted());
  const widths: number[][] = [];
  for (const name of names) {
    const { item_id } = files.find((file) => file.name === name)!;
    const { blob_id } = await services.documents.openFile(asha.actor, item_id!);
    const content = (await buffer(await office.blobs.get(blob_id))).toString('latin1');
    widths.push([...content.matchAll(/\/Width (\d+)/g)].map(([, width]) => Number(width)));
  }
  assert.equal(widths, [numbers.slice(0, 60), numbers.slice(60, 120), numbers.slice(120)]);
  const shown = async () =>
    (await meera.open()).rows[0]!.files.map(({ name, photos }) => `${name}: ${photos}`);
  const all = [`${names[0]}: 60`, `${names[1]}: 60`, `${names[2]}: 2`];
  assert.equal((await shown()).toSorted(), all.toSorted());
  const { id: first } = files.find(({ name }) => name === names[0])!;
  assert.is((await meera.send(`/arrivals/${first}/back`)).get('said'), 'taken_back');
  assert.equal((await shown()).toSorted(), all.slice(1), 'the others keep their names');
  assert.equal(await services.records.recount(), []);
  assert.equal(await office.db('storage_reservations'), []);
});

test('a photograph that cannot be read is no page of the PDF, and is named as the file that it stays', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['PAN card']);
  const meera = sender(office, address, url);
  const good = await photo('#123');
  for (const [position, content] of [
    good,
    Buffer.concat([good.subarray(0, 40), Buffer.alloc(300, 7)]),
  ].entries())
    await meera.upload(rows[0]!, `IMG_${position}.jpg`, content, {
      batch: 'batch-one',
      position: `${position}`,
    });
  assert.is((await meera.bind(rows[0]!, 'batch-one')).status, 200);
  assert.equal(
    (await services.requests.office.view(asha.actor, id)).rows[0]!.files.map(({ name }) => name),
    ['PAN card.pdf', 'PAN card.jpg'],
  );
  assert.equal(
    (await meera.open()).rows[0]!.files.map(({ name, photos }) => [name, photos]),
    [
      ['PAN card.pdf', 1],
      ['IMG_1.jpg', 0],
    ],
  );
});

test('the answer names the photographs that are no pages, in the order in which they were chosen, or the client takes two files for one PDF', async (office) => {
  const { address } = office;
  const { url, rows } = await office.ask(['PAN card']);
  const meera = sender(office, address, url);
  const broken = (n: number) => Buffer.concat([heic().subarray(0, 40), Buffer.alloc(300, n)]);
  for (const position of [2, 1])
    await meera.upload(rows[0]!, `IMG_${position}.HEIC`, broken(position), {
      batch: 'batch-one',
      position: `${position}`,
    });
  const bound = await meera.bind(rows[0]!, 'batch-one');
  const { data } = (await bound.json()) as { data: { unread: string[] } };
  const names = ['IMG_1.HEIC', 'IMG_2.HEIC'];
  assert.equal(data.unread, names);
  assert.equal(
    (await meera.open()).rows[0]!.files.map(({ name }) => name),
    names,
  );
});

test('photographs of phones, in HEIC and of 40 MB, become pages like others', async (office) => {
  const { address, services, blobs, asha } = office;
  const { id, url, rows } = await office.ask(['PAN card']);
  const meera = sender(office, address, url);
  const taken = await sharp({ create: { width: 6000, height: 4500, channels: 3, background: '#abc' } })
    .jpeg()
    .toBuffer();
  // What a camera writes behind the picture, such as the film of a second around it.
  const large = Buffer.concat([taken, Buffer.alloc(40 * 1024 * 1024 - taken.length, 7)]);
  const mark = (name: string, position: number, content: Buffer) =>
    meera.upload(rows[0]!, name, content, { batch: 'batch-one', position: String(position) });
  assert.is((await mark('IMG_1.HEIC', 1, heic())).status, 200);
  assert.is((await mark('IMG_2.jpg', 2, large)).status, 200);
  assert.is((await meera.bind(rows[0]!, 'batch-one')).status, 200);
  const { files } = (await services.requests.office.view(asha.actor, id)).rows[0]!;
  assert.equal(
    files.map(({ name }) => name),
    ['PAN card.pdf'],
  );
  const { blob_id, size } = await services.documents.openFile(asha.actor, files[0]!.item_id!);
  const content = (await buffer(await blobs.get(blob_id))).toString('latin1');
  assert.match(content, '/Width 96', 'the first');
  assert.match(content, '/Width 3508', 'the second, as a page is printed');
  assert.ok(size < 1024 * 1024, 'and no 40 MB');
});

test('a photograph with a wrong extension gets the right one, and a password-protected PDF is kept and marked as locked', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['PAN card']);
  const meera = sender(office, address, url);
  await meera.files(rows[0]!, [['Card of Meera.pdf', await photo('#123')]]);
  await meera.files(rows[0]!, [['AIS.pdf', pdf('trailer << /Encrypt 5 0 R >>')]]);
  const { files } = (await services.requests.office.view(asha.actor, id)).rows[0]!;
  assert.equal(
    files.map(({ name, reason }) => [name, reason]),
    [
      ['Card of Meera.jpg', null],
      ['AIS.pdf', 'locked'],
    ],
  );
});

test.run();
