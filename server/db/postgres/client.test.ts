import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgres } from '../../../knexfile.ts';
import { isCommitUnknown, storageFailure } from '../../http/storage-failure.ts';
import { createGroupCommit } from '../group-commit.ts';
import type { AppError } from '../../http/errors.ts';
import { bareDatabase, postgresOnly } from '../../testing/postgres.ts';
import { until } from '../../testing/until.ts';

interface Ctx {
  /** Two clients of one database, as two processes would have. */
  db: Knex;
  other: Knex;
  address: string;
  close(): Promise<void>;
}

const test = suite<Ctx>('the PostgreSQL client');
test.before.each(async (ctx) => {
  const { address, drop } = await bareDatabase();
  const [db, other] = [knex(postgres(address)), knex(postgres(address))];
  await db.raw('CREATE TABLE notes (id bigint PRIMARY KEY, said text NOT NULL)');
  await db('notes').insert([
    { id: 1, said: 'a' },
    { id: 2, said: 'b' },
  ]);
  Object.assign(ctx, { db, other, address });
  ctx.close = async () => {
    await db.destroy();
    await other.destroy();
    await drop();
  };
});
test.after.each((ctx) => ctx.close());

const storedTexts = async (db: Knex): Promise<string[]> => db('notes').orderBy('id').pluck('said');

test('a transaction that PostgreSQL rolls back because of others is retried from its beginning', async ({
  db,
}) => {
  let tries = 0;
  await db.transaction(async (trx) => {
    tries += 1;
    await trx('notes')
      .where({ id: 1 })
      .update({ said: `try ${tries}` });
    await trx('notes').insert({ id: 3, said: 'once' });
    if (tries < 3) await trx.raw(`DO $$ BEGIN RAISE EXCEPTION 'so' USING ERRCODE = '40001'; END $$`);
  });
  assert.equal(await storedTexts(db), ['try 3', 'b', 'once']);
});

test('a transaction that fails each time rejects with PostgreSQL’s error, and leaves nothing', async ({
  db,
}) => {
  let tries = 0;
  const work = db.transaction(async (trx) => {
    tries += 1;
    await trx('notes').insert({ id: 3, said: 'never' });
    await trx.raw(`DO $$ BEGIN RAISE EXCEPTION 'so' USING ERRCODE = '40001'; END $$`);
  });
  const code = await work.then(
    () => null,
    (error: { code: string }) => error.code,
  );
  assert.is(code, '40001');
  assert.is(tries, 5);
  assert.equal(await storedTexts(db), ['a', 'b']);
});

test('of two deadlocked transactions, the one that is rolled back is retried after the other', async ({
  db,
  other,
}) => {
  // Our write transactions run one at a time, but that of somebody at a console may lock rows in another order.
  let tries = 0;
  const held = (await other.client.acquireConnection()) as { query(sql: string): Promise<unknown> };
  try {
    await held.query('BEGIN');
    // Ours is found first, however late.
    await held.query("SET LOCAL deadlock_timeout = '10min'");
    await held.query("UPDATE notes SET said = 'theirs' WHERE id = 2");
    let theirs: Promise<unknown> = Promise.resolve();
    await db.transaction(async (trx) => {
      tries += 1;
      await trx.raw("SET LOCAL deadlock_timeout = '20ms'");
      await trx('notes').where({ id: 1 }).update({ said: 'ours' });
      if (tries === 1) {
        theirs = held.query("UPDATE notes SET said = 'theirs' WHERE id = 1").then(() => held.query('COMMIT'));
        // In this database: others of the same server belong to other tests.
        const blocked =
          "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        await until(async () => (await other.raw(`SELECT count(*) AS n ${blocked}`))[0].n > 0);
      }
      await trx('notes').where({ id: 2 }).update({ said: 'ours' });
    });
    await theirs;
  } finally {
    await other.client.releaseConnection(held);
  }
  // The second try may meet the other transaction before that one has ended.
  assert.ok(tries >= 2);
  assert.equal(await storedTexts(db), ['ours', 'ours']);
});

