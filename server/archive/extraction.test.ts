import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../auth/contract.ts';
import { listed } from '#storage/conformance.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { World } from '../testing/world.ts';
import { freshWorld, memoryBlobs } from '../testing/world.ts';
import type { ExtractRequest, ExtractionView } from './contract.ts';
import { forge } from './unzip/testing/forge.ts';
import type { Forged } from './unzip/testing/forge.ts';

const MB = 1024 * 1024;

interface Office extends World {
  actor: Actor;
  zip(
    entries: Forged[],
    more?: { name?: string; parent_id?: number | null; client_id?: number | null },
  ): Promise<number>;
  /** Unpacks and waits for the end. */
  unpack(id: number, wish?: Partial<ExtractRequest>, more?: { replace?: boolean }): Promise<ExtractionView>;
  names(folder: number | null): Promise<string[]>;
  /** Blobs that no row names, and rows and running totals that differ: nothing, when all is well. */
  leftovers(): Promise<unknown>;
}

/** A blob store whose puts wait until the test lets them go on. */
function gated(inner: BlobStore) {
  let open = true;
  let waiting: (() => void)[] = [];
  const gate = {
    puts: 0,
    shut: () => (open = false),
    release() {
      open = true;
      for (const go of waiting) go();
      waiting = [];
    },
    blobs: {
      ...inner,
      async put(source: Parameters<BlobStore['put']>[0]) {
        gate.puts += 1;
        if (!open) await new Promise<void>((go) => waiting.push(go));
        return inner.put(source);
      },
    } as BlobStore,
  };
  return gate;
}

async function openOffice(blobs = memoryBlobs()): Promise<Office> {
  const world = await freshWorld({ blobs });
  const { services, build, db } = world;
  await services.extraction.prepare();
  await services.jobs.start();
  const actor = await build.actor();
  const office: Office = Object.assign(world, {
    actor,
    async zip(
      entries: Forged[],
      { name = 'GSTR-3B.zip', parent_id = null as number | null, client_id = null as number | null } = {},
    ) {
      return (await build.file(actor, { name, content: forge(entries), parent_id, client_id })).id;
    },
    async unpack(id: number, wish: Partial<ExtractRequest> = {}, more = {}) {
      const job = await services.extraction.start(actor, id, wish, more);
      await services.jobs.idle();
      return services.extraction.status(actor, job.id);
    },
    async names(folder: number | null) {
      return (await services.documents.folder(actor, folder)).items.map(({ name }) => name);
    },
    async leftovers() {
      await services.sweeper.drain();
      const stored = await listed(blobs);
      const rows: { blob_id: string }[] = await db('items').whereNotNull('blob_id').select('blob_id');
      const named = new Set(rows.map(({ blob_id }) => blob_id));
      const discarded = new Set(
        (await db('discarded_blobs').select('blob_id')).map(({ blob_id }) => blob_id),
      );
      return {
        orphans: stored.filter((id) => !named.has(id) && !discarded.has(id)),
        missing: rows.filter(({ blob_id }) => !stored.includes(blob_id)),
        totals: await services.documents.recount(),
        reserved: await db('storage_reservations').select('bytes'),
      };
    },
  });
  return office;
}

const CLEAN = { orphans: [], missing: [], totals: [], reserved: [] };
const files = (count: number, size = 10): Forged[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `Client ${n % 3}/return ${n}.pdf`,
    data: `${n}`.padEnd(size, 'x'),
  }));

const test = suite<Office>('extraction');
test.before.each(async (office) => {
  Object.assign(office, await openOffice());
});
test.after.each((office) => office.close());

