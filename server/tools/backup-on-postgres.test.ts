import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAdmin, runAdminOk, listThroughServer, upload } from '../testing/commands.ts';
import { ASHA } from '../testing/http-world.ts';
import { bareDatabase, postgresOnly } from '../testing/postgres.ts';
import { Visitor } from '../testing/visitor.ts';
import { startServer } from '../testing/server-process.ts';

const test = suite('backups of a vault on PostgreSQL');

test('both kinds of backup of a running server on PostgreSQL are consistent, and are restored to an SQLite file', async () => {
  const { address, drop } = await bareDatabase();
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-backups-'));
  const [dataDir, backup, nightly] = ['data', 'backup', 'nightly'].map((name) => join(scratch, name));
  await mkdir(nightly!);
  const there = { DATA_DIR: dataDir!, DATABASE_URL: address, BACKUP_DIR: nightly! };
  const server = await startServer(there);
  try {
    await server.up();
    const asha = await new Visitor(server.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    assert.is((await upload(asha, 'balance sheet.txt')).status, 201);
    assert.match(await runAdminOk(['verify'], there), /1 files, .*: present, of the right size/);
    assert.match(await runAdminOk(['backup', backup!, '--with-key'], there), /1 files/);
    assert.match(await runAdminOk(['backups', 'run'], there), /1 files/);
    assert.match(await runAdminOk(['backups', 'try'], there), /its database is sound, and 1 of its 1 files/);
    await server.end('SIGTERM');

    const restored = join(scratch, 'restored');
    const { code, said } = await runAdmin(['restore', backup!, restored], there);
    assert.is(code, 1);
    assert.match(said, /^A backup is brought back with its database in a file. Leave DATABASE_URL out/);
    assert.match(
      await runAdminOk(['restore', backup!, restored], { DATABASE_URL: '' }),
      /Restored\. Start the server/,
    );
    assert.equal(await listThroughServer({ DATA_DIR: restored, DATABASE_URL: '' }, asha.jar), [
      'balance sheet.txt',
    ]);
  } finally {
    await server.end('SIGKILL');
    await drop();
    await rm(scratch, { recursive: true });
  }
});

postgresOnly(test).run();
