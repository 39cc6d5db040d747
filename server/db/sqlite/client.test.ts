import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Database } from 'sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../datadir/database.ts';

const test = suite<{ db: Knex; folder: string }>('prepared statements');
test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'almirah-'));
  context.db = openDatabase(context.folder);
  await context.db.schema.createTable('papers', (t) => {
    t.increments('id');
    t.text('name').unique();
  });
});
test.after.each(async ({ db, folder }) => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

/** Waits for the call to fail for this reason. */
const rejects = async (call: PromiseLike<unknown>, why: RegExp): Promise<void> =>
  assert.match(await call.then(String, String), why);

test('concurrent calls of one statement each get their own rows and ids', async ({ db }) => {
  const names = ['a', 'b', 'c', 'd'];
  const ids = await db.transaction((trx) => Promise.all(names.map((name) => trx('papers').insert({ name }))));
  const found = await db.transaction((trx) =>
    Promise.all(ids.map(([id]) => trx('papers').where({ id }).first('name'))),
  );
  assert.equal(
    found.map(({ name }) => name),
    names,
  );
});

test('a failed statement reports its error each time, and holds no lock', async ({ db }) => {
  await db('papers').insert({ name: 'a' });
  for (const _ of [1, 2, 3]) {
    await rejects(db('papers').insert({ name: 'a' }), /UNIQUE/);
    await rejects(db.raw('SELECT no_such_column FROM papers'), /no such column/);
  }
  await db('papers').insert({ name: 'b' });
  const [checkpoint] = await db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.equal(checkpoint, { busy: 0, log: 0, checkpointed: 0 }, 'no statement reads the log any more');
  assert.is((await db('papers')).length, 2);
});

test('a prepared statement works after its tables were changed', async ({ db }) => {
  await db('papers').insert({ name: 'a' });
  assert.equal(Object.keys((await db('papers'))[0]), ['id', 'name']);
  await db.schema.alterTable('papers', (t) => void t.text('note'));
  assert.equal(Object.keys((await db('papers'))[0]), ['id', 'name', 'note']);
  await db.schema.dropTable('papers');
  await rejects(db('papers'), /no such table/);
});

test('readers do not wait for the writer, and see what was committed', async ({ db }) => {
  await db('papers').insert({ name: 'a' });
  const count = async (): Promise<number> => (await db('papers')).length;
  await db.transaction(async (trx) => {
    await trx('papers').insert({ name: 'b' });
    assert.is((await trx('papers')).length, 2, 'a transaction sees its own rows');
    assert.is(await count(), 1, 'others do not, and do not wait for it');
    assert.is((await db.raw('SELECT * FROM papers')).length, 1);
    assert.is((await db.raw('WITH p AS (SELECT * FROM papers) SELECT * FROM p')).length, 1);
  });
  assert.is(await count(), 2);
  await db.raw(`WITH p AS (SELECT 1) DELETE FROM papers WHERE name = 'a'`);
  assert.is(await count(), 1, 'a statement that begins with WITH but writes runs on the writing connection');
});

test('a write on a full disk is retried once after space was freed, alone and in a transaction', async ({
  folder,
}) => {
  let calls = 0;
  let freesSpace = true;
  let connection: Database;
  // Not through knex, whose only connection waits for `whenFull`.
  const limitPages = (pages: number) =>
    new Promise<void>((resolve) => {
      connection.run(`PRAGMA max_page_count = ${pages}`, () => resolve());
    });
  const db = openDatabase(folder, {
    whenFull: async () => {
      calls += 1;
      if (freesSpace) await limitPages(100_000);
    },
  });
  connection = (await db.client.acquireConnection()) as Database;
  db.client.releaseConnection(connection);
  const fillDisk = () => limitPages(1);
  const large = () => ({ name: randomUUID().repeat(1000) });
  try {
    await fillDisk();
    await db('papers').insert(large());
    assert.is(calls, 1);
    await fillDisk();
    const ids = await db.transaction(async (trx) => [
      await trx('papers').insert(large()),
      await trx('papers').insert(large()),
    ]);
    assert.is(calls, 2);
    assert.is(ids.length, 2);
    assert.is((await db('papers')).length, 3, 'nothing was written twice');

    freesSpace = false;
    await fillDisk();
    await rejects(db('papers').insert(large()), /SQLITE_FULL/);
    await rejects(
      db.transaction((trx) => trx('papers').insert(large())),
      /SQLITE_FULL/,
    );
    const trx = await db.transaction();
    await rejects(trx('papers').insert(large()), /SQLITE_FULL/);
    await trx.rollback();
    assert.is(calls, 4, 'once each, and not where the caller ends the transaction');
    assert.is((await db('papers')).length, 3);
  } finally {
    await db.destroy();
  }
});

test('more statements than are cached all work, and the database can be closed', async ({ db }) => {
  for (let index = 0; index < 700; index += 1) await db.raw(`SELECT ${index}`);
  assert.equal(await db.raw('SELECT 0'), [{ 0: 0 }]);
});

test.run();
