import sharp from 'sharp';
import { suite } from 'uvu';
import * as v from 'valibot';
import * as assert from 'uvu/assert';
import { ruleInput } from '../documents/retention/contract.ts';
import { makeShare } from '../sharing/contract.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';
import { accept, sendBack } from './testing/statements.ts';

const test = suite<Office>('files that a client takes back');
eachOffice(test);

const MONTHS = 'April May June July August September October November December January'.split(' ');

/** A client who has sent these files for one row. */
async function sent(office: Office, ...names: string[]) {
  const { services, asha, address } = office;
  const asked = await office.ask(['Bank statement']);
  const [row] = asked.rows as [number];
  const meera = sender(office, address, asked.url);
  // Each step is later than the one before it.
  office.tick(1);
  const send = (...some: string[]) =>
    meera.files(
      row,
      some.map((name) => [name, pdf(name)]),
    );
  if (names.length > 0) await send(...names);
  const view = async () => (await services.requests.office.view(asha.actor, asked.id)).rows[0]!;
  const file = async (name: string) => (await view()).files.find((one) => one.name === name)!;
  return {
    ...asked,
    row,
    meera,
    send,
    view,
    file,
    takeBack: async (name: string) =>
      (await meera.send(`/arrivals/${(await file(name)).id}/back`)).get('said'),
    /** What the page offers to take back. */
    async offered() {
      const { files } = (await meera.open()).rows[0]!;
      return files.flatMap(({ name, may_take_back }) => (may_take_back ? [name] : []));
    },
  };
}

test('a file sent by mistake is taken back until the office opens it: it lies in Trash in the name of its sender, and the history says so', async (office) => {
  const { services, asha } = office;
  const line = await sent(office, 'April.pdf', 'A letter.pdf');
  assert.equal(await line.offered(), ['April.pdf', 'A letter.pdf']);
  const { item_id } = await line.file('A letter.pdf');
  assert.is(await line.takeBack('A letter.pdf'), 'taken_back');
  const { state, files } = await line.view();
  assert.equal([state, files.map(({ name }) => name)], ['received', ['April.pdf']]);
  assert.equal(
    (await line.meera.open()).rows[0]!.files.map(({ name }) => name),
    ['April.pdf'],
  );
  const [trashed] = (await services.trash.list(asha.actor)).items;
  assert.equal([trashed!.id, trashed!.deleted_by_name], [item_id, 'Meera Iyer']);
  const byAsha = await services.trash.list(asha.actor, { user_id: asha.actor.userId });
  assert.equal(byAsha.items, [], 'she has not deleted it');
  const { data } = await services.audit.list(asha.actor, { item: item_id! });
  assert.equal(
    [data[0]!.what, data[0]!.about],
    ['Took back a file sent for a request', 'A letter.pdf, Bank statement'],
  );
  const { fresh } = (await services.requests.office.list(asha.actor))[0]!;
  assert.is(fresh, 1, 'what was taken back is not new to the office');

  await services.trash.restore(asha.actor, { ids: [item_id!] });
  assert.equal(await office.names((await services.requests.office.view(asha.actor, line.id)).folder_id), [
    'A letter.pdf',
    'April.pdf',
  ]);
  await line.send('A letter.pdf');
  assert.is((await line.view()).files.length, 2, 'and it can be sent again');
  assert.equal(await services.records.recount(), []);
});

test('what the office has opened, judged, renamed, moved, linked, labelled or shared stays, whoever asks for it', async (office) => {
  const { services, asha, build } = office;
  const { documents, labels, sharing, notes } = services;
  const { office: requests } = services.requests;
  const line = await sent(office, ...MONTHS.map((month) => `${month}.pdf`));
  const id = async (month: string) => (await line.file(`${month}.pdf`)).item_id!;
  await documents.noteOpened(asha.actor, await id('April'));
  await requests.judgeFile(asha.actor, line.id, (await line.file('May.pdf')).id, accept);
  await documents.rename(asha.actor, await id('June'), { name: 'Renamed.pdf' });
  const elsewhere = await build.folder(asha.actor, 'Elsewhere');
  await documents.move(asha.actor, { ids: [await id('July')], parent_id: elsewhere.id });
  const other = await build.client(asha.actor, 'Sharma Traders');
  await documents.setClient(asha.actor, await id('August'), { client_id: other });
  const label = await labels.create(asha.actor, { name: 'Urgent', colour: 'red' });
  await labels.put(asha.actor, { ids: [await id('September')], add: [label.id], remove: [] });
  await notes.add(asha.actor, await id('October'), { text: 'Asked for page 2' });
  const how = { audience: 'anyone', mode: 'view', expires_on: '2026-11-27', password: null };
  await sharing.links.make(asha.actor, v.parse(makeShare, { ids: [await id('November')], ...how }));
  await services.seals.seal(asha.actor, await id('December'), { reason: 'Filed' });
  assert.equal(await line.offered(), ['January.pdf']);
  for (const month of MONTHS.slice(0, -1)) {
    const name = month === 'June' ? 'Renamed' : month;
    assert.is(await line.takeBack(`${name}.pdf`), 'in_use', name);
  }
  assert.equal((await services.trash.list(asha.actor)).items, []);

  const { id: arrival } = await line.file('January.pdf');
  const stranger = await office.ask(['PAN card']);
  const back = sender(office, office.address, stranger.url).send(`/arrivals/${arrival}/back`);
  assert.is((await back).get('said'), 'file_gone', 'by the link of another request');
  await requests.judge(asha.actor, line.id, line.row, accept);
  assert.equal(await line.offered(), []);
  assert.is(await line.takeBack('January.pdf'), 'not_needed', 'of a line that is accepted');
  assert.is((await line.view()).files.length, MONTHS.length);
});

