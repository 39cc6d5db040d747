import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { findTotalsFaults } from '#server/tools/totals.ts';
import type { RuleInput } from './contract.ts';

interface Office extends World {
  admin: Actor;
  staff: Actor;
  token: string;
}

const DAY = 24 * 60 * 60_000;

const test = suite<Office>('retention rules');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld({ trashDays: 30 }));
  const { actor, token } = await world.build.account();
  const { actor: staff } = await world.build.colleague(actor);
  Object.assign(world, { admin: actor, staff, token });
});
test.after.each((world) => world.close());

/** Eight years from the end of the year, unless said otherwise. */
const rule = (more: Partial<RuleInput> = {}): RuleInput => ({
  name: 'Books of account',
  source: '',
  applies_to: 'everything',
  months: 96,
  counts_from: 'year_end',
  ...more,
});
const failure = ({ failed }: { failed: { code?: string; message: string }[] }) => [
  failed[0]?.code,
  failed[0]?.message,
];

test('how many files a rule would keep is known before it is saved, since all documents of the office are soon chosen', async ({
  services: { retention, documents },
  build,
  admin,
  staff,
}) => {
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  const folder = await build.folder(admin, 'Mehta');
  await documents.setClient(admin, folder.id, { client_id: company });
  await build.file(admin, { name: 'Books.xlsx', parent_id: folder.id });
  await build.file(admin, { name: 'free.pdf' });
  const reach = async (more: Partial<RuleInput>) => (await retention.reach(admin, rule(more))).files;
  assert.is(await reach({}), 2);
  assert.is(await reach({ applies_to: 'folder', item_id: folder.id }), 1);
  assert.is(await reach({ applies_to: 'client_type', client_type: 'Company' }), 1);
  assert.equal((await retention.overview(admin)).rules, []);
  await rejects(retention.reach(staff, rule()), 403);
});

test('what is under a rule is not deleted, with the rule and the day in the refusal, and what is not under one goes', async ({
  services: { retention, documents },
  build,
  admin,
  staff,
}) => {
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  const folder = await build.folder(admin, 'Mehta');
  await documents.setClient(admin, folder.id, { client_id: company });
  const deep = await build.folder(admin, 'Deep', folder.id);
  const books = await build.file(admin, { name: 'Books.xlsx', parent_id: deep.id });
  const free = await build.file(admin, { name: 'free.pdf' });
  const empty = await build.folder(admin, 'Empty', folder.id);
  await retention.add(admin, rule({ applies_to: 'client_type', client_type: 'Company' }));
  for (const actor of [admin, staff]) {
    const result = await documents.remove(actor, [folder.id]);
    assert.equal(result.done, []);
    assert.equal(failure(result), [
      'kept',
      '"Books.xlsx" in this folder is kept until Mar 31, 2035 by the retention rule "Books of account" and cannot be deleted before.',
    ]);
  }
  const before = await documents.previewRemoval(staff, [books.id, free.id, empty.id]);
  assert.equal([before.count, before.named.map(({ id }) => id)], [1, [books.id]], 'it is said beforehand');
  const alone = await documents.remove(staff, [books.id, free.id, empty.id]);
  assert.equal(before.named[0]!.message, alone.failed[0]!.message);
  assert.equal(alone.done.toSorted(), [free.id, empty.id].toSorted(), 'an empty folder is no record');
  assert.match(alone.failed[0]!.message, /^This is kept until Mar 31, 2035/);
});

test('of several rules the longest wins, and one without its day keeps until somebody says it', async ({
  services: { retention, documents, labels },
  build,
  admin,
}) => {
  const audit = await build.folder(admin, 'Audit 2025-26');
  const file = await build.file(admin, { name: 'report.pdf', parent_id: audit.id });
  const label = await labels.create(admin, { name: 'Audit file', colour: 'red' });
  await labels.put(admin, { ids: [audit.id], add: [label.id], remove: [] });
  await retention.add(admin, rule({ name: 'Three years', months: 36, counts_from: 'put_in' }));
  const seven = rule({
    name: 'Audit file',
    applies_to: 'label',
    label_id: label.id,
    months: 84,
    counts_from: 'said_day',
  });
  await retention.add(admin, seven);
  const undated = await retention.of(admin, file.id);
  assert.equal(
    undated.rules.map(({ rule: name, until }) => [name, until]),
    [
      ['Audit file', null],
      ['Three years', '2029-11-20'],
    ],
  );
  assert.match(
    String(failure(await documents.remove(admin, [audit.id]))[1]),
    'for 7 years from a date that nobody has entered',
  );
  assert.is((await retention.overview(admin)).total.undated, 1);
  await retention.mark(admin, audit.id, { counts_from: '2018-09-30' });
  const { rules, day, own_day, set_by } = await retention.of(admin, file.id);
  assert.equal([day, own_day, set_by], ['2018-09-30', false, 'Asha Rao']);
  assert.equal(
    rules.map(({ rule: name, until, run_out }) => [name, until, run_out]),
    [
      ['Audit file', '2025-09-30', true],
      ['Three years', '2021-09-30', true],
    ],
  );
  assert.match(
    String(failure(await documents.remove(admin, [file.id]))[1]),
    'was kept by the retention rule "Audit file" until Sep 30, 2025',
  );
});

