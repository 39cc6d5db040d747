import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppError } from '#server/http/errors.ts';
import type { Message, Transport } from '#server/mail/transport.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const DAY = 24 * 60 * 60_000;
const test = suite<Office>('requests of an office');
eachOffice(test);

const refused = async (asked: Promise<unknown>): Promise<AppError> =>
  asked.then(
    () => assert.unreachable(),
    (error) => error,
  ) as Promise<AppError>;

test('each client gets a link of its own, in its language, and only a hash of the link is stored', async (office) => {
  const { build, asha, services, db } = office;
  const without = await build.client(asha.actor, 'Without e-mail', { phone: '9820012345' });
  const { made, without_email } = await services.requests.office.make(asha.actor, {
    client_ids: [office.client, without],
    rows: ['Form 16', 'PAN'],
    title: 'ITR',
    note: '',
    due_on: '2026-11-30',
    language: 'hi',
    reminders: { before: null, on: false, after: null },
    send: true,
  });
  assert.equal([made.length, without_email], [2, ['Without e-mail']]);
  const sent = (await office.deliverMail()).filter(({ subject }) => subject.includes('ITR'));
  assert.equal(
    sent.map(({ to }) => to.address),
    ['meera@example.in'],
  );
  assert.match(await services.requests.csv(asha.actor), 'Meera Iyer,ITR,open,2026-11-30,Form 16,wanted');
  assert.match(sent[0]!.text, 'दस्तावेज़');
  const { url, message, phone } = await services.requests.office.link(
    asha.actor,
    made.find(({ has_email }) => !has_email)!.id,
  );
  assert.match(message, url);
  assert.is(phone, '9820012345');
  const token = url.slice(url.lastIndexOf('/') + 1);
  assert.is(token.length, 43);
  assert.not.match(JSON.stringify(await db('requests')), token);
  assert.not.match(JSON.stringify(await db('audit_events')), token);
  const first = sent[0]!.text.match(/\/r\/([\w-]{43})/)![1]!;
  assert.is.not(first, token);
});

test('a due date in the past, no rows, and an unknown client are refused with a message', async (office) => {
  const past = await refused(office.ask(['Form 16'], { due_on: '2026-11-19' }));
  assert.equal(past.errors, { due_on: ['This day is over. Choose today or a later day'] });
  assert.is((await refused(office.ask(['Form 16'], { client_ids: [999] }))).status, 404);
});

test('requests are listed in pages, and ended ones can be listed separately', async (office) => {
  const { asha, services } = office;
  const { office: requests } = services.requests;
  const ids: number[] = [];
  for (const row of ['Form 16', 'PAN', 'Form 26AS']) ids.push((await office.ask([row])).id);
  await requests.close(asha.actor, ids[0]!, true);
  const listed = async (query: object) =>
    (await requests.list(asha.actor, query)).map(({ id }) => id).toSorted((a, b) => a - b);
  assert.equal(await listed({ state: 'all', limit: 2 }), ids.slice(1));
  assert.equal(await listed({ state: 'all', limit: 2, before: ids[1]! }), [ids[0]]);
  assert.equal(await listed({ state: 'over' }), [ids[0]]);
});

test('accepting all documents completes the request, and an edit cannot remove a row with a received file', async (office) => {
  const { asha, services, address } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN']);
  const meera = sender(office, address, url);
  await meera.files(rows[0]!, [['Form.pdf', pdf()]]);
  await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'Lost it' });
  assert.equal(
    (await requests.view(asha.actor, id)).rows.map(({ state, reason }) => [state, reason]),
    [
      ['received', null],
      ['unavailable', 'Lost it'],
    ],
  );
  const { title, note, due_on, language, reminders, email } = await requests.view(asha.actor, id);
  const change = {
    title,
    note,
    due_on,
    language,
    reminders,
    email,
    rows: [{ id: rows[1]!, name: 'PAN card' }],
  };
  assert.is((await refused(requests.change(asha.actor, id, change))).status, 422);
  const [accept, sendBack] = [
    { state: 'accepted', reason: '' },
    { state: 'returned', reason: 'Page 2 is missing' },
  ] as const;
  await requests.judge(asha.actor, id, rows[0]!, sendBack);
  for (const row of rows) await requests.judge(asha.actor, id, row, accept);
  const [accepted] = (await requests.view(asha.actor, id)).rows;
  assert.equal(
    accepted!.files.map(({ judged }) => judged),
    [null],
    'its file is not one of before',
  );
  const late = await refused(requests.judge(asha.actor, id, rows[0]!, sendBack));
  assert.equal([late.status, late.message.includes('accepted this meanwhile')], [409, true]);
  assert.is((await requests.view(asha.actor, id)).state, 'complete', 'what was sent back by mistake too');
  assert.is((await meera.page()).state, 'complete');
  assert.is((await meera.files(rows[0]!, [['More.pdf', pdf('more')]])).get('said'), 'not_needed');
  assert.equal(await requests.list(asha.actor), []);
});

