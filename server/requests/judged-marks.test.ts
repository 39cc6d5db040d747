import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice } from './testing/office.ts';
import { accept, sendBack, statements, undo, WRONG_YEAR } from './testing/statements.ts';

const test = suite<Office>('what lists and the history say of judged files');
eachOffice(test);

test('every list of the drive says of a file that it was sent back and why, until it is accepted after all', async (office) => {
  const { services, asha } = office;
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  const marks = async () => {
    const { folder_id, rows } = await line.view();
    const { items } = await services.documents.folder(asha.actor, folder_id);
    const { item } = await services.details.of(asha.actor, rows[0]!.files[1]!.item_id!);
    return [items.map(({ name, sent_back }) => [name, sent_back]), item.sent_back];
  };
  const unmarked = [
    ['April.pdf', undefined],
    ['May.pdf', undefined],
  ];
  assert.equal(await marks(), [unmarked, undefined]);
  await line.judgeFile('May.pdf', WRONG_YEAR);
  assert.equal(await marks(), [[unmarked[0], ['May.pdf', WRONG_YEAR.reason]], WRONG_YEAR.reason]);
  const { items: filtered } = await services.documents.files(asha.actor, { sent_back: '1' });
  assert.equal(
    filtered.map(({ name }) => name),
    ['May.pdf'],
  );
  // A reason that an earlier version did not record.
  await office.db('arrivals').where({ judged: 'returned' }).update({ judged_reason: null });
  assert.equal(await marks(), [[unmarked[0], ['May.pdf', '']], '']);
  await line.judgeFile('May.pdf', accept);
  assert.equal(await marks(), [unmarked, undefined]);
  await line.judge(sendBack('June is missing'));
  assert.equal(await marks(), [[['April.pdf', 'June is missing'], unmarked[1]], undefined], 'with its line');
});

test('the mark of a file that was sent back ends while its line is accepted, so that what is marked is what is still open', async (office) => {
  const { services, asha } = office;
  const line = await statements(office, ['April.pdf', 'May.pdf']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  await line.send('April (2).pdf');
  const marked = async () => {
    const { items } = await services.documents.files(asha.actor, { sent_back: '1' });
    const { folder_id } = await line.view();
    const inFolder = (await services.documents.folder(asha.actor, folder_id)).items;
    assert.equal(
      inFolder.filter((item) => item.sent_back !== undefined).map(({ name }) => name),
      items.map(({ name }) => name),
    );
    return items.map(({ name, sent_back }) => [name, sent_back]);
  };
  const before = [await marked(), await line.row(), await line.asked()];
  assert.equal(before[0], [['April.pdf', WRONG_YEAR.reason]]);
  await line.judge(accept);
  assert.equal(await marked(), []);
  assert.equal((await line.asked())[3], [], 'as on the page of the client');
  await line.judge(undo);
  assert.equal([await marked(), await line.row(), await line.asked()], before, 'an undo is as before');
});

test('the mark of a file that was sent back ends with its request and with its client, since nobody could accept it then', async (office) => {
  const { services, asha, client } = office;
  const first = await statements(office, ['April.pdf']);
  const second = await statements(office, ['May.pdf']);
  await first.judgeFile('April.pdf', WRONG_YEAR);
  await second.judge(WRONG_YEAR);
  const ids = [first, second].map(async ({ view }) => (await view()).rows[0]!.files[0]!.item_id!);
  const items = await Promise.all(ids);
  const marks = async () =>
    (await services.documents.views(asha.actor, items)).map(({ name, sent_back }) => [name, sent_back]);
  assert.equal(await marks(), [
    ['April.pdf', WRONG_YEAR.reason],
    ['May.pdf', WRONG_YEAR.reason],
  ]);
  await services.requests.office.remove(asha.actor, first.id);
  assert.equal(await marks(), [
    ['April.pdf', undefined],
    ['May.pdf', WRONG_YEAR.reason],
  ]);
  await services.clients.remove(asha.actor, client);
  assert.equal((await marks())[1], ['May.pdf', undefined]);
});

test('the history says of a file and of a whole document that they were accepted or sent back, and why, also once the request is deleted', async (office) => {
  const { services, asha } = office;
  const line = await statements(office, ['April.pdf']);
  await line.judgeFile('April.pdf', WRONG_YEAR);
  await line.judgeFile('April.pdf', accept);
  await line.judge(undo);
  await line.judge(sendBack('May is missing'));
  const { item_id } = (await line.view()).rows[0]!.files[0]!;
  const { data } = await services.audit.list(asha.actor, { item: item_id! });
  assert.equal(
    [data[0]!, ...data.slice(2, 4)].map(({ what, about }) => [what, about]),
    [
      ['Sent back what came for a request', 'ITR FY 2025-26, Bank statement: May is missing'],
      ['Accepted a file that came for a request', 'April.pdf, Bank statement'],
      ['Sent back a file that came for a request', 'April.pdf, Bank statement: This is of 2024-25'],
    ],
  );
  const csv = await text((await services.audit.csv(asha.actor)).open());
  assert.match(csv, 'row: Bank statement');
  assert.not.match(csv, /(?:request|row id|undone): \d/, 'ids say nothing to whoever reads the CSV');
  await line.judge(accept);
  await services.documents.remove(asha.actor, [item_id!]);
  await services.requests.office.remove(asha.actor, line.id);
  const told = (await services.audit.list(asha.actor, {})).data;
  const about = (did: string) => told.find((entry) => entry.did === did)?.about;
  assert.is(about('request.received'), 'April.pdf, Bank statement', 'of a file in Trash');
  assert.is(about('request.accept'), 'ITR FY 2025-26, Bank statement', 'of a deleted request');
});

test.run();
