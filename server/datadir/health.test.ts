import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smallDisk } from '../testing/small-disk.ts';
import { until } from '../testing/until.ts';
import { openDatabase } from './database.ts';
import { createDiskReserve } from './disk-reserve.ts';
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

const ROOM = { low: false, refresh: async () => {}, touch: async () => {} };
const codes = async (health: ReturnType<typeof createHealth>) => (await health()).map(({ code }) => code);

test('no problem is reported while the database responds and there is free disk space', async ({ db }) => {
  assert.equal(await codes(createHealth({ db, room: ROOM })), []);
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
  const room = { ...ROOM, low: true };
  assert.equal(await codes(createHealth({ db, room })), ['disk_full']);
  await db.schema.dropTable('firms');
  assert.equal(await codes(createHealth({ db })), ['database_unwritable']);
});

test('a disk that has become read-only is reported, because the check of the database changes nothing there', async ({
  db,
}) => {
  const disk = smallDisk(64);
  if (!disk) return;
  const room = createDiskReserve(disk.path, pino({ level: 'silent' }));
  try {
    await until(
      async () => (await stat(join(disk.path, 'reserve')).catch(() => null))?.size === 4 * 1024 ** 2,
    );
    const health = createHealth({ db, room });
    assert.equal(await codes(health), []);
    await until(() => spawnSync('mount', ['-o', 'remount,ro', disk.path]).status === 0);
    assert.equal(await codes(health), ['disk_unwritable']);
  } finally {
    await room.close();
    await disk.remove();
  }
});

test.run();
