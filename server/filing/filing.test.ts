import * as assert from 'uvu/assert';
import { FORM_16, STATEMENT, field } from '#server/fields/testing/recognised.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import { assign, colleague } from '#server/testing/colleague.ts';
import { rejects } from '#server/testing/rejects.ts';
import { repeatOnce } from '#server/testing/repeat-once.ts';
import { SUGGESTED_MAX } from './contract.ts';
import type { Office } from './testing/office.ts';
import { asFiled, filingSuite, pan, scan, suggested, withFields } from './testing/office.ts';

const test = filingSuite('filing documents by what was recognised in them');

test('a document is suggested for the client whose PAN it contains, in a folder by year and type, with a name by the pattern', async (office) => {
  const { sharma } = office;
  const one = await suggested(office, await scan(office));
  assert.equal(
    [one.client, one.clients, one.base, one.folder, one.name, one.sure, one.doubts],
    [
      { id: sharma, name: 'Sharma Traders' },
      [{ id: sharma, name: 'Sharma Traders', by: 'pan', value: 'AAAPZ0000A' }],
      'Sharma Traders',
      ['FY 2025-26', 'Income tax'],
      'Sharma Traders Form 16 FY 2025-26.pdf',
      true,
      [],
    ],
  );
});

test('a certain suggestion comes before a page of newer uncertain ones, or it would never be filed', async (office) => {
  const { services, build } = office;
  const actor = await build.actor();
  await build.client(actor, 'Rao', { pan: 'AAAPZ0000A' });
  const ownOffice = { ...office, actor } as Office;
  const sure = await scan(ownOffice);
  for (let nth = 0; nth < SUGGESTED_MAX; nth += 1) await scan(ownOffice, withFields());
  const { suggestions, more, total, at_least } = await services.filing.suggestions(actor, {
    ids: undefined,
    folder: undefined,
    client: undefined,
  });
  assert.equal(
    [suggestions.length, suggestions[0]!.item.id, suggestions[0]!.sure, more, total, at_least],
    [SUGGESTED_MAX, sure, true, true, SUGGESTED_MAX + 1, false],
  );
});

test('600 newer documents without values do not hide an older one that has some, or it would never be filed', async (office) => {
  const { services, build, db } = office;
  const actor = await build.actor();
  await build.client(actor, 'Rao', { pan: 'AAAPZ0000A' });
  const ownOffice = { ...office, actor } as Office;
  const sure = await scan(ownOffice);
  const doubtful = await scan(ownOffice, { ...withFields(), type: null, year: null, period: null });
  const { id: _, ...unreadable } = await db('item_rows')
    .where({ id: (await build.file(actor)).id })
    .first();
  const rows = Array.from({ length: 610 }, (__, nth) => ({
    ...unreadable,
    name: `bill ${nth}.pdf`,
    name_key: `bill ${nth}.pdf`,
    sha256: `${nth}`.padStart(64, 'e'),
    blob_id: `${nth}`.padStart(64, 'e'),
  }));
  await db.batchInsert('item_rows', rows, 20);
  const { suggestions, waiting, more, at_least } = await services.filing.suggestions(actor, {
    ids: undefined,
    folder: undefined,
    client: undefined,
  });
  assert.equal(
    suggestions.map(({ item }) => item.id),
    [sure, doubtful],
  );
  assert.equal([waiting, more, at_least], [611, false, false]);
});

