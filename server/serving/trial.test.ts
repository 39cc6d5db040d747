import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteOnly } from '../testing/postgres.ts';
import { startServer } from '../testing/server-process.ts';
import { openVaultDatabase } from '../testing/vault-database.ts';

sqliteOnly(test)(
  'the trial of an update plans and runs no background jobs, since it may be undone and what they delete or send may not',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'almirah-trial-'));
    const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: '', ALMIRAH_TRIAL: 'on' });
    try {
      await server.up();
      assert.is((await fetch(`${server.base}/readyz`)).status, 200);
      await wait(1500);
      await server.end('SIGTERM');
      const db = await openVaultDatabase(dataDir);
      const jobs = await db('jobs').pluck('kind');
      await db.destroy();
      assert.equal(jobs, []);
    } finally {
      await server.end('SIGKILL');
      await rm(dataDir, { recursive: true });
    }
  },
);

test.run();
