import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgres } from '../../../knexfile.ts';
import { putText } from '../../db/document-text.ts';
import { CannotCopy } from '../../db/copy/copy-database.ts';
import { searchIndex } from '../../search/index.ts';
import { bareDatabase, postgresOnly } from '../../testing/postgres.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld } from '../../testing/world.ts';
import { findTotalsFaults } from '../../tools/totals.ts';
import { openCopy } from '../single-file.ts';
import { copyToFile, copyToPostgres } from './copies.ts';

const KEY = 'ab'.repeat(32);
const how = { gramsOf: searchIndex.gramsOf };

interface Ctx extends World {
  file: string;
  /** An empty database of this version. */
  target: Knex;
  end(): Promise<void>;
}

const test = suite<Ctx>('copying a whole database');
test.before.each(async (ctx) => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-whole-'));
  const { address, drop } = await bareDatabase();
  const target = knex(postgres(address));
  await target.migrate.latest();
  Object.assign(ctx, await freshWorld(), { target, file: join(folder, 'whole.sqlite') });
  ctx.end = async () => {
    await target.destroy();
    await drop();
    await ctx.close();
    await rm(folder, { recursive: true });
  };
});
test.after.each((ctx) => ctx.end());

/** An office with most kinds of records, some of them deleted. */
async function fill({ build, services, db }: World) {
  const actor = await build.actor();
  const folder = await build.folder(actor, 'Sharma & Sons, १२ “returns”');
  const gone = await build.file(actor, { name: 'gone.pdf', parent_id: folder.id });
  const kept = await build.file(actor, { name: 'Balance sheet 2026.pdf', parent_id: folder.id });
  await services.documents.setClient(actor, folder.id, {
    client_id: await build.client(actor, 'Meera Iyer'),
  });
  await services.documents.remove(actor, [gone.id]);
  await services.trash.remove(actor, [gone.id]);
  await services.sweeper.drain();
  await db.transaction((trx) => putText(trx, { id: 71, words: 'abc def abc 0a1', named: 'n0t w1t' }));
  return kept;
}

/** All rows of all tables, as texts. */
async function everything(db: Knex): Promise<Record<string, string[]>> {
  const tables: { name: string }[] = await db.raw(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' ORDER BY 1",
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables)
    all[name] = (await db.raw(`SELECT t::text AS row FROM "${name}" t`))
      .map(({ row }: { row: string }) => row)
      .toSorted();
  return all;
}

test('a database copied to SQLite and back has the same rows and search indexes, and reuses no id', async (ctx) => {
  const { db, file, target } = ctx;
  const kept = await fill(ctx);
  const there = await copyToFile(db, file, KEY, how);
  assert.is(there.names, 2);
  assert.is(there.texts, 1);
  const sealed = openCopy(file, KEY);
  assert.equal(await sealed.raw('PRAGMA foreign_key_check'), []);
  assert.equal(await sealed.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  await sealed.destroy();

  assert.equal(await copyToPostgres(target, file, KEY, how), there);
  assert.equal(await everything(target), await everything(db));
  assert.equal(await findTotalsFaults(target), []);
  // Sequences and foreign keys are copied too: the next item does not get the id of a deleted one.
  const [last] = await db.raw('SELECT last_value AS n FROM pg_sequences WHERE sequencename = ?', [
    'item_rows_id_seq',
  ]);
  const [next] = await target.raw("SELECT nextval('item_rows_id_seq') AS n");
  assert.is(next.n, last.n + 1);
  const orphan = await target('item_rows')
    .where({ id: kept.id })
    .update({ parent_id: 999_999 })
    .then(
      () => null,
      (error: { code: string }) => error.code,
    );
  assert.is(orphan, '23503');
});

test('a copy to a file that fails leaves nothing of it, or a full disk would stay full', async (ctx) => {
  const { db, file } = ctx;
  await fill(ctx);
  const gramsOf = () => {
    throw new CannotCopy('the disk is full');
  };
  const failing = copyToFile(db, file, KEY, { gramsOf });
  assert.is(await failing.catch((error: Error) => error.message), 'the disk is full');
  assert.equal(await readdir(dirname(file)), []);
});

test('a copy that fails leaves the target database unchanged', async (ctx) => {
  const { db, file, target } = ctx;
  await fill(ctx);
  await copyToFile(db, file, KEY, how);
  await target('firms').insert({ id: 7000, name: 'Before', created_at: '' });
  const before = await everything(target);
  const failing = copyToPostgres(target, file, KEY, {
    ...how,
    also: () => Promise.reject(new CannotCopy('at the very end')),
  });
  assert.is(await failing.catch((error: Error) => error.message), 'at the very end');
  assert.equal(await everything(target), before);
  await copyToPostgres(target, file, KEY, how);
  assert.is(await target('firms').where({ id: 7000 }).first('id'), undefined, 'what it held before is gone');
});

postgresOnly(test).run();