test('a list and the figures tell what is kept, what has run out and what has no day, page by page, of what one sees', async ({
  services: { retention, documents, holds, seals },
  build,
  db,
  admin,
}) => {
  const client = await build.client(admin, 'Rao');
  const folder = await build.folder(admin, 'Rao');
  await documents.setClient(admin, folder.id, { client_id: client });
  const [a, b, c, d] = await Promise.all(
    ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'].map((name) => build.file(admin, { name, parent_id: folder.id })),
  );
  await build.file(admin, { name: 'elsewhere.pdf' });
  await retention.add(
    admin,
    rule({ applies_to: 'folder', item_id: folder.id, months: 12, counts_from: 'put_in' }),
  );
  for (const [item, day] of [
    [a, '2020-01-10'],
    [b, '2021-01-10'],
  ] as const)
    await retention.mark(admin, item!.id, { counts_from: day });
  await retention.mark(admin, d!.id, { exempt_reason: 'Put in by mistake' });
  await seals.seal(admin, b!.id, { reason: 'Filed' });
  const { total, rules } = await retention.overview(admin);
  assert.equal([total.files, total.run_out, rules[0]!.of, rules[0]!.files], [3, 2, 'Rao', 3]);
  const first = await retention.files(admin, { state: 'run_out', limit: 1 });
  assert.equal(
    [first.total, first.items.map(({ name, until, stays, path }) => [name, until, stays, path])],
    [2, [['a.pdf', '2021-01-10', null, 'Rao']]],
  );
  const second = await retention.files(admin, { state: 'run_out', limit: 1, cursor: first.next_cursor! });
  assert.equal(
    [second.items.map(({ name, stays }) => [name, stays]), second.next_cursor],
    [[['b.pdf', 'sealed']], null],
  );
  assert.equal(
    (await retention.files(admin)).items.map(({ id }) => id),
    [c!.id],
  );
  assert.equal((await retention.files(admin, { search: 'C.P' })).total, 1);
  await holds.place(admin, client, { reason: 'Notice' });
  assert.equal(
    (await retention.files(admin, { state: 'run_out' })).items.map(({ stays }) => stays),
    ['held', 'held'],
  );
  const { actor: limited } = await build.colleague(admin, { role: 'manager', client_scope: 'assigned' });
  assert.is((await retention.overview(limited)).total.files, 0);
  await db('user_clients').insert({ user_id: limited.userId, client_id: client });
  assert.is((await retention.overview(limited)).total.files, 3);
  await rejects(retention.add(limited, rule()), 403);
  assert.is(
    (await retention.overview(await build.actor())).rules.length,
    0,
    'nothing of it is another firm’s',
  );
});