test('unpacks into a new folder beside the archive, named after it, and says what it did', async (office) => {
  const { services, build, actor, db } = office;
  const client_id = await build.client(actor);
  const parent = await build.folder(actor, 'GST');
  await build.folder(actor, 'gstr-3b', parent.id);
  const id = await office.zip(
    [...files(7), { name: 'setup.exe', data: 'MZ' }, { name: 'empty/', method: 0 }],
    { parent_id: parent.id, client_id },
  );
  const end = await office.unpack(id);
  assert.is(end.status, 'completed', end.message);
  assert.is(end.message, 'Extracted 7 files into "GSTR-3B (2)". 1 left out.');
  assert.is(end.progress, 100);
  assert.equal(end.skipped, [{ path: 'setup.exe', reason: 'File type "exe" is not supported' }]);
  assert.equal([end.files, end.folders, end.bytes_done, end.bytes_total], [7, 4, 70, 70]);
  assert.equal(await office.names(parent.id), ['gstr-3b', 'GSTR-3B (2)', 'GSTR-3B.zip']);
  assert.equal(await office.names(end.folder_id), ['Client 0', 'Client 1', 'Client 2', 'empty']);
  const listing = await services.documents.folder(actor, end.folder_id);
  assert.ok(
    listing.items.every((item) => item.client_id === client_id),
    'the archive’s client goes with the files',
  );
  const found = await services.search.find(actor, 'return 5', 10);
  assert.is(found.items[0]?.name, 'return 5.pdf', 'what was unpacked is found by searching');
  assert.is((await db('audit_events').where({ did: 'archive.extract' })).length, 1);
  assert.equal(await office.leftovers(), CLEAN);
});

test('a new folder and a few of its files are recent, and do not push out what was', async (office) => {
  const { services, build, actor, pass } = office;
  await build.file(actor, { name: 'before.pdf' });
  const id = await office.zip(files(300));
  pass(1000);
  await office.unpack(id);
  const recent = (await services.dashboard.recentFiles(actor)).map(({ name }) => name);
  assert.equal([recent.length, recent[0]], [13, 'GSTR-3B']);
  assert.equal(recent.slice(-2), ['GSTR-3B.zip', 'before.pdf']);
  assert.ok(
    recent.slice(1, 11).every((name) => name.startsWith('return ')),
    recent.join(),
  );
});

test('a refused archive leaves nothing, and the reason is for the reader', async (office) => {
  const { actor, services } = office;
  const id = await office.zip([...files(20), { name: 'b.txt', data: 'x', crc: 1 }]);
  const end = await office.unpack(id);
  assert.equal([end.status, end.code], ['failed', 'damaged']);
  assert.match(end.message, /^This ZIP is damaged: "b\.txt"/);
  assert.equal(await office.names(null), ['GSTR-3B.zip']);
  assert.equal(await office.leftovers(), CLEAN);
  assert.equal(await services.extraction.running(actor), []);
});

test('an archive with nothing to keep fails and names the first reason', async (office) => {
  const end = await office.unpack(await office.zip([{ name: 'a.exe' }, { name: 'b.bat' }]));
  assert.equal([end.status, end.code, end.skipped_count], ['failed', 'nothing', 2]);
  assert.match(end.message, /a\.exe: File type "exe"/);
  assert.match((await office.unpack(await office.zip([]))).message, /is empty/);
});

test('a protected archive asks for its password, which is never stored', async (office) => {
  const { actor, db } = office;
  const id = await office.zip([{ name: 'a.txt', data: 'secret', password: 'ABCDE1234F' }]);
  assert.is((await office.unpack(id)).code, 'password_needed');
  assert.is((await office.unpack(id, { password: 'wrong' })).code, 'wrong_password');
  assert.is((await office.unpack(id, { password: 'ABCDE1234F' })).status, 'completed');
  const rows = JSON.stringify([await db('jobs'), await db('audit_events')]);
  assert.not.ok(rows.includes('ABCDE1234F'));
  assert.equal(await office.leftovers(), CLEAN);
  assert.is(actor.role, 'admin');
});

test('chosen entries come alone, with the folders that lead to them', async (office) => {
  const id = await office.zip([...files(9), { name: 'a.txt', data: 'a' }, { name: 'x/y/z.csv', data: '1' }]);
  const end = await office.unpack(id, { entries: ['Client 1', 'x/y/z.csv'] });
  assert.is(end.message, 'Extracted 4 files into "GSTR-3B".');
  assert.equal(await office.names(end.folder_id), ['Client 1', 'x']);
  assert.is((await office.unpack(id, { entries: ['nowhere'] })).code, 'no_entry');
});

test('asked again, one that failed keeps to what was chosen the first time', async (office) => {
  const id = await office.zip([{ name: 'a.txt', data: 'a', password: 'p' }, ...files(3)]);
  const failed = await office.unpack(id, { entries: ['a.txt'] });
  assert.is(failed.code, 'password_needed');
  const end = await office.unpack(id, { again: failed.id, password: 'p' });
  assert.is(end.message, 'Extracted 1 file into "GSTR-3B".');
  const other = await office.zip(files(1));
  await office.services.extraction.start(office.actor, other, { again: failed.id }).then(
    () => assert.unreachable('it is of another ZIP'),
    (error) => assert.is(error.status, 404),
  );
});

