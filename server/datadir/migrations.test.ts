import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readMigration } from '../../knexfile.ts';
import { FORM_16, recognise } from '../fields/testing/recognised.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { memoryBlobs } from '../testing/world.ts';
import { openDatabase } from './database.ts';

type Rows = Record<string, unknown>[];

const test = suite<{ db: Knex }>('migrating down');

/** An office with rows in every table that a migration changes on the way down. */
async function fill(db: Knex): Promise<void> {
  const blobs = memoryBlobs();
  const services = compose({
    db,
    blobs,
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
    secret: randomBytes(32),
    config: { abuseLimits: false },
  });
  const build = createBuild({ services, blobs, db });
  for (const name of ['Rao & Co', 'Sharma & Co']) {
    const { actor } = await build.account({ firm_name: name });
    const client_id = await build.client(actor, 'Meera', { pan: 'ABCPM1234D', notes: 'calls at ten' });
    const leaving = await build.client(actor, 'Leaving');
    const top = await build.folder(actor, '2026-27');
    const inner = await build.folder(actor, 'ITR', top.id);
    for (const [index, parent_id] of [null, top.id, inner.id].entries())
      await build.file(actor, { name: `form ${index}.pdf`, parent_id, client_id });
    await build.file(actor, { name: 'of one who leaves.pdf', client_id: leaving });
    await services.clients.remove(actor, leaving);
    const label = await services.labels.create(actor, { name: 'Urgent', colour: 'red' });
    await services.labels.put(actor, { ids: [inner.id], add: [label.id], remove: [] });
    await services.notes.add(actor, inner.id, { text: 'Asked for the second page.' });
    const read = await build.file(actor, { name: 'read.txt', content: 'Form 16' });
    await recognise({ db, services }, read.id, FORM_16);
    await services.fields.answer(actor, read.id, [{ id: 'type', answer: 'confirmed' }]);
    const filed = { name: 'filed.pdf', parent_id: inner.id };
    for (const content of ['first', 'second'])
      await build.file(actor, { ...filed, content, conflict: 'replace' });
    const gone = await build.folder(actor, 'deleted');
    const inside = await build.folder(actor, 'in what was deleted', gone.id);
    await build.file(actor, { name: 'deleted.pdf', parent_id: inside.id });
    const loose = await build.file(actor, { name: 'deleted alone.pdf' });
    await services.documents.remove(actor, [gone.id, loose.id]);
    await services.trash.remove(actor, [loose.id]);
    const planted = await build.folder(actor, 'being unpacked');
    const half = await build.file(actor, { name: 'unpacked.pdf', parent_id: planted.id });
    await db('hidden_items').insert(
      [planted.id, half.id].map((item_id) => ({ item_id, planting: planted.id })),
    );
    const zip = await build.file(actor, { name: 'to unpack.zip' });
    const job = { kind: 'extraction', subject: `item:${zip.id}`, input: {}, message: 'Waiting' };
    await db.transaction((trx) => services.jobs.add(trx, actor, job));
    const id = `${name} upload`;
    await services.resumable.begin(actor, { id, name: 'large.pdf', size: 100, fields: {} });
    await services.resumable.append(actor, id, 0, bytesOf('half of it'));
    await services.subscription.startTrial(actor);
    await services.retention.mark(actor, inner.id, { counts_from: '2020-05-01' });
    await pay(db, actor.firmId, actor.userId);
    await db('renditions').insert({
      firm_id: actor.firmId,
      sha256: (await db('items').whereNotNull('sha256').first('sha256')).sha256,
      kind: 'thumbnail',
      page: 1,
      blob_id: randomBytes(16).toString('hex'),
      bytes: 10,
      made_at: '2026-11-20T10:00:00.000Z',
      used_at: '2026-11-20T10:00:00.000Z',
    });
  }
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function pay(db: Knex, firm_id: number, user_id: number): Promise<void> {
  const at = '2026-11-20T10:00:00.000Z';
  const plan = { plan_id: 1, billing_cycle: 'monthly', amount_paise: 99_900 };
  const [order] = await db('orders')
    .insert({
      firm_id,
      user_id,
      ...plan,
      plan_name: 'Starter',
      storage_gb: 25,
      max_users: 1,
      currency: 'INR',
      key_id: 'key',
      gateway_order_id: `order ${firm_id}`,
      status: 'paid',
      created_at: at,
      offered_at: at,
    })
    .returning('id');
  const [payment] = await db('payments')
    .insert({
      firm_id,
      order_id: order.id,
      gateway_payment_id: `pay ${firm_id}`,
      amount_paise: 99_900,
      currency: 'INR',
      status: 'captured',
      method: 'upi',
      found_by: 'webhook',
      paid_at: at,
      recorded_at: at,
    })
    .returning('id');
  const period = { firm_id, ...plan, starts_at: at, ends_at: '2026-12-20T10:00:00.000Z' };
  await db('subscriptions').insert({ ...period, payment_id: payment.id, storage_gb: 25, max_users: 1 });
  const number = { series: 'AL/26-27', place: firm_id, number: `AL/26-27/${firm_id}` };
  await db('invoices').insert({ firm_id, payment_id: payment.id, ...number, issued_at: at, document: '{}' });
}

/** All rows of all tables, except those of knex and of the search index. */
async function everything(db: Knex): Promise<Map<string, Rows>> {
  const tables: { name: string }[] = await db.raw(
    `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
     AND name NOT LIKE 'knex_%' AND name NOT LIKE 'item_search%'`,
  );
  const all = new Map<string, Rows>();
  for (const { name } of tables) all.set(name, await db(name));
  return all;
}

const sorted = (rows: Rows, columns: readonly string[]): string[] =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted();

const steps = async (db: Knex): Promise<string[]> => {
  const [, waiting] = (await db.migrate.list()) as [unknown, unknown[]];
  assert.is(waiting.length, 0);
  return db('knex_migrations').orderBy('name', 'desc').pluck('name');
};

const down = (db: Knex, name: string) => db.migrate.down({ name } as Knex.MigratorConfig);
const up = (db: Knex, name: string) => db.migrate.up({ name } as Knex.MigratorConfig);

/** Tables whose rows a migration deletes or rewrites on purpose, besides the data that it declares as lost. */
const MEANT: Record<string, string[]> = {
  // Older versions count in this table themselves.
  '20261128093000_firm_usage.ts': ['storage_usage'],
  '20261122190204_arrivals.ts': ['discarded_blobs', 'storage_reservations'],
  '20261122160701_document_texts.ts': ['discarded_blobs'],
  '20261122160300_versions.ts': ['discarded_blobs'],
  '20261122114100_user_roles.ts': ['users'],
  '20261122131200_audit_folders.ts': ['audit_links'],
  '20261122111300_gateway_events_as_jobs.ts': ['jobs'],
  // This step changes a column that no code reads.
  '20261122101300_no_leases_of_jobs.ts': ['jobs'],
  '20261122091800_link_contents_of_folders.ts': ['jobs'],
  '20261121110000_hidden_items.ts': ['item_rows', 'discarded_blobs', 'touches'],
  '20261121120000_one_queue.ts': ['jobs'],
  '20261120150000_resumable_uploads.ts': ['storage_reservations', 'discarded_blobs'],
  '20261120150100_renditions.ts': ['discarded_blobs'],
  '20261120110000_jobs.ts': ['firms', 'clients', 'items'],
};

test.before.each(async (world) => {
  world.db = openDatabase(':memory:', { guarded: false });
  await world.db.migrate.latest();
  await fill(world.db);
});
test.after.each(({ db }) => db.destroy());

test('each migration down loses only the data that it declares, and one that declares none can be undone without any change', async ({
  db,
}) => {
  for (const name of await steps(db)) {
    const { lost } = await readMigration(name);
    const before = await everything(db);
    await down(db, name);
    const after = await everything(db);
    for (const [table, rows] of after) {
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (before.get(table)?.[0] ?? {}));
      if (!before.has(table) || MEANT[name]?.includes(table)) continue;
      const had = sorted(before.get(table)!, columns);
      assert.equal(sorted(rows, columns), columns.length > 0 ? had : [], `${table} after going down ${name}`);
      assert.is(rows.length, before.get(table)!.length, `${table} after going down ${name}`);
    }
    assert.equal(await db.raw('PRAGMA foreign_key_check'), [], `references after going down ${name}`);
    await up(db, name);
    if (lost === null) {
      const again = await everything(db);
      for (const table of before.keys()) {
        if (table === 'hidden_items' || MEANT[name]?.includes(table)) continue;
        const columns = Object.keys(before.get(table)![0] ?? {});
        assert.equal(
          sorted(again.get(table)!, columns),
          sorted(before.get(table)!, columns),
          `${table} after ${name} down and up, which says that it takes nothing`,
        );
      }
    }
    await down(db, name);
  }
  assert.equal([...(await everything(db)).keys()], [], 'all the way down nothing is left');
  await db.migrate.latest();
});