test('filing moves, renames and links several documents in one run, and undoing the run restores them', async (office) => {
  const { services, actor, sharma, db } = office;
  const ids = [await scan(office), await scan(office)];
  const { suggestions } = await services.filing.suggestions(actor, {
    ids,
    folder: undefined,
    client: undefined,
  });
  assert.equal(suggestions.map(({ taken }) => taken).toSorted(), [false, true], 'both would have one name');
  const done = await services.filing.file(actor, { files: suggestions.map(asFiled) });
  assert.equal([done.failed, done.filed.length], [[], 2]);
  assert.equal(done.filed.map(({ name }) => name).toSorted(), [
    'Sharma Traders Form 16 FY 2025-26 (2).pdf',
    'Sharma Traders Form 16 FY 2025-26.pdf',
  ]);
  const item = await services.documents.item(actor, ids[0]!);
  assert.equal([item.path, item.client_id], ['Sharma Traders / FY 2025-26 / Income tax', sharma]);
  const [run] = await services.filing.runs(actor);
  assert.equal([run!.id, run!.files, run!.undone], [done.run, 2, false]);
  assert.is(run!.name, done.filed.find(({ id }) => id === Math.min(...ids))!.name);
  const events = await db('audit_events').where('did', 'filing.file');
  assert.is(events.length, 1);
  const links = await db('audit_links').where({ event_id: events[0]!.id, kind: 'client' }).pluck('ref');
  assert.equal(links, [sharma], 'the history of the client shows it');

  const undone = await services.filing.undo(actor, done.run!);
  assert.equal([undone.failed, undone.filed.length], [[], 2]);
  const restored = await services.documents.item(actor, ids[0]!);
  assert.equal([restored.path, restored.client_id, restored.name.startsWith('scan')], ['', null, true]);
  await rejects(services.filing.undo(actor, done.run!), 409);
  await rejects(services.filing.undo(await office.build.actor(), done.run!), 404);
});

test('a document changed since its suggestion is not filed, and one changed since its filing is left alone by an undo', async (office) => {
  const { services, actor } = office;
  const [first, second] = [
    await suggested(office, await scan(office)),
    await suggested(office, await scan(office)),
  ];
  await services.documents.rename(actor, second!.item.id, { name: 'mine.pdf' });
  const done = await services.filing.file(actor, { files: [asFiled(first!), asFiled(second!)] });
  assert.equal([done.filed.length, done.failed.length], [1, 1]);
  assert.match(done.failed[0]!.message, /in the meantime/);
  await services.documents.rename(actor, first!.item.id, { name: 'Final.pdf' });
  const undone = await services.filing.undo(actor, done.run!);
  assert.equal([undone.filed.length, undone.failed.length], [0, 1]);
  assert.is((await services.documents.item(actor, first!.item.id)).name, 'Final.pdf');
});

test('a suggestion with two clients, a client by name alone, or no client is uncertain and says why', async (office) => {
  const { build, actor } = office;
  const iyer = await build.client(actor, 'Iyer & Co', { pan: 'ZZZFZ0000Z', gstin: '07ZZZFZ0000Z1ZX' });
  const both = await suggested(
    office,
    await scan(office, withFields(pan('employee_pan', 'AAAPZ0000A'), pan('employer_pan', 'ZZZFZ0000Z'))),
  );
  assert.equal([both.sure, both.doubts, both.clients.length], [false, ['two_clients'], 2]);
  const byGstin = await suggested(
    office,
    await scan(office, { ...withFields(pan('buyer_gstin', '07ZZZFZ0000Z1ZX')), type: 'invoice' }),
  );
  assert.equal([byGstin.client?.id, byGstin.clients[0]!.by, byGstin.sure], [iyer, 'gstin', true]);
  const named = await suggested(office, await scan(office, withFields(field('employee_name', 'IYER & CO.'))));
  assert.equal([named.client?.id, named.doubts, named.sure], [iyer, ['name_only'], false]);
  for (const email of ['ravi@shah.in', 'ravi.jr@shah.in'])
    await build.client(actor, 'Ravi Shah', { phone: '9820000001', email });
  const namesakes = await suggested(
    office,
    await scan(office, withFields(field('employee_name', 'RAVI SHAH'))),
  );
  assert.equal(
    namesakes.clients.map(({ name, distinct_by }) => [name, distinct_by]),
    [
      ['Ravi Shah', 'ravi@shah.in'],
      ['Ravi Shah', 'ravi.jr@shah.in'],
    ],
    'the user can tell which is which, also where a family has one phone',
  );
  // An identifier with low confidence is not used to find the client.
  const doubtful = await suggested(office, await scan(office, withFields(pan('pan', 'ZZZFZ0000Z', 0.4))));
  assert.equal([doubtful.client, doubtful.doubts], [null, ['no_client']]);
  const own = withFields(field('employee_name', 'Somebody Else'));
  const present = await suggested(office, await scan(office, own, { client_id: iyer }));
  assert.equal([present.client?.id, present.doubts, present.sure], [iyer, ['no_client'], false]);
  const unknown = await suggested(
    office,
    await scan(office, withFields(field('employee_name', 'Meera Rao'), pan('employee_pan', 'ZZZPZ0000A'))),
  );
  assert.equal(unknown.new_client, { name: 'Meera Rao', pan: 'ZZZPZ0000A', gstin: '' });
  const chosen = await suggested(office, unknown.item.id, actor, iyer);
  assert.equal([chosen.client?.id, chosen.base, chosen.sure], [iyer, 'Iyer & Co', true]);
  const unsure = await suggested(
    office,
    await scan(office, { ...FORM_16, type_sure: 0.5, year: null, period: null }),
  );
  assert.equal([unsure.doubts, unsure.sure], [['type', 'year'], false]);
});

