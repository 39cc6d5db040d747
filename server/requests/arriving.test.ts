import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('what clients send by a request');
eachOffice(test);

test('files of a plain form and over tus lie in a folder of the request, tied to the client and new until opened', async (office) => {
  const { asha, services, client, address } = office;
  const { id, url, rows } = await office.ask(['Form 16 for FY 2025-26', 'Bank statement']);
  const meera = sender(office, address, url);
  assert.is((await meera.files(rows[0]!, [['IMG_2041.pdf', pdf('one')]])).get('said'), 'arrived');
  const last = await meera.upload(rows[1]!, 'HDFC April.pdf', pdf('two'));
  assert.is(last.status, 200, await last.clone().text());

  const view = await services.requests.office.view(asha.actor, id);
  assert.equal(
    view.rows.map(({ state, files }) => [state, files.map(({ name, is_new }) => [name, is_new])]),
    [
      ['received', [['Form 16 for FY 2025-26.pdf', true]]],
      ['received', [['HDFC April.pdf', true]]],
    ],
  );
  assert.is(view.waiting_for, 'office');
  const folder = view.folder_id!;
  assert.equal(await office.names(null), ['ITR FY 2025-26']);
  const [item] = await services.documents.views(asha.actor, [folder]);
  assert.is(item?.client_id, client);
  await services.documents.noteOpened(asha.actor, view.rows[1]!.files[0]!.item_id!);
  await services.deferred.flush();
  assert.is((await services.requests.office.view(asha.actor, id)).fresh, 1);
  assert.equal(await office.db('storage_reservations'), []);
  assert.equal(await services.records.recount(), []);
});

test('what is no document, or not what its name says, is refused with its reason, and leaves nothing', async (office) => {
  const { address, db } = office;
  const { url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
  const answered = await meera.upload(rows[0]!, 'form.pdf', program);
  const body = (await answered.json()) as { code: string; message: string };
  assert.equal([answered.status, body.code], [422, 'program']);
  assert.is((await meera.begin('none.pdf', 0, { row: String(rows[0]) })).status, 422);
  assert.is((await meera.begin('big.pdf', 251 * 1024 * 1024, { row: String(rows[0]) })).status, 422);
  for (const [name, content, code] of [
    ['form.pdf', program, 'program'],
    ['form.pdf', Buffer.from('no PDF at all'), 'not_what_it_says'],
    ['form.exe', Buffer.from('text'), 'kind'],
    ['form.pdf', Buffer.alloc(0), 'empty'],
  ] as const) {
    const said = await meera.files(rows[0]!, [[name, content]]);
    assert.equal([said.get('said'), said.get('file')], [code, name]);
  }
  assert.equal(await office.names(null), []);
  assert.equal(await db('arrivals'), []);
  assert.equal(await db('storage_reservations'), []);
  assert.is((await meera.open()).rows[0]!.state, 'wanted');
});

test.run();
