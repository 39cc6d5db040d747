import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoreFull } from '#storage/blobs.ts';
import { refuseWrites } from '#server/testing/refuse-writes.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('files chosen for several documents on a page without script');
eachOffice(test);

/** Three documents that a client is asked for. */
async function asked(office: Office) {
  const { services, asha, address } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN', 'Rent agreement']);
  const [form16, pan, rent] = rows as [number, number, number];
  const view = () => services.requests.office.view(asha.actor, id);
  const arrived = async () => (await view()).rows.map(({ files }) => files.map(({ name }) => name));
  return { id, form16, pan, rent, arrived, meera: sender(office, address, url) };
}

test('all of them arrive with one form, each for its own document, or those of the other documents would be lost', async (office) => {
  const { form16, pan, rent, arrived, meera } = await asked(office);
  const said = await meera.chosen([
    [form16, 'a.pdf', pdf('a')],
    [pan, 'b.pdf', pdf('b')],
    [rent, 'c.pdf', pdf('c')],
    [rent, 'd.pdf', pdf('d')],
  ]);
  assert.is(said.get('said'), 'arrived');
  assert.equal(said.getAll('row'), [form16, pan, rent].map(String));
  assert.equal(await arrived(), [['a.pdf'], ['b.pdf'], ['c.pdf', 'd.pdf']]);
  assert.is((await meera.chosen([])).get('said'), 'none');
});

test('a document that takes nothing more, and a file that is refused, do not keep the other files out, and the page names both', async (office) => {
  const { services, asha, db } = office;
  const { id, form16, pan, rent, arrived, meera } = await asked(office);
  await services.requests.office.judge(asha.actor, id, form16, { state: 'accepted', reason: '' });
  const said = await meera.chosen([
    [form16, 'a.pdf', pdf('a')],
    [pan, 'b.pdf', Buffer.from('no PDF')],
    [rent, 'c.pdf', pdf('c')],
  ]);
  assert.equal(said.getAll('row'), [String(rent)]);
  assert.equal(said.getAll('file'), ['a.pdf', 'b.pdf']);
  assert.equal(said.getAll('refused'), ['not_needed', 'not_what_it_says']);
  assert.equal(await arrived(), [[], [], ['c.pdf']]);
  assert.is((await db('arrivals')).length, 1);
});

test('who has sent everything gets a receipt for the files that were chosen too, and none while one of them is refused', async (office) => {
  const { services, asha } = office;
  const { id, form16, pan, rent, meera } = await asked(office);
  await meera.chosen([[form16, 'a.pdf', pdf('a')]]);
  const refused = await meera.chosen(
    [
      [pan, 'b.pdf', Buffer.from('no PDF')],
      [rent, 'c.pdf', pdf('c')],
    ],
    '/done',
  );
  assert.equal([refused.get('said'), refused.get('file')], ['arrived', 'b.pdf']);
  assert.is((await services.requests.office.view(asha.actor, id)).done, null);
  assert.is((await meera.chosen([[pan, 'b.pdf', pdf('b')]], '/done')).get('said'), 'done');
  assert.is((await meera.open()).receipt?.files, 3);
  assert.is((await meera.chosen([], '/done')).get('said'), 'done', 'nothing need be chosen');
});

test('who has sent everything has told the reasons that are typed too, but not for a document that has just come', async (office) => {
  const { services, asha } = office;
  const { id, form16, pan, rent, meera } = await asked(office);
  const reasons: [number, string][] = [
    [form16, 'In the post'],
    [pan, 'Lost'],
    [rent, ' '],
  ];
  assert.is((await meera.chosen([[form16, 'a.pdf', pdf('a')]], '/done', reasons)).get('said'), 'done');
  const { rows } = await services.requests.office.view(asha.actor, id);
  assert.equal(
    rows.map(({ state, reason }) => [state, reason]),
    [
      ['received', null],
      ['unavailable', 'Lost'],
      ['wanted', null],
    ],
  );
});

test('a reason for a document that the office has accepted meanwhile keeps back neither the other reasons nor the receipt', async (office) => {
  const { services, asha } = office;
  const { id, form16, pan, meera } = await asked(office);
  await services.requests.office.judge(asha.actor, id, form16, { state: 'accepted', reason: '' });
  const reasons: [number, string][] = [
    [form16, 'In the post'],
    [pan, 'Lost'],
  ];
  assert.is((await meera.chosen([], '/done', reasons)).get('said'), 'done');
  const { rows } = await services.requests.office.view(asha.actor, id);
  assert.equal(
    rows.map(({ state, reason }) => [state, reason]),
    [
      ['accepted', null],
      ['unavailable', 'Lost'],
      ['wanted', null],
    ],
  );
});