test('a receipt has a number, on the page and by e-mail, and the office gets one e-mail for all received files', async (office) => {
  const { services, address } = office;
  const { url, rows } = await office.ask(['Form 16', 'PAN']);
  const meera = sender(office, address, url);
  assert.is((await meera.send('/done')).get('said'), 'nothing');
  for (const row of rows) await meera.files(row, [[`${row}.pdf`, pdf(String(row))]]);
  await meera.send('/done');
  await meera.send('/done');
  const { receipt } = await meera.open();
  assert.match(receipt!.number, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
  assert.is(receipt!.files, 2);
  assert.is(await services.requests.notifyOffice(), 0, 'not at once');
  office.advance(31 * 60_000);
  assert.is(await services.requests.notifyOffice(), 1);
  assert.is(await services.requests.notifyOffice(), 0);
  const subjects = (await office.deliverMail()).map(({ subject }) => subject);
  assert.equal(subjects.filter((one) => one.startsWith('Receipt')).length, 1);
  assert.equal(subjects.filter((one) => one.includes('documents received')).length, 1);
});

test('when the user who made a request has left, the page and the e-mails name the firm instead', async (office) => {
  const { services, address, build, db, asha } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager', name: 'Ravi Kumar' });
  const { made } = await services.requests.office.make(ravi.actor, {
    client_ids: [office.client],
    rows: ['Form 16'],
    title: 'ITR',
    note: '',
    due_on: null,
    language: 'en',
    reminders: { before: null, on: false, after: null },
    send: false,
  });
  const { id } = made[0]!;
  const { url } = await services.requests.office.link(asha.actor, id);
  const meera = sender(office, address, url);
  assert.is((await meera.open()).from!.name, 'Ravi Kumar');
  await db('users').where({ id: ravi.actor.userId }).update({ deactivated_at: office.now().toISOString() });
  assert.is((await meera.open()).from, null);
  await services.requests.office.remind(asha.actor, id);
  const [row] = (await services.requests.office.view(asha.actor, id)).rows;
  await meera.files(row!.id, [['a.pdf', pdf('a')]]);
  await services.requests.office.judge(asha.actor, id, row!.id, { state: 'returned', reason: 'blurred' });
  await meera.files(row!.id, [['b.pdf', pdf('b')]]);
  await meera.send('/done');
  office.advance(5 * 60_000);
  await services.requests.tellReturns();
  const sent = (await office.deliverMail()).filter(({ kind }) => kind.startsWith('request.'));
  assert.equal(sent.map(({ kind }) => kind).toSorted(), [
    'request.receipt',
    'request.reminder',
    'request.returned',
  ]);
  for (const email of sent) assert.not.match(JSON.stringify(email), /Ravi/);
});

test('reminders are sent before, on and after the due day, at most one a day, and only while a document is missing', async (office) => {
  const { services, address } = office;
  const { url, rows } = await office.ask(['Form 16'], {
    due_on: '2026-11-25',
    reminders: { before: 3, on: true, after: 7 },
    send: false,
  });
  const days: string[] = [];
  for (let day = 0; day < 20; day += 1) {
    for (const _ of [1, 2])
      if ((await services.requests.sendReminders()) > 0) days.push(office.now().toISOString().slice(8, 10));
    if (day === 14) await sender(office, address, url).files(rows[0]!, [['Form.pdf', pdf()]]);
    await office.deliverMail();
    office.advance(DAY);
  }
  assert.equal(days, ['22', '25', '02']);
  const { text } = (await office.deliverMail()).at(-1)!;
  assert.match(text, url, 'with the link that the client has');
});

test('a request that is closed while others are being reminded of is not reminded of any more', async (office) => {
  const { asha, services } = office;
  const ids: number[] = [];
  const more = { due_on: '2026-11-22', reminders: { before: null, on: true, after: null }, send: false };
  for (let nth = 0; nth < 8; nth += 1) ids.push((await office.ask(['Form 16'], more)).id);
  office.advance(2 * DAY);
  const closing = services.requests.office.close(asha.actor, ids.at(-1)!, true);
  const [sent] = await Promise.all([services.requests.sendReminders(), closing]);
  assert.is(sent, ids.length - 1);
});

test('on a server without e-mail nothing is recorded as sent, as no client gets it', async () => {
  const kinds: string[] = [];
  const deliver = async ({ kind }: Message) => void kinds.push(kind);
  const kept: Transport = { sends: false, means: '', deliver, close: () => {} };
  const world = await freshWorld({ transport: kept });
  try {
    const { actor } = await world.build.account();
    const client = await world.build.client(actor, 'Meera Iyer', { email: 'meera@example.in' });
    const { office } = world.services.requests;
    const { made } = await office.make(actor, {
      client_ids: [client],
      rows: ['Form 16'],
      title: 'ITR',
      note: '',
      due_on: '2026-11-30',
      language: 'en',
      reminders: { before: 3, on: true, after: 7 },
      send: true,
    });
    const { errors } = await refused(office.remind(actor, made[0]!.id));
    assert.match(errors!['email']![0]!, 'E-mail is not set up');
    await world.services.mail.deliver();
    world.advance(11 * DAY);
    assert.is(await world.services.requests.sendReminders(), 0);
    assert.is((await office.view(actor, made[0]!.id)).reminded_at, null);
    const [row] = (await office.view(actor, made[0]!.id)).rows;
    const back = await office.judge(actor, made[0]!.id, row!.id, { state: 'returned', reason: 'Page 2' });
    assert.is(back.tells_at, null, 'the office is promised nothing');
    world.advance(10 * 60_000);
    assert.is(await world.services.requests.tellReturns(), 1);
    const { data } = await world.services.audit.list(actor, {});
    assert.not.match(JSON.stringify(data), /Reminded|Told|meera@example\.in/);
    await world.services.mail.deliver();
    const toClient = kinds.filter((kind) => kind.startsWith('request.'));
    assert.equal(toClient, ['request.asked', 'request.returned'], 'both are written for the operator');
  } finally {
    await world.close();
  }
});

test('a client who reported that everything is sent is shown as such and not reminded, until the office asks again', async (office) => {
  const { services, address, asha } = office;
  const { office: requests } = services.requests;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN'], {
    due_on: '2026-11-22',
    reminders: { before: null, on: true, after: 1 },
  });
  const meera = sender(office, address, url);
  const listed = async () => (await requests.list(asha.actor))[0]!;
  await meera.files(rows[0]!, [['Form.pdf', pdf()]]);
  assert.equal([(await listed()).done, (await listed()).waiting_for], [null, 'client']);
  await meera.send('/done');
  const { number } = (await meera.open()).receipt!;
  const { done, waiting_for, overdue } = await listed();
  assert.equal([done?.receipt, waiting_for, overdue], [number, 'office', false]);
  assert.equal((await requests.view(asha.actor, id)).done, done);
  office.advance(5 * DAY);
  assert.is(await services.requests.sendReminders(), 0);
  await services.requests.notifyOffice();
  assert.match((await office.deliverMail()).at(-1)!.text, 'says that everything is sent');

  await requests.remind(asha.actor, id);
  assert.equal([(await listed()).done, (await listed()).waiting_for], [null, 'client']);
  await meera.send('/done');
  assert.is((await listed()).done?.receipt, number, 'the same receipt where nothing new has come');
  await requests.judge(asha.actor, id, rows[0]!, { state: 'returned', reason: 'Page 2 is missing' });
  assert.is((await listed()).done, null);
  office.advance(DAY);
  assert.is(await services.requests.sendReminders(), 1);
});