const statement = (account: string, holder: string, ...more: Recognised['fields']): Recognised => ({
  ...STATEMENT,
  type_sure: 0.99,
  tables: [],
  fields: [field('account_no', account, { kind: 'identifier' }), field('holder_name', holder), ...more],
});
const ifsc = (value: string) => field('ifsc', value, { kind: 'identifier' });
const evidence = async (office: Office, recognised: Recognised) => {
  const { clients, sure } = await suggested(office, await scan(office, recognised));
  return [clients.map(({ by }) => by).join(), sure];
};

test('once a statement is filed, the next one of its account is certain, or a user would confirm each of a year', async (office) => {
  const { services, actor, build, db } = office;
  const gupta = await build.client(actor, 'Gupta Stores');
  const of = (account: string, ...more: Recognised['fields']) => statement(account, 'GUPTA STORES', ...more);
  const first = await suggested(office, await scan(office, of('00123456789012', ifsc('HDFC0000001'))));
  assert.equal([first.client?.id, first.doubts], [gupta, ['name_only']]);
  const { run } = await services.filing.file(actor, { files: [asFiled(first)] });
  const next = await suggested(office, await scan(office, of('123456789012')));
  assert.equal(
    [next.clients, next.sure],
    [[{ id: gupta, name: 'Gupta Stores', by: 'account', value: '…9012' }], true],
  );
  assert.equal(await evidence(office, of('00123456789012', ifsc('HDFC0000001'))), ['account', true]);
  assert.equal(await evidence(office, of('00123456789012', ifsc('SBIN0000001'))), ['name', false]);
  assert.equal(await evidence(office, of('999956789012')), ['name', false]);
  assert.equal(await evidence(office, of('XXXXXXXX9012')), ['name', false], 'many accounts end so');
  assert.equal(
    await evidence(office, { ...of('123456789012'), type: 'cheque' }),
    ['name', false],
    'a cheque may be drawn on the account of somebody else',
  );
  assert.equal(
    await evidence(office, statement('123456789012', 'Sharma Traders')),
    ['account,name', false],
    'the name is that of another client',
  );
  const kept: string[] = await db('document_fields').where('account_hash', '<>', '').pluck('account_hash');
  assert.ok(kept.length > 0 && kept.every((hash) => !/123456789012/.test(hash)));

  const person = await colleague(office, actor, {});
  await assign(office, person, [await build.client(actor, 'Elsewhere')]);
  assert.equal((await suggested(office, next.item.id, person)).clients, [], 'the user does not see it');

  await services.filing.undo(actor, run!);
  assert.equal(await evidence(office, of('123456789012')), ['name', false], 'the filing was undone');
});

