import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from './database.ts';
import { createHealth } from './health.ts';

const test = suite<{ db: Knex; folder: string }>('health');
test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'almirah-'));
  context.db = openDatabase(context.folder);
  await context.db.schema.createTable('firms', (t) => void t.increments('id'));
});
test.after.each(async ({ db, folder }) => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const codes = async (health: ReturnType<typeof createHealth>) => (await health()).map(({ code }) => code);

test('no problem is reported while the database responds and there is free disk space', async ({ db }) => {
  assert.equal(await codes(createHealth({ db, room: { low: false, refresh: async () => {} } })), []);
});

test('a blocked write connection is reported, even though reading still works', async ({ db }) => {
  const health = createHealth({ db, timeoutMs: 500 });
  await db.transaction(async (trx) => {
    await trx('firms').insert({ id: 1 });
    assert.equal(await codes(health), ['database_stuck']);
    assert.equal(await codes(health), ['database_stuck']);
  });
  assert.equal(await codes(createHealth({ db })), []);
});

test('a full disk and an unusable database are reported', async ({ db }) => {
  const room = { low: true, refresh: async () => {} };
  assert.equal(await codes(createHealth({ db, room })), ['disk_full']);
  await db.schema.dropTable('firms');
  assert.equal(await codes(createHealth({ db })), ['database_unwritable']);
});

test.run();