test('with `replace` the archive goes when all it holds is there, and stays when it is not', async (office) => {
  const end = await office.unpack(await office.zip(files(3)), {}, { replace: true });
  assert.is(end.status, 'completed');
  assert.equal(await office.names(null), ['GSTR-3B']);
  const bad = await office.unpack(
    await office.zip([{ name: '../a.txt' }], { name: 'bad.zip' }),
    {},
    { replace: true },
  );
  assert.match(bad.message, /outside.* The ZIP file was kept\.$/);
  assert.equal(await office.names(null), ['GSTR-3B', 'bad.zip']);
  assert.equal(await office.leftovers(), CLEAN);
});

test('what would not fit is refused before a byte is written', async (office) => {
  const { actor, db } = office;
  const id = await office.zip([{ name: 'big.csv', method: 8, data: Buffer.alloc(2 * MB) }]);
  await db('storage_usage').insert({
    firm_id: actor.firmId,
    file_type: 'fake',
    files: 1,
    bytes: 1024 ** 3 - MB,
  });
  const before = (await listed(office.blobs)).length;
  const end = await office.unpack(id);
  assert.equal([end.status, end.code], ['failed', 'quota_exceeded']);
  assert.match(end.message, /^Not enough storage/);
  assert.is((await listed(office.blobs)).length, before);
  assert.equal(await db('storage_reservations'), []);
});

test('what is not a ZIP, not there, another firm’s or not allowed is refused at once', async ({
  services,
  build,
  actor,
  zip,
}) => {
  const text = await build.file(actor);
  const id = await zip(files(1));
  const why = (start: Promise<unknown>) =>
    start.then(
      () => 'started',
      (error: { status: number }) => error.status,
    );
  const { extraction } = services;
  assert.is(await why(extraction.start(actor, text.id)), 422);
  assert.is(await why(extraction.start(actor, 999_999)), 404);
  const stranger = await build.actor();
  assert.is(await why(extraction.start(stranger, id)), 404);
  assert.is(await why(extraction.start(build.limited(actor), id)), 403);
  const job = await extraction.start(actor, id);
  assert.is(await why(extraction.status(stranger, job.id)), 404);
  assert.is(await why(extraction.cancel(stranger, job.id)), 404);
  await services.jobs.idle();
  assert.is(await why(extraction.cancel(actor, job.id)), 409);
});

test.run();

const slow = suite<Office & { gate: ReturnType<typeof gated> }>('extraction under way');
slow.before.each(async (office) => {
  const gate = gated(memoryBlobs());
  Object.assign(office, await openOffice(gate.blobs), { gate });
});
slow.after.each((office) => office.close());

/** Resolves when the writing of files has begun. */
async function begun({ gate }: { gate: ReturnType<typeof gated> }, puts = gate.puts): Promise<void> {
  while (gate.puts === puts) await new Promise((resolve) => setTimeout(resolve, 1));
}

slow('cancelling leaves nothing and gives the room back', async (office) => {
  const { services, actor, gate } = office;
  const id = await office.zip(files(50));
  gate.shut();
  const job = await services.extraction.start(actor, id);
  await begun(office);
  assert.is((await services.extraction.cancel(actor, job.id)).status, 'processing');
  gate.release();
  await services.jobs.idle();
  const end = await services.extraction.status(actor, job.id);
  assert.equal([end.status, end.message], ['cancelled', 'Cancelled. Nothing was changed.']);
  assert.equal(await office.names(null), ['GSTR-3B.zip']);
  assert.equal(await office.leftovers(), CLEAN);
});

slow('nothing of it is seen before the end', async (office) => {
  const { services, actor, gate } = office;
  const id = await office.zip(files(50));
  gate.shut();
  await services.extraction.start(actor, id);
  await begun(office);
  assert.equal(await office.names(null), ['GSTR-3B.zip']);
  assert.equal((await services.search.find(actor, 'return', 10)).items, []);
  const [running] = await services.extraction.running(actor);
  assert.equal([running!.status, running!.item_id, running!.file_name], ['processing', id, 'GSTR-3B.zip']);
  gate.release();
  await services.jobs.idle();
  assert.equal(await office.names(null), ['GSTR-3B', 'GSTR-3B.zip']);
});