test('they arrive too when the button of another document is pressed, which then does what it says', async (office) => {
  const { services, asha } = office;
  const { id, form16, pan, rent, arrived, meera } = await asked(office);
  const states = async () =>
    (await services.requests.office.view(asha.actor, id)).rows.map(({ state, reason }) => [state, reason]);
  const reasons: [number, string][] = [
    [pan, 'Lost it'],
    [rent, 'Typed and not sent'],
  ];
  await meera.chosen([[form16, 'a.pdf', pdf('a')]], `/rows/${pan}/unavailable`, reasons);
  assert.equal(await arrived(), [['a.pdf'], [], []]);
  assert.equal(await states(), [
    ['received', null],
    ['unavailable', 'Lost it'],
    ['wanted', null],
  ]);
  const refused = await meera.chosen([[rent, 'c.pdf', Buffer.from('no PDF')]], `/rows/${pan}/available`);
  assert.equal([refused.get('refused'), refused.get('file')], ['not_what_it_says', 'c.pdf']);
  assert.is((await states())[1]![0], 'wanted');
  const [file] = (await meera.open()).rows[0]!.files;
  const back = await meera.chosen([[rent, 'c.pdf', pdf('c')]], `/arrivals/${file!.id}/back`);
  assert.is(back.get('said'), 'taken_back');
  assert.equal(await arrived(), [[], [], ['c.pdf']]);
});

test('an answer leads back to its document, since a client who begins again above the others loses the place', async (office) => {
  const { pan, meera } = await asked(office);
  const { base, form, cookie } = meera;
  for (const answer of ['unavailable', 'available']) {
    const answered = await fetch(`${base}/rows/${pan}/${answer}`, {
      method: 'POST',
      body: new URLSearchParams({ form }),
      headers: { cookie },
      redirect: 'manual',
    });
    assert.is(answered.headers.get('location'), `/r/${meera.token}#row-${pan}`);
  }
});

test('a form of a hundred documents has a reason for each', async (office) => {
  const { services, asha, address } = office;
  const { id, url, rows } = await office.ask(Array.from({ length: 100 }, (_, n) => `Bill ${n}`));
  const meera = sender(office, address, url);
  const reasons = rows.map((row, n): [number, string] => [row, `Lost ${n}`]);
  await meera.chosen([], `/rows/${rows[99]}/unavailable`, reasons);
  const { rows: now } = await services.requests.office.view(asha.actor, id);
  assert.equal([now[99]!.state, now[99]!.reason], ['unavailable', 'Lost 99']);
});

test('a page that was open learns what has ended: the whole link, or one document, which it names', async (office) => {
  const { services, asha } = office;
  const { id, form16, pan, rent, meera } = await asked(office);
  const { title, note, due_on, language, reminders, email, rows } = await services.requests.office.view(
    asha.actor,
    id,
  );
  const others = rows.slice(1).map((row) => ({ id: row.id, name: row.name }));
  await services.requests.office.change(asha.actor, id, {
    title,
    note,
    due_on,
    language,
    reminders,
    email,
    rows: others,
  });
  const said = await meera.send(`/rows/${form16}/unavailable`, { row: 'Form 16', reason: 'Not given' });
  assert.equal([said.get('said'), said.get('file')], ['not_needed', 'Form 16']);
  const chosen = await meera.chosen([], `/rows/${form16}/unavailable`, [[form16, 'Lost']], 'Form 16');
  assert.equal([chosen.get('said'), chosen.get('file')], ['not_needed', 'Form 16']);
  assert.match(await (await meera.upload(form16, 'a.pdf', pdf('a'))).text(), '"code":"not_needed"');
  assert.is((await meera.chosen([[pan, 'b.pdf', pdf('b')]])).get('said'), 'arrived');
  await services.requests.office.close(asha.actor, id, true);
  assert.is((await meera.chosen([[rent, 'c.pdf', pdf('c')]])).get('said'), 'link_gone');
  assert.match(await (await meera.upload(rent, 'c.pdf', pdf('c'))).text(), '"code":"link_gone"');
});

test('a fault of the server is said on the page, where a client can send again, and a script learns of it as such', async (office) => {
  const { blobs, db } = office;
  const { form16, pan, arrived, meera } = await asked(office);
  const put = blobs.put;
  blobs.put = () => Promise.reject(new StoreFull());
  const full = [[form16, 'a.pdf', pdf('a')]] as [number, string, Buffer][];
  assert.is((await meera.chosen(full)).get('said'), 'fault');
  assert.is((await meera.files(form16, [['a.pdf', pdf('a')]])).get('said'), 'fault');
  const scripted = await meera.upload(form16, 'a.pdf', pdf('a'));
  assert.equal([scripted.status, ((await scripted.json()) as { code: string }).code], [503, 'disk_full']);
  blobs.put = put;
  const allow = await refuseWrites(db, 'request_rows', 'UPDATE');
  const unexpected = await meera.send(`/rows/${pan}/unavailable`, { reason: 'Lost it' });
  assert.is(unexpected.get('said'), 'fault');
  await allow();
  assert.is((await meera.chosen(full)).get('said'), 'arrived');
  assert.equal(await arrived(), [['a.pdf'], [], []]);
});

test.run();