test('deleted and half-unpacked items do not reappear after any migration down', async ({ db }) => {
  const there = (await db('items').pluck('name')).toSorted();
  const blobs: string[] = await db('item_rows')
    .whereIn('id', db('hidden_items').select('item_id'))
    .whereNotNull('blob_id')
    .pluck('blob_id');
  assert.is(blobs.length, 6);
  for (const name of await steps(db)) {
    await down(db, name);
    if (!(await db.schema.hasTable('items'))) break;
    assert.equal((await db('items').pluck('name')).toSorted(), there, name);
    const discarded = await db('discarded_blobs').whereIn('blob_id', blobs).pluck('blob_id');
    assert.ok((await db.schema.hasTable('hidden_items')) || discarded.length === 6, 'their bytes are swept');
  }
});

test('files keep their clients when migrating down, as long as there are clients', async ({ db }) => {
  const tied = await db('items').whereNotNull('client_id').select('id', 'client_id');
  for (const name of await steps(db)) {
    if (name.endsWith('_jobs.ts')) break;
    await down(db, name);
    assert.equal(await db('items').whereNotNull('client_id').select('id', 'client_id'), tied, name);
  }
});

test('what was sent back for a request stays sent back over an update that tells why, and over a step back', async ({
  db,
}) => {
  const name = '20261128191500_judged_arrivals.ts';
  const later = (await steps(db)).filter((step) => step > name);
  for (const step of [...later, name]) await down(db, step);
  const at = '2026-11-20T10:00:00.000Z';
  const row = {
    firm_id: 1,
    door: 'request:1',
    slot: 1,
    position: 0,
    name: 'April.pdf',
    size: 1,
    sender: 'Meera',
  };
  for (const superseded of [1, 0])
    await db('arrivals').insert({
      ...row,
      sha256: '',
      state: 'filed',
      superseded,
      created_at: at,
      touched_at: at,
    });
  await up(db, name);
  const judged = await db('arrivals').orderBy('id').select('judged', 'judged_reason', 'judged_at');
  assert.equal(judged, [
    { judged: 'returned', judged_reason: null, judged_at: at },
    { judged: null, judged_reason: null, judged_at: null },
  ]);
  await db('arrivals').where({ judged: null }).update({ judged: 'accepted', judged_at: at });
  await down(db, name);
  assert.equal(await db('arrivals').orderBy('id').pluck('superseded'), [1, 0]);
});