test('an account number filed with two clients suggests neither, and a statement sent by a client counts only once a user files it', async (office) => {
  const { services, actor, build, db } = office;
  const [mine, other] = [await build.client(actor, 'Bose & Co'), await build.client(actor, 'Das & Co')];
  const bank = statement('555500001111', 'BOSE & CO');
  const sent = await scan(office, bank, { client_id: mine });
  const at = '2026-11-22T10:00:00.000Z';
  await db('arrivals').insert({
    firm_id: actor.firmId,
    door: 'request:1',
    position: 0,
    name: 'a.pdf',
    size: 1,
    sha256: 'a',
    state: 'filed',
    item_id: sent,
    sender: 'somebody',
    created_at: at,
    touched_at: at,
  });
  assert.equal(await evidence(office, bank), ['name', false]);
  const done = await services.filing.file(actor, { files: [asFiled(await suggested(office, sent))] });
  assert.is(done.failed.length, 0);
  assert.equal(await evidence(office, bank), ['account', true]);
  assert.equal((await suggested(office, sent)).doubts, ['name_only'], 'a file is no evidence for itself');
  await scan(office, bank, { client_id: other });
  assert.equal(await evidence(office, bank), ['name', false]);
});

test('an answered account number overrides the recognised one, and statements stored before accounts were hashed count too', async (office) => {
  const { services, build, db } = office;
  const ownOffice = { ...office, actor: await build.actor() } as Office;
  const client = await build.client(ownOffice.actor, 'Nair & Co');
  const filed = await scan(ownOffice, statement('777700001111', ''), { client_id: client });
  await db('document_fields')
    .where({ firm_id: ownOffice.actor.firmId })
    .update({ account_hash: null, ifsc_hash: null });
  assert.equal(await evidence(ownOffice, statement('777700001111', '')), ['account', true]);
  await services.fields.answer(ownOffice.actor, filed, [
    { id: 'account_no', answer: 'corrected', value: '777700002222' },
  ]);
  assert.equal(await evidence(ownOffice, statement('777700001111', '')), ['', false]);
  assert.equal(await evidence(ownOffice, statement('777700002222', '')), ['account', true]);
});

test('a suggestion uses an existing folder, or one that a template of the firm would create', async (office) => {
  const { build, actor, services } = office;
  const client = await build.client(actor, 'Rao', { pan: 'BBBPZ0000A' });
  const recognised = withFields(pan('employee_pan', 'BBBPZ0000A'));
  await services.templates.create(actor, {
    name: 'Ours',
    outline: 'Tax\n  AY {fy}\n{fy}\n  Salary\n    Form 16',
  });
  assert.equal((await suggested(office, await scan(office, recognised))).folder, [
    '2025-26',
    'Salary',
    'Form 16',
  ]);
  const put = async (name: string, parent_id: number | null) =>
    (await services.documents.createFolder(actor, { name, parent_id, client_id: client })).id;
  const top = await put('Rao', null);
  const year = await put('F.Y. 2025-26', await put('ITR', top));
  const one = await suggested(office, await scan(office, recognised));
  assert.equal([one.folder, one.folder_id], [['ITR', 'F.Y. 2025-26'], year]);
  assert.equal((await services.filing.file(actor, { files: [asFiled(one)] })).filed[0]!.folder_id, year);
});

test('a return is filed into the folder of its assessment year, whose name is a year later than the financial year', async (office) => {
  const { services, actor, build } = office;
  for (const [client, pan, earlier, later] of [
    ['Deshmukh Textiles', 'AADCD4321Q', 'Assessment Year 2024-25', 'Assessment Year 2025-26'],
    ['Kulkarni HUF', 'AAEHK1234R', 'AY_2024-25', 'AY_2025-26'],
    ['Pillai and Sons', 'AAFFP5678M', 'Asst. Year 2024-25', 'Asst. Year 2025-26'],
  ] as const) {
    const client_id = await build.client(actor, client, { pan });
    const put = async (name: string, parent_id: number | null) =>
      (await services.documents.createFolder(actor, { name, parent_id, client_id })).id;
    const top = await put(client, null);
    for (const name of [earlier, later]) await put('ITR', await put(name, top));
    const returned: Recognised = {
      ...FORM_16,
      type: 'itr_v',
      year: 2024,
      period: 'FY 2024-25',
      fields: [field('pan', pan, { kind: 'identifier', sure: 0.99 })],
    };
    assert.equal((await suggested(office, await scan(office, returned))).folder, [later, 'ITR'], client);
  }
});