slow('uploads beside it cannot take the room it was promised', async (office) => {
  const { services, actor, build, db, gate } = office;
  const id = await office.zip([{ name: 'a.csv', data: Buffer.alloc(600_000) }]);
  await db('storage_usage').insert({
    firm_id: actor.firmId,
    file_type: 'fake',
    files: 1,
    bytes: 1024 ** 3 - MB,
  });
  gate.shut();
  const job = await services.extraction.start(actor, id);
  await begun(office);
  gate.release();
  const upload = build.file(actor, { name: 'b.txt', content: Buffer.alloc(600_000) });
  const outcome = await upload.then(
    () => 'saved',
    (error: { code: string }) => error.code,
  );
  await services.jobs.idle();
  const end = await services.extraction.status(actor, job.id);
  assert.equal(
    [end.status, outcome].toSorted(),
    ['completed', 'quota_exceeded'],
    'room for one of them only',
  );
});

slow('asked twice for the same, it is done once; for something else, beside it', async (office) => {
  const { services, actor, gate } = office;
  const id = await office.zip(files(10));
  gate.shut();
  const [one, same] = await Promise.all([
    services.extraction.start(actor, id),
    services.extraction.start(actor, id),
  ]);
  assert.is(one.id, same.id);
  const part = await services.extraction.start(actor, id, { entries: ['Client 1'] });
  assert.is.not(part.id, one.id);
  await begun(office);
  gate.release();
  await services.jobs.idle();
  assert.equal(await office.names(null), ['GSTR-3B', 'GSTR-3B (2)', 'GSTR-3B.zip']);
  assert.equal(await office.leftovers(), CLEAN);
});

slow('the archive or its folder deleted meanwhile: it fails and leaves nothing', async (office) => {
  const { services, actor, build, gate } = office;
  const folder = await build.folder(actor, 'GST');
  const id = await office.zip(files(50), { parent_id: folder.id });
  gate.shut();
  const job = await services.extraction.start(actor, id);
  await begun(office);
  await services.documents.remove(actor, [folder.id]);
  await services.sweeper.drain();
  gate.release();
  await services.jobs.idle();
  const end = await services.extraction.status(actor, job.id);
  assert.equal([end.status, end.code], ['failed', 'not_found']);
  assert.match(end.message, /deleted while it was being unpacked/);
  assert.equal(await office.leftovers(), CLEAN);
});

slow('moved meanwhile, the files come where the archive is now', async (office) => {
  const { services, actor, build, gate } = office;
  const folder = await build.folder(actor, 'Archive');
  const id = await office.zip(files(5));
  gate.shut();
  await services.extraction.start(actor, id);
  await begun(office);
  await services.documents.move(actor, { ids: [id], parent_id: folder.id });
  gate.release();
  await services.jobs.idle();
  assert.equal(await office.names(folder.id), ['GSTR-3B', 'GSTR-3B.zip']);
});

slow('a stop in the middle leaves nothing, and the next start does it from the beginning', async (office) => {
  const { services, actor, gate } = office;
  const id = await office.zip(files(50));
  gate.shut();
  const job = await services.extraction.start(actor, id);
  await begun(office);
  const stopping = services.jobs.stop();
  gate.release();
  await stopping;
  assert.is((await services.extraction.status(actor, job.id)).status, 'starting');
  assert.equal(await office.leftovers(), CLEAN);
  await services.jobs.start();
  await services.jobs.idle();
  assert.is((await services.extraction.status(actor, job.id)).status, 'completed');
  assert.equal(await office.names(null), ['GSTR-3B', 'GSTR-3B.zip']);
});

slow('a full disk is told, and leaves nothing', async (office) => {
  const { gate } = office;
  const id = await office.zip(files(30));
  const put = gate.blobs.put;
  let left = 10;
  gate.blobs.put = async (source) => {
    if ((left -= 1) >= 0) return put(source);
    source.destroy();
    throw Object.assign(new Error('full'), { name: 'StoreFull' });
  };
  const end = await office.unpack(id);
  assert.equal([end.status, end.code], ['failed', 'disk_full']);
  assert.match(end.message, /no room left on its disk/);
  gate.blobs.put = put;
  assert.equal(await office.leftovers(), CLEAN);
});

slow.run();