test('a new link ends the old one, and replacing the master key ends none, since clients still hold their links', async (office) => {
  const { services, asha, address, db } = office;
  const { id, url } = await office.ask(['Form 16']);
  await db('requests').update({ seed: 'as if it were made with another key' });
  const now = await services.requests.office.link(asha.actor, id);
  assert.is.not(now.url, url);
  assert.is((await sender(office, address, url).page()).state, 'open');
  assert.is((await sender(office, address, now.url).page()).state, 'open');
  const renewed = await services.requests.office.renew(asha.actor, id);
  assert.is((await sender(office, address, now.url).page()).state, 'gone');
  assert.is((await sender(office, address, url).page()).state, 'gone');
  assert.is((await sender(office, address, renewed.url).page()).state, 'open');
});

test('a closed request gets no new link, and keeps the one that the client has for when it is opened again', async (office) => {
  const { services, asha, address } = office;
  const { id, url } = await office.ask(['Form 16']);
  await services.requests.office.close(asha.actor, id, true);
  assert.match(
    (await refused(services.requests.office.renew(asha.actor, id))).message,
    'Open it again first',
  );
  await services.requests.office.close(asha.actor, id, false);
  assert.is((await sender(office, address, url).page()).state, 'open');
});

test('a user with assigned clients sees only the requests of these, and the history says who sent what', async (office) => {
  const { build, services, asha, address, db } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' });
  const { id, url, rows } = await office.ask(['Form 16']);
  await sender(office, address, url).files(rows[0]!, [['Form.pdf', pdf()]]);
  assert.equal(await services.requests.office.list(ravi.actor), []);
  assert.is((await refused(services.requests.office.view(ravi.actor, id))).status, 404);
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: office.client });
  assert.is((await services.requests.office.view(ravi.actor, id)).rows[0]!.files.length, 1);
  const { data } = await services.audit.list(asha.actor, {});
  const received = data.find(({ did }) => did === 'request.received');
  assert.equal([received?.who, received?.place !== null], ['Meera Iyer (request)', true]);
});