test('each client is written to in the language of the last request, which only browsers remembered before', async ({
  db,
}) => {
  const name = '20261128231000_client_language.ts';
  for (const step of (await steps(db)).filter((step) => step >= name)) await down(db, step);
  const at = '2026-11-20T10:00:00.000Z';
  const [first, second] = await db('clients').orderBy('id').pluck('id');
  const row = {
    firm_id: 1,
    made_by: 1,
    title: 'ITR',
    note: '',
    remind_on: 0,
    email: '',
    created_at: at,
    updated_at: at,
  };
  for (const [client_id, language] of [
    [first, 'en'],
    [first, 'hi'],
    [second, 'hi'],
    [second, 'en'],
  ])
    await db('requests').insert({
      ...row,
      client_id,
      language,
      seed: `${client_id} ${language}`,
      token_hash: `${client_id} ${language}`,
    });
  await up(db, name);
  const kept = await db('clients').whereIn('id', [first, second]).orderBy('id').pluck('language');
  assert.equal(kept, ['hi', 'en']);
});

test('files whose Aadhaar numbers were all found before are checked again after an update that finds more, and their copies are swept', async ({
  db,
}) => {
  const name = '20261128140000_number_verdicts.ts';
  await down(db, name);
  const { firm_id, sha256 } = await db('items').whereNotNull('sha256').first('firm_id', 'sha256');
  const at = { made_at: '2026-11-20T10:00:00.000Z', used_at: '2026-11-20T10:00:00.000Z' };
  const rows: [kind: string, blob_id: string | null, pages: number][] = [
    ['masked txt', null, 0],
    ['masked docx', null, -1],
    ['masked pdf', 'a'.repeat(32), 0],
    ['masked jpg', 'b'.repeat(32), 2],
    ['masked_page pdf', 'c'.repeat(32), 3],
    ['page pdf', 'd'.repeat(32), 3],
  ];
  for (const [kind, blob_id, pages] of rows)
    await db('renditions').insert({ firm_id, sha256, kind, page: 1, blob_id, pages, ...at });
  await db('discarded_blobs').insert({ blob_id: 'a'.repeat(32), discarded_at: at.made_at });
  await up(db, name);
  const left = await db('renditions').whereNot({ kind: 'thumbnail' }).orderBy('kind').pluck('kind');
  assert.equal(
    left,
    ['masked docx', 'page pdf'],
    'what is withheld stays so, and the office keeps its pages',
  );
  const swept: string[] = await db('discarded_blobs').pluck('blob_id');
  for (const blob of 'abc') assert.ok(swept.includes(blob.repeat(32)), blob);
  assert.not(swept.includes('d'.repeat(32)));
});

test('pictures that an older release could not make are tried once more, because a busy machine may have been the reason', async ({
  db,
}) => {
  const name = '20261129130000_unreadable_drawn_again.ts';
  await down(db, name);
  const { firm_id, sha256 } = await db('items').whereNotNull('sha256').first('firm_id', 'sha256');
  const at = { made_at: '2026-11-20T10:00:00.000Z', used_at: '2026-11-20T10:00:00.000Z' };
  const rows: [kind: string, blob_id: string | null, pages: number | null][] = [
    ['page pdf', null, null],
    ['view xlsx', null, null],
    ['masked jpg', null, -2],
    ['masked pdf', null, -3],
    ['masked txt', null, 0],
    ['page jpg', 'd'.repeat(32), 1],
  ];
  for (const [kind, blob_id, pages] of rows)
    await db('renditions').insert({ firm_id, sha256, kind, page: 1, blob_id, pages, ...at });
  await up(db, name);
  const left = await db('renditions').whereNot({ kind: 'thumbnail' }).orderBy('kind').pluck('kind');
  assert.equal(left, ['masked pdf', 'masked txt', 'page jpg'], 'verdicts that have another reason stay');
});

test.run();
