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

test.run();