test('what a line waits for is asked for again when the file that answered it is taken back', async (office) => {
  const { services, asha } = office;
  const { office: requests } = services.requests;
  const line = await sent(office, 'April.pdf');
  await line.meera.send('/done');
  await line.takeBack('April.pdf');
  assert.is((await line.view()).state, 'wanted');
  const { waiting_for, done } = await requests.view(asha.actor, line.id);
  assert.equal([waiting_for, done], ['client', null], 'nobody waits for what is not there');

  await line.send('May.pdf');
  await requests.judge(asha.actor, line.id, line.row, sendBack('Only May is in it'));
  await line.send('June.pdf');
  assert.is((await line.view()).state, 'received');
  await line.takeBack('June.pdf');
  const { state, reason } = await line.view();
  assert.equal([state, reason], ['returned', 'Only May is in it']);
});

test('photographs of one document are taken back together, and one that still waits for the others is not', async (office) => {
  const line = await sent(office);
  for (const position of [1, 2, 3]) {
    const image = sharp({ create: { width: 30 + position, height: 20, channels: 3, background: '#abc' } });
    const batch = position < 3 ? 'batch-one' : 'batch-two';
    const more = { batch, position: String(position) };
    await line.meera.upload(line.row, `${position}.jpg`, await image.jpeg().toBuffer(), more);
  }
  await line.meera.bind(line.row, 'batch-one');
  assert.equal(await line.offered(), ['Bank statement.pdf']);
  assert.is((await line.meera.open()).rows[0]!.files.length, 2);
  await line.takeBack('Bank statement.pdf');
  assert.equal(await office.db('arrivals').orderBy('id').pluck('state'), ['refused', 'refused', 'staged']);
  assert.is(await line.takeBack('3.jpg'), 'in_use');
});

test('what lies in a sealed folder or under a retention rule stays, and the page does not offer to take it back', async (office) => {
  const { services, asha } = office;
  const line = await sent(office, 'April.pdf');
  const { folder_id } = await services.requests.office.view(asha.actor, line.id);
  await services.seals.seal(asha.actor, folder_id!, { reason: 'Filed' });
  assert.equal(await line.offered(), []);
  const other = await sent(office, 'May.pdf');
  assert.equal(await other.offered(), ['May.pdf']);
  const rule = { name: 'Books', source: '', applies_to: 'everything', months: 96, counts_from: 'put_in' };
  await services.retention.add(asha.actor, v.parse(ruleInput, rule));
  assert.equal(await other.offered(), []);
  assert.is(await other.takeBack('May.pdf'), 'in_use');
});

const withoutTrash = suite<Office>('files that a client takes back, on a server without Trash');
eachOffice(withoutTrash, { trashDays: 0 });

withoutTrash(
  'nothing is taken back, for it would be gone, and the page does not offer it',
  async (office) => {
    const line = await sent(office, 'April.pdf');
    assert.equal(await line.offered(), []);
    assert.is(await line.takeBack('April.pdf'), 'in_use');
    assert.is((await line.view()).files.length, 1);
  },
);

test('the receipt of a client says how many of its files were taken back, not counting what was sent or taken back at another time', async (office) => {
  const line = await sent(office, 'April.pdf', 'May.pdf', 'A letter.pdf');
  await line.takeBack('A letter.pdf');
  office.tick(1);
  await line.meera.send('/done');
  office.tick(1);
  await line.send('June.pdf');
  const counts = async () => {
    const { files, taken_back } = (await line.meera.open()).receipt!;
    return [files, taken_back];
  };
  await line.takeBack('June.pdf');
  assert.equal(await counts(), [2, 0]);
  await line.takeBack('April.pdf');
  assert.equal(await counts(), [2, 1]);
});

test.run();
withoutTrash.run();
