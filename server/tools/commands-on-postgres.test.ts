import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAdmin, runAdminOk, upload } from '../testing/commands.ts';
import { ASHA } from '../testing/http-world.ts';
import { postgresOnly } from '../testing/postgres.ts';
import { startCluster } from '../testing/cluster/cluster.ts';
import { Visitor } from '../testing/visitor.ts';

const test = suite('the commands beside several processes on PostgreSQL');

test('each command works beside running server processes, or refuses with what to do instead', async () => {
  const vault = await startCluster(2);
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-commands-'));
  try {
    const { servers, env } = vault;
    const asha = await new Visitor(servers[0]!.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    assert.is((await upload(asha, 'balance sheet.txt')).status, 201);
    const here = env(servers[1]!.dataDir, servers[1]!.port);
    const refusal = async (args: string[], given = here) => {
      const { code, said } = await runAdmin(args, given);
      assert.is(code, 1, said);
      return said;
    };

    assert.match(await runAdminOk(['verify', '--read-data'], here), /1 files/);
    assert.match(await runAdminOk(['backup', join(scratch, 'backup')], here), /1 files/);
    assert.match(
      await runAdminOk(['operator', 'add', ASHA.email], here),
      /looks after this installation now/,
    );
    assert.match(await runAdminOk(['operator', 'list'], here), /asha@rao\.in/);
    assert.match(await runAdminOk(['grant', ASHA.email, 'Starter', '1'], here), /Starter/);
    assert.match(await runAdminOk(['sweep'], here), /Removed the bytes of 0 deleted files/);
    assert.match(await runAdminOk(['jobs'], here), /\S/);
    assert.match(await runAdminOk(['key', 'status'], here), /MASTER_KEY/);

    // On a machine without a process there is no data folder yet.
    const elsewhere = { ...here, DATA_DIR: join(scratch, 'elsewhere') };
    assert.match(await runAdminOk(['jobs'], elsewhere), /\S/);
    assert.match(await runAdminOk(['verify'], elsewhere), /1 files/);

    // In a new data folder the refusals are the same.
    for (const given of [here, { ...here, DATA_DIR: join(scratch, 'new') }]) {
      for (const args of [
        ['replace-key', '--to', join(scratch, 'key')],
        ['key', 'unwrap'],
      ])
        assert.match(await refusal(args, given), /in PostgreSQL\. Bring it into a file first/);
      assert.match(await refusal(['migrate'], given), /each start brings it to the version of the program/);
      assert.match(await refusal(['update', 'x.tar.gz'], given), /start it with the same settings/);
    }
    assert.match(
      await refusal(['restore', join(scratch, 'backup'), join(scratch, 'restored')]),
      /Leave DATABASE_URL out, restore, and then bring the database to PostgreSQL/,
    );

    // Only the process with this data folder is stopped; the other one still runs.
    await servers[1]!.kill();
    assert.match(
      await refusal(['move', '--to-database', 'file']),
      /works on the database at .* Stop it first/,
    );
    assert.match(
      await runAdminOk(['move', '--to-blobs', 'disk'], here),
      /The server runs, so nothing was switched/,
    );
    await servers[0]!.kill();
    assert.match(await runAdminOk(['move', '--to-blobs', 'disk'], here), /The files of this vault are in /);
  } finally {
    await vault.stop();
    await rm(scratch, { recursive: true, force: true });
  }
});

postgresOnly(test).run();