test('answers without a file, and e-mails about sent-back documents, are rate-limited', async (office) => {
  const { address, services, asha, db } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  const meera = sender(office, address, url);
  await meera.send(`/rows/${rows[0]}/unavailable`, { reason: 'Lost' });
  await db('attempts').where('key', 'like', 'collect_answers:%').update({ count: 300 });
  assert.is((await meera.send(`/rows/${rows[0]}/available`)).get('said'), 'wait');
  const judge = () =>
    services.requests.office.judge(asha.actor, id, rows[0]!, { state: 'returned', reason: 'Not legible' });
  await db('attempts').where('key', 'like', 'request_sent:%').update({ count: 2000 });
  assert.is((await refused(judge())).status, 429);
});

test('the e-mail about a document that the client does not have does not say that what they sent could not be used', async (office) => {
  const { address, services, asha } = office;
  const { id, url, rows } = await office.ask(['Form 16']);
  await sender(office, address, url).send(`/rows/${rows[0]}/unavailable`, { reason: 'Lost' });
  const again = { state: 'returned', reason: 'Ask your employer' } as const;
  await services.requests.office.judge(asha.actor, id, rows[0]!, again);
  office.advance(5 * 60_000);
  await services.requests.tellReturns();
  const email = (await office.deliverMail()).find(({ kind }) => kind === 'request.returned');
  assert.match(email!.subject, 'Still needed:');
  assert.match(JSON.stringify(email), 'Ask your employer');
  assert.not.match(JSON.stringify(email), /could not use|send (?:it )?again/);
});

test('a user who no longer sees the client is not notified of what the client sends: an admin is instead', async (office) => {
  const { build, services, db, address, asha } = office;
  const ravi = await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' });
  const { userId } = ravi.actor;
  const own = await build.client(asha.actor, 'Sharma Traders');
  for (const client_id of [office.client, own])
    await db('user_clients').insert({ user_id: userId, client_id });
  for (const client_ids of [[office.client], [own]]) {
    const { url, rows } = await office.ask(['Form 16'], { client_ids });
    await db('requests').update({ made_by: userId });
    await sender(office, address, url).files(rows[0]!, [['Form.pdf', pdf()]]);
  }
  await db('user_clients').where({ user_id: userId, client_id: office.client }).delete();
  office.advance(31 * 60_000);
  await services.requests.notifyOffice();
  const told = (await office.deliverMail()).filter(({ kind }) => kind === 'request.digest');
  assert.equal(
    told.map(({ to, text }) => [to.address, text.includes('Meera Iyer'), text.includes('Sharma Traders')]),
    [
      [ravi.email, false, true],
      [asha.email, true, false],
    ],
  );
});

test('a request is not deleted while a file of it cannot be filed, or it would be filed later without its client', async (office) => {
  const { services, blobs, db, address, asha } = office;
  const { id, url, rows } = await office.ask(['PAN card']);
  const meera = sender(office, address, url);
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: '#f00' } }).jpeg();
  await meera.upload(rows[0]!, 'PAN.jpg', await photo.toBuffer(), { batch: 'batch-one', position: '1' });
  const { blob_id } = await db('arrivals').first('blob_id');
  await blobs.delete(blob_id);
  const told = await refused(services.requests.office.remove(asha.actor, id));
  assert.equal([told.status, told.message.includes('not in the drive yet')], [409, true]);
  await services.requests.office.close(asha.actor, id, true);
  await db('arrivals').update({ state: 'refused', reason: 'lost', blob_id: null });
  await services.requests.office.remove(asha.actor, id);
  assert.is((await refused(services.requests.office.view(asha.actor, id))).status, 404);
});

test.run();
