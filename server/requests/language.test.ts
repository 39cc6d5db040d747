import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '../testing/visitor.ts';
import { textsIn } from './email-texts/index.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('the language in which a client is written to');
eachOffice(test);

test('the language of a request is kept with the client, for the next request of any colleague and what the server sends by itself', async (office) => {
  const { services, asha, build, client, db } = office;
  const { office: requests } = services.requests;
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  assert.equal(await requests.languages(ravi.actor, [client]), ['en']);
  await office.ask(['Form 16'], { language: 'hi' });
  assert.equal(await requests.languages(ravi.actor, [client]), ['hi']);
  assert.is((await services.clients.client(ravi.actor, client)).language, 'hi');
  const { data } = await services.audit.list(asha.actor, {});
  assert.equal(
    data.filter(({ did }) => did === 'client.update').map(({ who, about }) => [who, about]),
    [[asha.user.name, 'Meera Iyer']],
  );

  // Another one says nothing of a language.
  const { made } = await requests.make(ravi.actor, {
    client_ids: [client],
    rows: ['PAN card'],
    title: 'KYC',
    note: '',
    due_on: null,
    reminders: { before: null, on: false, after: null },
    send: false,
  });
  const view = await requests.view(ravi.actor, made[0]!.id);
  assert.is(view.language, 'hi');
  const { url } = await requests.link(ravi.actor, view.id);
  const meera = sender(office, office.address, url);
  await meera.files(view.rows[0]!.id, [['PAN.pdf', pdf('PAN')]]);
  await requests.judge(ravi.actor, view.id, view.rows[0]!.id, { state: 'returned', reason: 'Not legible' });
  office.advance(5 * 60_000);
  await services.requests.tellReturns();
  const told = (await office.deliverMail()).find(({ kind }) => kind === 'request.returned')!;
  assert.match(told.subject, 'कृपया फिर भेजें: KYC');

  const { title, note, due_on, reminders, rows, email } = view;
  const change = { title, note, due_on, reminders, rows, email };
  await requests.change(ravi.actor, view.id, { ...change, language: 'en' });
  assert.is((await db('clients').where({ id: client }).first()).language, 'en', 'a corrected one too');
});

test('Hindi verbs agree with the number of documents and files', () => {
  const { remind, receiptSubject } = textsIn('hi');
  assert.is(remind(1), 'एक दस्तावेज़ अभी बाकी है।');
  assert.is(remind(4), '4 दस्तावेज़ अभी बाकी हैं।');
  assert.is(receiptSubject('A-1', 1), 'रसीद A-1: 1 फ़ाइल मिली');
});

test('a receipt has the day as it is written in the language of the client, tells files of one name apart, and names what they do not have', async (office) => {
  for (const [language, day, none] of [
    ['en', /Received: 20 November 2026\n/, 'Not available, as you wrote'],
    ['hi', /कब मिला: 20 नवंबर 2026\n/, 'आपके अनुसार उपलब्ध नहीं'],
  ] as const) {
    const { url, rows } = await office.ask(['LIC', 'PAN'], { send: false, language });
    const meera = sender(office, office.address, url);
    await meera.files(rows[0]!, [
      ['LIC receipt.pdf', pdf(`first ${language}`)],
      ['LIC receipt.pdf', pdf(`second ${language}`)],
    ]);
    await meera.send(`/rows/${rows[1]}/unavailable`, { reason: 'Lost' });
    await meera.send('/done');
    const { text } = (await office.deliverMail()).filter(({ kind }) => kind === 'request.receipt').at(-1)!;
    assert.match(text, day);
    assert.match(text, 'LIC: LIC receipt.pdf, LIC receipt (2).pdf\n');
    assert.match(text, `PAN: ${none}`);
  }
});

test('several clients are asked each in their own language, and nobody learns that of a client whom they do not see', async (office) => {
  const { services, asha, build, client, db } = office;
  const { office: requests } = services.requests;
  const other = await build.client(asha.actor, 'Sharma Traders', { language: 'hi' });
  assert.equal(await requests.languages(asha.actor, [client, other]), ['en', 'hi']);
  const { made } = await requests.make(asha.actor, {
    client_ids: [client, other],
    rows: ['Form 16'],
    title: 'ITR',
    note: '',
    due_on: null,
    reminders: { before: null, on: false, after: null },
    send: false,
  });
  const languages = await db('requests')
    .whereIn(
      'id',
      made.map(({ id }) => id),
    )
    .orderBy('client_id')
    .pluck('language');
  assert.equal(languages, ['en', 'hi']);
  const ravi = await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' });
  assert.equal(await requests.languages(ravi.actor, [client, other]), []);
  const get = (query: string) =>
    fetch(`${office.address}/api/requests/languages?clients=${query}`, {
      headers: { ...bearer(asha.token), accept: 'application/json' },
    });
  assert.equal(((await (await get(String(other))).json()) as { data: unknown }).data, ['hi']);
  assert.is((await get('x')).status, 422);
});

test('an edit of a client that was begun before their language was kept is told of it, or it would set it back', async (office) => {
  const { services, asha, client } = office;
  const { version, ...before } = await services.clients.client(asha.actor, client);
  await office.ask(['Form 16'], { language: 'hi' });
  const edit = services.clients.update(asha.actor, client, {
    language: before.language,
    city: 'Pune',
    version,
  });
  const refusal = await edit.then(
    () => assert.unreachable(),
    ({ code }: { code: string }) => code,
  );
  assert.is(refusal, 'client_changed');
});

test.run();