test('a document under legal hold is not filed, and no suggestion names a client that the user does not see', async (office) => {
  const { services, actor, build, sharma } = office;
  const held = await build.client(actor, 'Held & Co');
  const inHeld = await suggested(office, await scan(office, FORM_16, { client_id: held }));
  await services.holds.place(actor, held, { reason: 'Court case' });
  const { failed } = await services.filing.file(actor, { files: [asFiled(inHeld)] });
  assert.match(failed[0]!.message, /legal hold/);

  const secret = await scan(office);
  const other = await build.client(actor, 'Other');
  const person = await colleague(office, actor, {});
  await assign(office, person, [other]);
  const seen = await suggested(office, secret, person);
  assert.equal([seen.client, seen.clients, seen.doubts], [null, [], ['no_client']]);
  await rejects(
    services.filing.suggestions(person, { ids: [secret], folder: undefined, client: sharma }),
    404,
  );
  const tried = await services.filing.file(person, {
    files: [{ ...asFiled(await suggested(office, secret)), client_id: sharma }],
  });
  assert.is(tried.failed.length, 1);
  await rejects(
    services.filing.suggestions(build.limited(actor), {
      ids: [secret],
      folder: undefined,
      client: undefined,
    }),
    403,
  );
});

test('an inbox files certain documents with the rights of the user who set it up, and never again one whose filing was undone', async (office) => {
  const { services, actor, build, db } = office;
  const inbox = (await build.folder(actor, 'Inbox')).id;
  const sure = await scan(office, FORM_16, { parent_id: inbox });
  const unsure = await scan(office, withFields(), { parent_id: inbox });
  await services.filing.setInbox(actor, inbox, { inbox: true, by_itself: false });
  assert.is(await services.filing.due(), false);
  const [view] = await services.filing.setInbox(actor, inbox, { inbox: true, by_itself: true });
  assert.equal([view!.name, view!.by_itself], ['Inbox', true]);
  assert.is(await services.filing.work(new AbortController().signal), 1);
  assert.match((await services.documents.item(actor, sure)).path!, /^Sharma Traders/);
  assert.is((await services.documents.item(actor, unsure)).parent_id, inbox);
  const [run] = await services.filing.runs(actor);
  assert.equal([run!.by_itself, run!.files], [true, 1]);
  await services.filing.undo(actor, run!.id);
  assert.is((await services.documents.item(actor, sure)).parent_id, inbox);
  assert.is(await services.filing.work(new AbortController().signal), 0, 'its filing was undone');
  const { did } = await db('audit_events').where('did', 'filing.inbox').first('did');
  assert.ok(did);
  await services.filing.setInbox(actor, inbox, { inbox: false, by_itself: false });
  assert.equal(await services.filing.inboxes(actor), []);
});

test('documents still to be read are counted apart from those without text', async (office) => {
  const { services, actor, build, db } = office;
  for (const name of ['first.pdf', 'second.pdf', 'third.pdf'])
    await build.file(actor, { name, content: name });
  const all = { ids: undefined, folder: undefined, client: undefined };
  const first = db('item_rows').where({ name: 'first.pdf' }).select('sha256');
  await db('document_texts').whereIn('sha256', first).update({ state: 'no_text' });
  const { waiting } = await services.filing.suggestions(actor, all);
  assert.is(waiting, 3);
  assert.is((await services.filing.suggestions(actor, all)).reading, 2);
});

test('a filing that the database rolls back and repeats belongs to a run that exists', async (office) => {
  const files = [asFiled(await suggested(office, await scan(office)))];
  const times = await repeatOnce(office.db, 'filed_items', 'INSERT');
  const { run } = await office.services.filing.file(office.actor, { files });
  assert.equal([await times(), (await office.services.filing.runs(office.actor))[0]!.id], [1, run]);
});

test.run();
