import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAdmin, runAdminOk } from '../testing/commands.ts';
import { ASHA } from '../testing/http-world.ts';
import { CONTENT_TYPE, filePart, multipart } from '../testing/multipart.ts';
import { postgresOnly } from '../testing/postgres.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';

const test = suite('backups with several processes');

const FILES = 40;

test('when the process that makes a backup is killed another takes over, and no two backups run at the same time', async () => {
  const shared = await mkdtemp(join(tmpdir(), 'almirah-shared-'));
  const extraEnv: Record<string, string> = { TRASH_DAYS: '0' };
  const vault = await startCluster(2, extraEnv);
  try {
    const { db, servers, env } = vault;
    const [first, second] = servers;
    const asha = await new Visitor(first!.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    for (let n = 0; n < FILES; n += 1) {
      const body = multipart([filePart(`${n}.pdf`, randomBytes(500_000))]);
      const sent = await asha.call('POST', '/api/documents/upload', {
        body,
        headers: { 'content-type': CONTENT_TYPE },
      });
      assert.is(sent.status, 201, sent.text);
    }
    const runs = () => db('backup_runs').where({ kind: 'backup' }).orderBy('id').select('status', 'files');

    // From a minute after a start on, a process makes the first backup by itself: that may be before the files are there.
    for (const server of servers) await server.kill();
    extraEnv['BACKUP_DIR'] = shared;
    await first!.start();
    // The first process is asked for a backup, and killed in the middle of it: without the bucket it does not end.
    await vault.gate.shut();
    assert.is((await asha.post('/api/backups/run')).status, 202);
    await until(async () => (await runs()).length === 1);
    await first!.kill();
    await vault.gate.open();
    await second!.start();
    assert.equal(await runs(), [{ status: 'running', files: 0 }]);

    // The other process makes the backup in its own round.
    await until(async () => (await runs()).length === 2);
    await until(async () => (await runs())[1].status === 'done');
    assert.equal(await runs(), [
      { status: 'failed', files: 0 },
      { status: 'done', files: FILES },
    ]);
    await first!.start();

    const settings = env(second!.dataDir, second!.port);
    const both = await Promise.all([
      runAdmin(['backups', 'run'], settings),
      runAdmin(['backups', 'run'], env(first!.dataDir, first!.port)),
    ]);
    for (const { code, said } of both)
      assert.match(said, code === 0 ? /40 files/ : /A backup, or a check of the backups, is running already/);
    assert.ok(both.some(({ code }) => code === 0));
    assert.match(await runAdminOk(['backups', 'prove', '--all'], settings), /were read back and compared/);
    assert.match(
      await runAdminOk(['backups', 'try'], settings),
      /its database is sound, and 40 of its 40 files/,
    );

    // A backup can be made to a bucket as well, and be restored from there.
    const blobs = new URL(settings['BLOBS']!);
    const toBucket = {
      ...settings,
      BACKUP_DIR: `s3://${blobs.hostname}/backups`,
      BACKUP_S3_KEY_ID: settings['BLOBS_S3_KEY_ID']!,
      BACKUP_S3_SECRET: settings['BLOBS_S3_SECRET']!,
      BACKUP_S3_ENDPOINT: blobs.searchParams.get('endpoint')!,
      BACKUP_S3_REGION: blobs.searchParams.get('region')!,
    };
    assert.match(await runAdminOk(['backups', 'run'], toBucket), /40 files/);
    assert.match(
      await runAdminOk(['backups', 'try'], toBucket),
      /its database is sound, and 40 of its 40 files/,
    );

    // While one process copies files, no other may delete their contents.
    const copy = join(shared, '../', `copy-${process.pid}`);
    const { items } = (await asha.get('/api/documents')).json.data;
    const [copied] = await Promise.all([
      runAdminOk(['backup', copy, '--read-data'], settings),
      asha.call('DELETE', `/api/documents/${items[0].id}`),
    ]);
    assert.match(copied, /(?:39|40) files/);
    await rm(copy, { recursive: true });
  } finally {
    await vault.stop();
    await rm(shared, { recursive: true, force: true });
  }
});

postgresOnly(test).run();