test('items in Trash when a rule is added, and versions, are not deleted by hand, by Empty or by age', async (world) => {
  const { services, admin, build, advance } = world;
  const { retention, documents, trash, versions, jobs } = services;
  services.start();
  await jobs.idle();
  const folder = await build.folder(admin, 'Kept');
  const inside = await build.folder(admin, 'Inside', folder.id);
  await build.file(admin, { name: 'old.pdf', parent_id: inside.id });
  const free = await build.file(admin, { name: 'free.pdf' });
  const put = (content: string) => build.file(admin, { name: 'b.txt', content, conflict: 'replace' });
  await put('one');
  await put('two');
  const { id } = await put('three');
  await documents.remove(admin, [folder.id, free.id]);
  await retention.add(admin, rule({ counts_from: 'put_in' }));
  const byHand = await trash.remove(admin, [folder.id]);
  assert.equal([byHand.done, byHand.failed[0]!.code], [[], 'kept']);
  assert.match(byHand.failed[0]!.message, '"old.pdf" in this folder is kept until Nov 20, 2034');
  assert.equal(await trash.empty(admin), { deleted: 0, kept: 2 });
  advance(40 * DAY);
  assert.is(await jobs.runDue('delete-expired-trash'), 1);
  await jobs.runDue('delete-expired-versions');
  await services.sweeper.drain();
  assert.is((await trash.list(admin)).items.length, 2);
  const { earlier, stays } = await versions.list(admin, id);
  assert.is(earlier.length, 2);
  assert.match(stays!, /^This is kept until .* by the retention rule/, 'said before anybody tries');
  assert.is(
    (await rejects(versions.remove(admin, { item: id, version: earlier[0]!.id! }), 422)).code,
    'kept',
  );
  assert.equal((await trash.restore(admin, { ids: [folder.id] })).done, [folder.id]);
  assert.equal(await findTotalsFaults(world.db), []);
});

test('without Trash a kept file is not deleted either, and an archive that is replaced by its contents stays beside them', async () => {
  const world = await freshWorld({ trashDays: 0 });
  try {
    const admin = await world.build.actor();
    const file = await world.build.file(admin);
    await world.services.retention.add(admin, rule());
    assert.is(failure(await world.services.documents.remove(admin, [file.id]))[0], 'kept');
    assert.is((await world.services.documents.item(admin, file.id)).name, 'note.txt');
  } finally {
    await world.close();
  }
});

test('only users who manage retention may end the protection of a document by moving it, or changing its label, client or client type', async ({
  services: { retention, documents, labels, clients },
  build,
  admin,
  staff,
}) => {
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  const person = await build.client(admin, 'Meera');
  const folder = await build.folder(admin, 'Audit');
  const moving = await build.file(admin, { name: 'moving.pdf', parent_id: folder.id });
  const owned = await build.file(admin, { name: 'owned.pdf', client_id: company });
  const bearing = await build.file(admin, { name: 'bearing.pdf' });
  const label = await labels.create(admin, { name: 'Audit file', colour: 'red' });
  await labels.put(admin, { ids: [bearing.id], add: [label.id], remove: [] });
  await retention.add(admin, rule({ applies_to: 'folder', item_id: folder.id }));
  await retention.add(admin, rule({ applies_to: 'label', label_id: label.id }));
  await retention.add(admin, rule({ name: 'Companies', applies_to: 'client_type', client_type: 'Company' }));
  const attempts = [
    () => documents.move(staff, { ids: [moving.id], parent_id: null }),
    () => labels.put(staff, { ids: [bearing.id], add: [], remove: [label.id] }),
    () => documents.setClient(staff, owned.id, { client_id: person }),
    () => clients.update(staff, company, { client_type: 'LLP' }),
  ];
  for (const attempt of attempts) assert.is((await rejects(attempt(), 422)).code, 'kept', String(attempt));
  assert.is((await rejects(clients.remove(admin, company), 409)).code, 'kept');
  assert.is((await rejects(labels.remove(admin, label.id), 409)).code, 'kept');
  await rejects(retention.mark(staff, moving.id, { exempt_reason: 'Mistake' }), 403);
  assert.equal((await documents.move(admin, { ids: [moving.id], parent_id: null })).done, [moving.id]);
  assert.equal((await documents.remove(staff, [moving.id])).done, [moving.id]);
  await retention.mark(admin, owned.id, { exempt_reason: 'Put in by mistake' });
  assert.equal((await documents.remove(staff, [owned.id])).done, [owned.id]);
});