test('a prepared statement works after another connection changed its table, in a transaction too', async ({
  db,
  other,
}) => {
  const all = (from: Knex): Promise<object[]> => from.raw('SELECT * FROM notes ORDER BY id');
  const runOften = async (from: Knex) => {
    for (let time = 0; time < 5; time += 1) await all(from);
  };
  await runOften(db);
  await other.raw('ALTER TABLE notes ADD COLUMN at text');
  assert.equal((await all(db))[0], { id: 1, said: 'a', at: null });
  await db.transaction((trx) => runOften(trx));
  await other.raw('ALTER TABLE notes DROP COLUMN at');
  const [first] = await db.transaction((trx) => all(trx));
  assert.equal(first, { id: 1, said: 'a' });
});

test('many write transactions leave connections to readers', async ({ db }) => {
  const { promise: readerDone, resolve: letWritersGo } = Promise.withResolvers<void>();
  const writing = Array.from({ length: 30 }, () =>
    db.transaction(async (trx) => {
      await readerDone;
      await trx.raw('UPDATE notes SET said = said || ? WHERE id = 1', ['.']);
    }),
  );
  assert.equal(await storedTexts(db), ['a', 'b']);
  letWritersGo();
  await Promise.all(writing);
  assert.equal(await storedTexts(db), [`a${'.'.repeat(30)}`, 'b']);
});

test('without a free connection for long, the error says that the database does not answer', async ({
  address,
}) => {
  const small = knex({ ...postgres(address), pool: { min: 0, max: 1 }, acquireConnectionTimeout: 5000 });
  const busy = await small.transaction(undefined, { readOnly: true });
  try {
    const error = await small('notes').then(
      () => null,
      (failure: unknown) => storageFailure(failure, 'nothing was saved') as AppError,
    );
    assert.equal([error?.status, error?.code], [503, 'database_away']);
  } finally {
    await busy.rollback();
    await small.destroy();
  }
});

/** A client whose connections go through a proxy, which may break them. */
async function throughProxy(
  address: string,
  between: (client: Socket, upstream: Socket) => void,
): Promise<{ remote: Knex; clients: Set<Socket>; close(): Promise<void> }> {
  const { searchParams, pathname } = new URL(address);
  const socket = join(searchParams.get('host')!, '.s.PGSQL.5432');
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    clients.add(client);
    const upstream = connect(socket);
    for (const side of [client, upstream]) side.on('error', () => {});
    client.on('close', () => upstream.destroy());
    between(client, upstream);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const remote = knex(postgres(`postgres://almirah@127.0.0.1:${port}${pathname}`));
  const close = async () => {
    await remote.destroy();
    proxy.close();
  };
  return { remote, clients, close };
}

const asAnswer = (failure: unknown): AppError => storageFailure(failure, 'nothing was saved') as AppError;

test('a connection reset during a statement is reported as an unavailable database, and the next statement gets a new one', async ({
  address,
}) => {
  const { remote, clients, close } = await throughProxy(address, (client, upstream) => {
    client.pipe(upstream).pipe(client);
  });
  try {
    assert.equal(await storedTexts(remote), ['a', 'b']);
    const waiting = remote.raw('SELECT pg_sleep(60)').then(() => null, asAnswer);
    await until(
      async () =>
        (await remote.raw("SELECT 1 FROM pg_stat_activity WHERE query LIKE '%sleep(60)'")).length > 0,
    );
    for (const client of clients) client.resetAndDestroy();
    const error = await waiting;
    assert.equal([error?.status, error?.code], [503, 'database_away']);
    assert.equal(await storedTexts(remote), ['a', 'b']);
  } finally {
    await close();
  }
});

test('a commit whose answer never arrives is neither taken for a rollback nor done again by the group commit', async ({
  db,
  address,
}) => {
  let breaks = 1;
  const { remote, close } = await throughProxy(address, (client, upstream) => {
    let isCommitting = false;
    client.on('data', (bytes) => {
      isCommitting ||= bytes.includes('COMMIT') && (breaks -= 1) >= 0;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (isCommitting ? client.destroy() : client.write(bytes)));
  });
  try {
    const groupCommit = createGroupCommit(remote);
    let runs = 0;
    const note = (id: number) =>
      groupCommit(async (trx) => {
        runs += 1;
        await trx('notes').insert({ id, said: 'once' });
      }).then(
        () => null,
        (failure: unknown) => [isCommitUnknown(failure), asAnswer(failure).code],
      );
    assert.equal(await Promise.all([note(3), note(4)]), [[true, 'database_away'], null]);
    assert.is(runs, 2);
    assert.equal(await storedTexts(db), ['a', 'b', 'once', 'once']);
  } finally {
    await close();
  }
});

postgresOnly(test).run();
