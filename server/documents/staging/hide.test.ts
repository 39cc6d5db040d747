import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { bytes, freshWorld } from '../../testing/world.ts';
import type { World } from '../../testing/world.ts';
import { rejects } from '../../testing/rejects.ts';

interface Office extends World {
  actor: Actor;
  client: number;
  /** A folder of the client's with `a.pdf` and `low/b.pdf` in it. */
  top: number;
  ids: { low: number; a: number; b: number };
}

const test = suite<Office>('documents: what is hidden');
test.before.each(async (office) => {
  const world = await freshWorld({ trashDays: 0 });
  const { build } = world;
  const actor = await build.actor();
  const client = await build.client(actor);
  const top = await build.folder(actor, 'Returns');
  await world.services.documents.setClient(actor, top.id, { client_id: client });
  const low = await build.folder(actor, 'low', top.id);
  const a = await build.file(actor, { name: 'a.pdf', parent_id: top.id });
  const b = await build.file(actor, { name: 'b.pdf', parent_id: low.id });
  Object.assign(office, world, { actor, client, top: top.id, ids: { low: low.id, a: a.id, b: b.id } });
});
test.after.each((office) => office.close());

/** Every way to read or reach the items, and what it gives for those of the office. */
async function readings({ services, actor, client, top, ids, db }: Office): Promise<Record<string, unknown>> {
  const { documents, records, search, dashboard, clients } = services;
  const all = [top, ...Object.values(ids)];
  const names = (items: { name: string }[]) => items.map(({ name }) => name);
  const status = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error: { status?: number }) => error.status ?? error,
    );
  const each = async (work: (id: number) => Promise<unknown>) =>
    Promise.all(all.map((id) => status(work(id))));
  const walked: unknown[] = [];
  const walk = async (): Promise<void> => {
    for await (const step of documents.walk(actor, [top])) walked.push(step);
  };
  const file = { name: 'a.pdf', path: [], size: 1 };
  const [counted] = await db.raw('SELECT count(*) AS n FROM items');
  return {
    counted: counted.n,
    root: names((await documents.folder(actor, null)).items),
    'of a client': names((await documents.folder(actor, null, { client_id: client })).items),
    'by name': names((await documents.folder(actor, null, { search: '.pdf' })).items),
    folder: await status(documents.folder(actor, top)),
    item: await each((id) => documents.item(actor, id)),
    views: names(await documents.views(actor, all)),
    open: await each((id) => documents.openFile(actor, id)),
    link: await each((id) => documents.downloadUrl(actor, id)),
    walk: [await status(walk()), walked.length],
    files: names((await documents.files(actor, {})).items),
    'files by size': names((await documents.files(actor, { sort: 'size' })).items),
    'files of a type': (await documents.files(actor, { group: 'pdf' })).total,
    'files found': names((await documents.files(actor, { search: '.pdf' })).items),
    search: names((await search.find(actor, '.pdf')).items),
    recent: names(await documents.recent(actor, 50)),
    largest: names(await dashboard.largestFiles(actor)),
    untouched: names(await dashboard.untouchedFiles(actor)),
    'stored files': (await dashboard.stats(actor)).total_files,
    tied: await clients.tied(actor, client),
    compared: (await documents.compare(actor, { parent_id: null, files: [file] })).length,
    'upload into it': await status(documents.checkUpload(actor, { parent_id: top, client_id: null })),
    recount: await records.recount(),
  };
}

const NOTHING = {
  counted: 0,
  root: [],
  'of a client': [],
  'by name': [],
  folder: 404,
  item: [404, 404, 404, 404],
  views: [],
  open: [404, 404, 404, 404],
  link: [404, 404, 404, 404],
  walk: [404, 0],
  files: [],
  'files by size': [],
  'files of a type': 0,
  'files found': [],
  search: [],
  recent: [],
  largest: [],
  untouched: [],
  'stored files': 0,
  tied: { files: 0, folders: 0, requests: 0, open_requests: 0, drop_link: false, page: false, refused: null },
  compared: 0,
  'upload into it': 422,
  recount: [],
};

test('deleted items are invisible at once, while their rows are still waiting to be purged', async (office) => {
  const { services, actor, top, db } = office;
  const before = await readings(office);
  assert.is(before.counted, 4);
  assert.equal(before.search, ['b.pdf', 'a.pdf']);
  await services.documents.remove(actor, [top]);
  assert.is((await db('item_rows')).length, 4);
  assert.equal(await readings(office), NOTHING);
  await services.sweeper.drain();
  for (const table of ['item_rows', 'hidden_items', 'item_search', 'touches'])
    assert.is(Number((await db(table).count({ n: '*' }))[0]!.n), 0, table);
  assert.equal(await readings(office), NOTHING);
});

test('hidden items cannot be changed, and their names are free', async ({
  services,
  actor,
  top,
  ids,
  build,
}) => {
  const { documents } = services;
  await documents.remove(actor, [top]);
  await rejects(documents.rename(actor, ids.a, { name: 'x.pdf' }), 404);
  await rejects(documents.setClient(actor, ids.low, { client_id: null }), 404);
  await rejects(documents.move(actor, { ids: [ids.a], parent_id: top }), 422);
  const why = 'Deleted by Asha Rao a moment ago.';
  assert.equal(await documents.move(actor, { ids: [ids.a], parent_id: null }), {
    done: [],
    failed: [{ id: ids.a, name: null, message: why }],
    former: [],
    clients: [],
    moved: [],
    merged: [],
    later: false,
  });
  assert.equal((await documents.remove(actor, [ids.low])).done, []);
  assert.is((await build.folder(actor, 'Returns')).name, 'Returns');
});

