import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inRequest } from '../../http/request-context.ts';
import { rejects } from '../../testing/rejects.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';

const GIB = 1024 ** 3;
const blob = (size = 10) => ({
  id: randomBytes(16).toString('hex'),
  size,
  sha256: randomBytes(32).toString('hex'),
  crc32: 0,
});

const test = suite<World>('documents: adding');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const put = (size = 10, name = 'scan.pdf', parent_id: number | null = null) => ({
  name,
  parent_id,
  client_id: null,
  blob: blob(size),
});

test('an added file is listed with its name and size, and counted', async ({
  services: { documents, records },
  build,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor);
  const file = await documents.addFile(actor, put(2_998_927, 'Form 16.PDF', folder.id));
  assert.is(file.file_type, 'pdf');
  assert.is(file.formatted_file_size, '2.86 MB');
  assert.is(file.owner_name, 'Asha Rao');
  const { items, breadcrumbs } = await documents.folder(actor, folder.id);
  assert.equal(items, [file]);
  assert.equal(breadcrumbs, [{ id: folder.id, name: 'Folder' }]);
  assert.is(await records.used(actor.firmId), 2_998_927);
  assert.equal(await records.recount(), []);
});

test('both files are kept when a name is taken, also if only the case differs', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const names: string[] = [];
  for (const name of ['scan.pdf', 'SCAN.pdf', 'scan.PDF', 'scan (2023).pdf', 'scan.pdf']) {
    names.push((await documents.addFile(actor, put(1, name))).name);
  }
  assert.equal(names, ['scan.pdf', 'SCAN (2).pdf', 'scan (3).PDF', 'scan (2023).pdf', 'scan (4).pdf']);
});

test('fifty concurrent uploads of one name are all kept under different names', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const files = await Promise.all(Array.from({ length: 50 }, () => documents.addFile(actor, put())));
  assert.is(new Set(files.map(({ name }) => name)).size, 50);
  assert.is((await documents.folder(actor, null)).items.at(-1)?.name, 'scan (50).pdf');
});

test('an over-long taken name keeps its extension', async ({ services: { documents }, build }) => {
  const actor = await build.actor();
  const long = `${'अ'.repeat(300)}.pdf`;
  const [first, second] = [
    await documents.addFile(actor, put(1, long)),
    await documents.addFile(actor, put(1, long)),
  ];
  assert.is(first.name.length, 255);
  assert.ok(second.name.endsWith(' (2).pdf') && second.name.length <= 255);
});

test('concurrent uploads never exceed the quota, and the totals stay correct', async ({
  services: { documents, records },
  build,
}) => {
  const actor = await build.actor();
  // Free is 1 GiB: room for three of these.
  const tries = Array.from({ length: 12 }, () => documents.addFile(actor, put(Math.floor(0.3 * GIB))));
  const results = await Promise.allSettled(tries);
  const saved = results.filter(({ status }) => status === 'fulfilled');
  assert.is(saved.length, 3);
  for (const result of results) {
    if (result.status === 'rejected') assert.is(result.reason.code, 'quota_exceeded');
  }
  assert.ok((await records.used(actor.firmId)) <= GIB);
  assert.equal(await records.recount(), []);
  assert.is((await documents.folder(actor, null)).items.length, 3);
});

test('the error for a full quota says what is used, what is allowed and what to do', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  await documents.addFile(actor, put(0.75 * GIB));
  const place = { parent_id: null, client_id: null };
  const error = await rejects(documents.checkUpload(actor, { ...place, bytes: 0.5 * GIB }), 422);
  assert.is(error.code, 'quota_exceeded');
  for (const text of ['768 MB', '1 GB', '512 MB', 'Delete', 'upgrade'])
    assert.ok(error.message.includes(text), text);
  await documents.checkUpload(actor, { ...place, bytes: 0.25 * GIB });
  const byOne = await rejects(documents.checkUpload(actor, { ...place, bytes: 0.25 * GIB + 1 }), 422);
  assert.match(byOne.message, '256 MB is left and this needs 256.01 MB', 'the two differ, also by one byte');
});

test('a firm over its limit still reads and deletes, and adds nothing', async ({
  services: { documents },
  build,
  db,
  now,
}) => {
  const actor = await build.actor();
  const ends_at = new Date(now().getTime() + 1000).toISOString();
  await db('trials').insert({ firm_id: actor.firmId, started_at: now().toISOString(), ends_at });
  const file = await documents.addFile(actor, put(2 * GIB));
  await db('trials').update({ ends_at: now().toISOString() });
  await rejects(documents.checkUpload(actor, { parent_id: null, client_id: null }), 422);
  await rejects(documents.addFile(actor, put(1)), 422);
  assert.is((await documents.openFile(actor, file.id)).size, 2 * GIB);
  assert.equal((await documents.remove(actor, [file.id])).done, [file.id]);
});

