import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { admin, done, served, upload } from '../testing/commands.ts';
import { ASHA } from '../testing/http-world.ts';
import { bareDatabase, onPostgresAlone } from '../testing/postgres.ts';
import { Visitor } from '../testing/visitor.ts';
import { beginServer } from '../testing/whole-server.ts';

const test = suite('backups of a vault on PostgreSQL');

test('beside a server both kinds of backup hold one moment of it, and bring it back with its database in a file', async () => {
  const { address, drop } = await bareDatabase();
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-backups-'));
  const [dataDir, backup, nightly] = ['data', 'backup', 'nightly'].map((name) => join(scratch, name));
  await mkdir(nightly!);
  const there = { DATA_DIR: dataDir!, DATABASE_URL: address, BACKUP_DIR: nightly! };
  const server = await beginServer(there);
  try {
    await server.up();
    const asha = await new Visitor(server.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    assert.is((await upload(asha, 'balance sheet.txt')).status, 201);
    assert.match(await done(['verify'], there), /1 files, .*: present, of the right size/);
    assert.match(await done(['backup', backup!, '--with-key'], there), /1 files/);
    assert.match(await done(['backups', 'run'], there), /1 files/);
    assert.match(await done(['backups', 'try'], there), /its database is sound, and 1 of its 1 files/);
    await server.end('SIGTERM');

    const restored = join(scratch, 'restored');
    const { code, said } = await admin(['restore', backup!, restored], there);
    assert.is(code, 1);
    assert.match(said, /^A backup is brought back with its database in a file. Leave DATABASE_URL out/);
    assert.match(
      await done(['restore', backup!, restored], { DATABASE_URL: '' }),
      /Restored\. Start the server/,
    );
    assert.equal(await served({ DATA_DIR: restored, DATABASE_URL: '' }, asha.jar), ['balance sheet.txt']);
  } finally {
    await server.end('SIGKILL');
    await drop();
    await rm(scratch, { recursive: true });
  }
});

onPostgresAlone(test).run();