test('a tree that is being added is visible to nobody until it is complete, and after a failure nothing of it is left', async (office) => {
  const { services, actor, client, top, blobs, build, db } = office;
  const { documents, records } = services;
  await documents.remove(actor, [top]);
  await services.sweeper.drain();
  const zip = await build.file(actor, { name: 'Returns.zip', client_id: client });
  const { blob_id } = await documents.openFile(actor, zip.id);
  const plant = async (settle: () => Promise<void>) => {
    const files = await Promise.all(
      ['a.pdf', 'b.pdf'].map(async (name, n) => {
        return { name, type: 'pdf', folder: n - 1, blob: await blobs.put(bytes(name)) };
      }),
    );
    const tree = { name: 'Returns', folders: [{ name: 'low', parent: -1 }], files };
    const reservation = await db.transaction((trx) => documents.reserve(trx, actor, 10));
    const place = { beside: zip.id, replace: blob_id, reservation };
    return documents.addTree(actor, place, tree, new AbortController().signal, settle);
  };
  let seen: unknown;
  const failing = plant(async () => {
    // Within the transaction that is about to show it: undone with it.
    throw new Error('at the last moment');
  });
  await failing.then(
    () => assert.unreachable(),
    async () => (seen = await db('items').pluck('name')),
  );
  assert.equal(seen, ['Returns.zip']);
  assert.is((await db('item_rows')).length, 5);
  await records.recover();
  await services.sweeper.drain();
  assert.equal(await db('item_rows').pluck('name'), ['Returns.zip']);
  assert.equal(await db('hidden_items'), []);

  // The client goes while rows that are tied to it are being written.
  const [folder] = await Promise.all([plant(async () => {}), services.clients.remove(actor, client)]);
  assert.equal(await db('items').distinct('client_id').pluck('client_id'), [null]);
  assert.equal(
    (await documents.folder(actor, null)).items.map(({ name }) => name),
    ['Returns'],
  );
  assert.equal(
    (await documents.folder(actor, folder.id)).items.map(({ name }) => name),
    ['low', 'a.pdf'],
  );
  assert.equal(await records.recount(), []);
});

test('only the listed files use the table with hidden rows, since a query of it elsewhere would show deleted items', async () => {
  const root = join(import.meta.dirname, '../../..');
  const naming: string[] = [];
  for await (const file of glob('{server,site,storage}/**/*.{ts,tsx,astro}', { cwd: root })) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    if (/\bFROM item_rows\b|\bJOIN item_rows\b|'item_rows'|\bitem_rows: '/.test(text)) naming.push(file);
  }
  assert.equal(naming.toSorted(), [
    // Tells whose history a row is, also of what is deleted.
    'server/audit/links.ts',
    // Backups hold what lies in Trash.
    'server/datadir/named-files.ts',
    // Tells with which folder something was deleted.
    'server/db/item-search.ts',
    // A database that is copied whole holds what lies in Trash.
    'server/db/postgres/copy.ts',
    'server/db/sqlite/copy.ts',
    'server/documents/changes/concurrent-edits.ts',
    // Makes new folders.
    'server/documents/changes/merge-folders.ts',
    'server/documents/changes/move.ts',
    // These write single rows that they have found in `items`.
    'server/documents/changes/relocate.ts',
    'server/documents/changes/rename.ts',
    'server/documents/changes/set-aside.ts',
    'server/documents/legal-holds/guard.ts',
    // A program keeps its copy of a document that lies in Trash.
    'server/documents/lists/sees.ts',
    // Rules keep what lies in Trash as well.
    'server/documents/retention/cover.ts',
    'server/documents/retention/guard.ts',
    'server/documents/retention/inside.ts',
    'server/documents/retention/service.ts',
    'server/documents/seals/guard.ts',
    'server/documents/seals/service.ts',
    'server/documents/staging/stage.ts',
    // What lies in Trash is hidden, and shown here alone.
    'server/documents/trash/clients.ts',
    'server/documents/trash/delete-forever.ts',
    'server/documents/trash/inside.ts',
    'server/documents/trash/list.ts',
    'server/documents/trash/move-to-trash.ts',
    'server/documents/trash/restore.ts',
    'server/documents/trash/visible.ts',
    // A file gets another content.
    'server/documents/versions/replace.ts',
    'server/documents/versions/saves.ts',
    // The bytes of hidden rows are no orphans.
    'server/records/blobs.ts',
    'server/records/hidden.ts',
    // A picture goes with the last row of its content.
    'server/records/renditions.ts',
    // Unlinks all that a client has.
    'server/records/unlink-client.ts',
    // What lies in Trash still takes room.
    'server/records/usage.ts',
    // Content that a file shares with a version is the file's, hidden or not.
    'server/records/versions.ts',
    // Hands on all that a person has put there, hidden or not.
    'server/team/members.ts',
    // The bytes of hidden rows are no orphans.
    'server/tools/sweep.ts',
    // Hidden rows have search entries.
    'server/tools/verify.ts',
    // To whom it belongs is kept for every row.
    'server/visibility/scopes.ts',
  ]);
});

test.run();