test('a type that is not allowed is refused by the name that would be stored', async ({
  services: { documents, records },
  build,
}) => {
  const actor = await build.actor();
  const error = await rejects(documents.addFile(actor, put(1, 'setup.exe')), 422);
  assert.equal(error.errors, { file: ['File type "exe" is not supported'] });
  await rejects(documents.addFile(actor, put(1, 'a.pdf.')), 422);
  await rejects(documents.addFile(actor, put(1, 'pdf')), 422);
  assert.is(await records.used(actor.firmId), 0);
});

test('a folder gives its client to what is put into it, unless another is named', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  const [own, other] = [await build.client(actor, 'Sharma'), await build.client(actor, 'Iyer')];
  const folder = await documents.createFolder(actor, { name: 'Sharma', parent_id: null, client_id: own });
  const inner = await build.folder(actor, '2024', folder.id);
  const file = await build.file(actor, { parent_id: inner.id });
  assert.equal(file.client, { id: own, name: 'Sharma' });
  assert.is((await build.file(actor, { parent_id: inner.id, client_id: other })).client_name, 'Iyer');
  assert.is((await build.file(actor)).client, null);
});

test('a folder or client that went away during the upload is told, and nothing is written', async ({
  services: { documents },
  build,
  db,
}) => {
  const actor = await build.actor();
  const folder = await build.folder(actor);
  await documents.remove(actor, [folder.id]);
  const gone = await rejects(documents.addFile(actor, put(1, 'a.pdf', folder.id)), 422);
  assert.equal(gone.errors, { parent_id: ['This folder does not exist, or you have no access to it.'] });
  const lost = await rejects(documents.addFile(actor, { ...put(), client_id: 99 }), 422);
  assert.equal(lost.errors, { client_id: ['This client does not exist, or you have no access to it.'] });
  const file = await build.file(actor);
  await rejects(documents.addFile(actor, put(1, 'a.pdf', file.id)), 422);
  assert.is((await db('items').count({ n: '*' }))[0]!.n, 1);
});

test('a file that fails does not undo the files that were saved at the same time', async ({
  services: { documents, records },
  build,
}) => {
  const actor = await build.actor();
  const twice = blob();
  const results = await Promise.allSettled([
    documents.addFile(actor, put()),
    documents.addFile(actor, { ...put(), blob: twice }),
    documents.addFile(actor, put(1, 'a.pdf', 12345)),
    // A blob belongs to one file; this is a fault of the caller, not an answer.
    documents.addFile(actor, { ...put(1, 'other.pdf'), blob: twice }),
    documents.addFile(actor, put()),
  ]);
  const [first, one, tooLarge, other, last] = results.map(({ status }) => status);
  assert.equal([first, tooLarge, last], ['fulfilled', 'rejected', 'fulfilled']);
  // Either of the two may come first.
  assert.equal(new Set([one, other]), new Set(['fulfilled', 'rejected']));
  assert.equal(await records.recount(), []);
});

test('each upload is on record under its own request', async ({ services: { documents }, build, db }) => {
  const actor = await build.actor();
  await Promise.all(
    ['a', 'b', 'c'].map((requestId) =>
      inRequest({ requestId, ip: '::1' }, () => documents.addFile(actor, put(1, `${requestId}.pdf`))),
    ),
  );
  const rows = await db('audit_events').where({ did: 'document.upload' }).orderBy('request_id');
  assert.equal(
    rows.map((row: { request_id: string; detail: string }) => [row.request_id, JSON.parse(row.detail).name]),
    [
      ['a', 'a.pdf'],
      ['b', 'b.pdf'],
      ['c', 'c.pdf'],
    ],
  );
});

test('a folder is refused a taken or impossible name, and told why', async ({
  services: { documents },
  build,
}) => {
  const actor = await build.actor();
  await build.folder(actor, 'Clients');
  const taken = await rejects(
    documents.createFolder(actor, { name: ' CLIENTS ', parent_id: null, client_id: null }),
    422,
  );
  assert.equal(taken.errors, { name: ['An item named "CLIENTS" already exists in this folder.'] });
  for (const name of ['a/b', '..', 'x'.repeat(300), 'con', 'a\u202eb']) {
    const error = await rejects(
      documents.createFolder(actor, { name, parent_id: null, client_id: null }),
      422,
    );
    assert.ok(error.errors?.name, name);
  }
  const second = await documents.addFolder(actor, { name: 'clients', parent_id: null, client_id: null });
  assert.is(second.name, 'clients (2)', 'what comes out of an archive is numbered instead');
});

test.run();
