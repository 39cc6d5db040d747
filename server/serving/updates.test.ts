import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { lockFile } from '../datadir/lock.ts';
import { findPageKey } from '../datadir/page-key.ts';
import { restoreSnapshot, takeSnapshot } from '../datadir/update-snapshot.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, objectOf, refused, run } from '../testing/command-office.ts';
import { sweep } from '../tools/sweep.ts';
import type { UpdateRecord } from '../updates/record.ts';
import { recordsOf } from '../updates/record.ts';
import { UPDATE_LOCK, updatesOf } from './updates.ts';
import { version } from './version.ts';

const log = pino({ level: 'silent' });
const test = suite<Office>('a server that an update watches');
eachOffice(test);

const WATCHING: UpdateRecord = {
  from: '0.0.1',
  to: version,
  step: 'watching',
  database: true,
  began_at: '2026-11-23T00:00:00.000Z',
  ended_at: null,
  why: null,
};

/** The new version has been switched to, and its database may still be replaced by the copy of before. */
async function beginWatching({ dataDir }: Office, changes: Partial<UpdateRecord> = {}): Promise<void> {
  await takeSnapshot(dataDir, await findPageKey(readConfig({ DATA_DIR: dataDir })));
  await recordsOf(dataDir).write({ ...WATCHING, ...changes });
}
const stepOf = async ({ dataDir }: Office) => (await recordsOf(dataDir).read())?.step;

test('a document deleted with a new version opens again when the update goes back, since its bytes were kept', async (office) => {
  const { actor, build, services, dataDir } = office;
  const { id } = await build.file(actor, { name: 'Form 16 Sharma.pdf', content: 'tax deducted' });
  await beginWatching(office);
  await services.documents.remove(actor, [id]);
  assert.is(await services.sweeper.drain(), 0);
  await refused(sweep, dataDir, [], /An update is not over yet/);
  await services.stop();
  await office.close();
  await restoreSnapshot(dataDir, { keep: true });
  const vault = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
  Object.assign(office, vault);
  const { blob_id } = await vault.db('items').where({ id }).first('blob_id');
  assert.is(await text(await vault.blobs.get(blob_id)), 'tax deducted');
});

test('the bytes are deleted once the update is done, also where a power failure left the copy of the database behind', async (office) => {
  const { actor, build, services, dataDir } = office;
  const { id } = await build.file(actor, { name: 'GSTR-3B October.pdf' });
  const file = await objectOf(office, id);
  await beginWatching(office);
  await services.documents.remove(actor, [id]);
  assert.is(await services.sweeper.drain(), 0);
  await recordsOf(dataDir).write({ ...WATCHING, step: 'done' });
  assert.ok(existsSync(join(dataDir, 'update/before.sqlite')));
  assert.is(await services.sweeper.drain(), 1);
  assert.not.ok(existsSync(file));
});

test('bytes are deleted also during an update that leaves the database as it is, since going back keeps the rows', async (office) => {
  const { actor, build, services } = office;
  const { id } = await build.file(actor, { name: 'Balance sheet 2025-26.xlsx' });
  await beginWatching(office, { database: false });
  await services.documents.remove(actor, [id]);
  assert.is(await services.sweeper.drain(), 1);
});

test('when the update command is killed while it watches, the server itself ends the update, so that deletion goes on', async (office) => {
  await mkdir(join(office.dataDir, 'update'), { recursive: true });
  await beginWatching(office);
  const release = (await lockFile(join(office.dataDir, UPDATE_LOCK)))!;
  const ready = updatesOf(office.dataDir, log, { steady: 50 }).whenReady();
  await wait(200);
  assert.is(await stepOf(office), 'watching', 'the command still watches');
  await release();
  await ready;
  assert.is(await stepOf(office), 'done');
  assert.not.ok(existsSync(join(office.dataDir, 'update/before.sqlite')));
});

test('an update is over when an admin has started another version in its place, since nobody goes back to its copy', async (office) => {
  for (const versions of [
    { from: '0.0.1', to: '0.0.2' },
    { from: version, to: '9.0.0' },
  ]) {
    await beginWatching(office, versions);
    await updatesOf(office.dataDir, log, { steady: 10 }).whenReady();
    const record = (await recordsOf(office.dataDir).read())!;
    assert.equal([record.step, record.why], ['back', `${version} was started in its place.`]);
    assert.not.ok(existsSync(join(office.dataDir, 'update/before.sqlite')));
    assert.is((await run(sweep, office.dataDir)).sound, true);
  }
});

test.run();