test('an import does not change a client’s type if documents would leave a retention rule, and reports the line, unless the user manages retention', async ({
  services: { retention, clients },
  build,
  admin,
  staff,
}) => {
  const company = await build.client(admin, 'Mehta Ltd', {
    client_type: 'Company',
    email: 'a@mehta.example.in',
  });
  await build.client(admin, 'Rao Ltd', { client_type: 'Company', email: 'a@rao.example.in' });
  await build.file(admin, { name: 'owned.pdf', client_id: company });
  await retention.add(admin, rule({ name: 'Companies', applies_to: 'client_type', client_type: 'Company' }));
  const bytes = Buffer.from(
    'Name,Email,Type\nMehta Ltd,a@mehta.example.in,LLP\nRao Ltd,a@rao.example.in,LLP\nMeera,m@iyer.example.in,Individual\n',
  );
  const { rows, counts, columns } = await clients.import.preview(staff, bytes, null);
  assert.equal(counts, { create: 1, update: 1, same: 0, error: 1 });
  assert.equal(rows[0]!.errors, {
    client_type: [
      'The retention rule "Companies" for clients of this type keeps documents of this client. Ask an admin or manager to change the type.',
    ],
  });
  const fields = columns.map(({ field }) => field);
  assert.match(
    (await rejects(clients.import.run(staff, bytes, fields), 422)).message,
    /^Nothing was imported: 1 of 3 rows are wrong\. Line 2: The retention rule "Companies"/,
  );
  const typeOf = async () => (await clients.client(admin, company)).client_type;
  const left = await clients.import.run(staff, bytes, fields, { leave_out: true });
  assert.equal([left.created, left.updated, left.left_out, await typeOf()], [1, 1, 1, 'Company']);
  assert.is((await clients.import.run(admin, bytes, fields)).updated, 1);
  assert.is(await typeOf(), 'LLP');
});

test('the database refuses the deletion of a kept document even if a service forgets to check', async ({
  services,
  admin,
  build,
  db,
}) => {
  const folder = await build.folder(admin, 'Kept');
  const { id } = await build.file(admin, { name: 'a.txt', parent_id: folder.id });
  await build.file(admin, { name: 'a.txt', content: 'again', parent_id: folder.id, conflict: 'replace' });
  const trashed = await build.file(admin, { name: 'b.txt', parent_id: folder.id });
  const company = await build.client(admin, 'Mehta Ltd', { client_type: 'Company' });
  await build.file(admin, { name: 'c.txt', client_id: company });
  await services.documents.remove(admin, [trashed.id]);
  const made = await services.retention.add(admin, rule({ applies_to: 'folder', item_id: folder.id }));
  await services.retention.add(admin, rule({ applies_to: 'client_type', client_type: 'Company' }));
  const attempts: Record<string, () => PromiseLike<unknown>> = {
    'move to Trash': () => db('hidden_items').insert({ item_id: id, trash: id }),
    'hide for good': () => db('hidden_items').insert({ item_id: id }),
    purge: () => db('hidden_items').where({ item_id: trashed.id }).update({ trash: null }),
    delete: () => db('item_rows').where({ id }).delete(),
    'delete a version': () => db('versions').delete(),
    'delete the client': () => db('clients').where({ id: company }).update({ firm_id: 0 }),
    'forget the rule': () => db('retention_rules').delete(),
  };
  for (const [what, attempt] of Object.entries(attempts)) {
    const error: unknown = await Promise.resolve(attempt()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.match(String(error), 'kept', what);
  }
  await services.retention.remove(admin, made.id, { reason: 'Was for another firm' });
  assert.equal((await services.documents.remove(admin, [folder.id])).done, [folder.id]);
});

test('rules are added, changed and removed on record, with what is wrong told of each field', async (world) => {
  const { services, admin } = world;
  const visitor = new (await import('#server/testing/visitor.ts')).Visitor(await world.serve());
  const send = (method: string, path: string, body: unknown) =>
    visitor.call(method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    });
  const wrong = await send('POST', '/api/retention/rules', {
    ...rule(),
    name: '',
    months: 0,
    applies_to: 'folder',
  });
  assert.equal(
    [wrong.status, Object.keys(wrong.json.errors).toSorted()],
    [422, ['item_id', 'months', 'name']],
  );
  const made = await send('POST', '/api/retention/rules', rule());
  assert.is(made.status, 200);
  const { id } = made.json.data;
  await send('PUT', `/api/retention/rules/${id}`, rule({ months: 84 }));
  assert.is((await send('POST', `/api/retention/rules/${id}/remove`, {})).status, 422);
  assert.is(
    (await send('POST', `/api/retention/rules/${id}/remove`, { reason: 'Another one stands' })).status,
    200,
  );
  const { data } = await services.audit.list(admin, { limit: 10 });
  const told = data
    .filter(({ did }) => did.startsWith('retention.'))
    .map(({ what, detail }) => [what, detail['keeps']]);
  assert.equal(told, [
    ['Removed a retention rule', '7 years'],
    ['Changed a retention rule', '7 years'],
    ['Added a retention rule', '8 years'],
  ]);
});

test.run();
