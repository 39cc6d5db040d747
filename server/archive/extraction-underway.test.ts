import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlobStore } from '#storage/blobs.ts';
import { until } from '../testing/until.ts';
import { memoryBlobs } from '../testing/world.ts';
import { forge } from './read/testing/forge.ts';
import type { Office } from './testing/extracting.ts';
import { CLEAN, files, openOffice } from './testing/extracting.ts';

const MB = 1024 * 1024;

/** A blob store whose puts wait until the test lets them go on. */
function gated(inner: BlobStore) {
  let open = true;
  let waiting: (() => void)[] = [];
  const gate = {
    /** Since it was shut. */
    puts: 0,
    shut() {
      open = false;
      gate.puts = 0;
    },
    /** Lets later puts pass; those that wait go on waiting. */
    open() {
      open = true;
    },
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

const test = suite<Office & { gate: ReturnType<typeof gated> }>('extraction under way');
test.before.each(async (office) => {
  const gate = gated(memoryBlobs());
  Object.assign(office, await openOffice(gate.blobs), { gate });
});
test.after.each((office) => office.close());

/** Resolves when the writing of files has begun. */
const begun = ({ gate }: { gate: ReturnType<typeof gated> }): Promise<void> =>
  until(async () => gate.puts > 0);

test('cancelling an extraction leaves nothing behind and releases its reserved storage', async (office) => {
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

test('no extracted file is visible before the extraction is complete', async (office) => {
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

test('uploads during an extraction cannot use the storage that is reserved for it', async (office) => {
  const { services, actor, build, db, gate } = office;
  const id = await office.zip([{ name: 'a.csv', data: Buffer.alloc(600_000) }]);
  await db('firm_usage').insert({
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

test('two requests for the same extraction run it once, and a request for other entries is run besides', async (office) => {
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

test('an extraction fails and leaves nothing behind if the archive or its folder is deleted meanwhile', async (office) => {
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

test('the files of an archive that is moved meanwhile are extracted to where it is now', async (office) => {
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

test('an archive that a colleague saves anew meanwhile is kept with `replace`, because nobody has unpacked what they saved', async (office) => {
  const { services, actor, build, gate } = office;
  const id = await office.zip(files(5));
  const anew = forge(files(7));
  gate.shut();
  const job = await services.extraction.start(actor, id, {}, { replace: true });
  await begun(office);
  gate.open();
  await build.file(actor, { name: 'GSTR-3B.zip', content: anew, conflict: 'replace' });
  gate.release();
  await services.jobs.idle();
  const end = await services.extraction.status(actor, job.id);
  assert.is(end.message, 'Extracted 5 files into "GSTR-3B". The ZIP file was kept.');
  assert.equal(await office.names(null), ['GSTR-3B', 'GSTR-3B.zip']);
  const { current, earlier } = await services.versions.list(actor, id);
  assert.equal([current.file_size, earlier.length], [anew.length, 1]);
  assert.equal(await office.leftovers(), CLEAN);
});

test('an extraction interrupted by a stop leaves nothing behind, and starts again at the next start of the server', async (office) => {
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

test('an extraction that fills the disk says so and leaves nothing behind', async (office) => {
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

test.run();
