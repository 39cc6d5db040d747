import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import knex from 'knex';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import type { Test } from 'uvu';
import { postgres } from '../../knexfile.ts';
import { onPostgres } from '../db/dialect.ts';

/** The template for the first databases of a process; later tests reuse released ones. */
const TEMPLATE = 'almirah_template';

/** The URL of another database of the same server. */
export function databaseAt(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

/** Resets all tables to their state after the migrations: a new copy takes a hundred times as long. */
const RESET = `
CREATE SCHEMA pristine;
CREATE TABLE pristine.sequences AS SELECT sequencename AS name, coalesce(last_value, start_value) AS value, last_value IS NOT NULL AS used
  FROM pg_sequences WHERE schemaname = 'public';
CREATE FUNCTION pristine.reset() RETURNS void LANGUAGE plpgsql AS $$
DECLARE one record;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' LOOP
    IF pg_relation_size(quote_ident(one.name)) > 262144 THEN EXECUTE format('TRUNCATE %I CASCADE', one.name); END IF;
    EXECUTE format('DELETE FROM %I', one.name);
  END LOOP;
  FOR one IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'pristine' AND tablename <> 'sequences' LOOP
    EXECUTE format('INSERT INTO public.%I SELECT * FROM pristine.%I', one.name, one.name);
  END LOOP;
  PERFORM setval(quote_ident(name), value, used) FROM pristine.sequences;
END $$;
DO $$
DECLARE one record; filled boolean;
BEGIN
  FOR one IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' LOOP
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', one.name) INTO filled;
    IF filled THEN EXECUTE format('CREATE TABLE pristine.%I AS TABLE public.%I', one.name, one.name); END IF;
  END LOOP;
END $$;`;

/**
 * Waits at most 10 s for a connection, so that a leak fails the test.
 * @param keeper whose connections to the same database are used.
 */
function open(address: string, keeper?: Knex): Knex {
  const all = { ...postgres(address, { guarded: false }), acquireConnectionTimeout: 10_000 };
  if (!keeper) return knex(all);
  const { connection: _connection, pool: _pool, ...settings } = all;
  return knex({ ...settings, connectionPool: keeper.client.pool });
}

/** Creates the template database. */
export async function makeTemplate(address: string): Promise<void> {
  const server = open(address);
  await server.raw(`CREATE DATABASE ${TEMPLATE}`);
  await server.destroy();
  const template = open(databaseAt(address, TEMPLATE));
  await template.migrate.latest();
  await template.raw(RESET);
  await template.destroy();
}

/** A database for one world after another. */
interface Reusable {
  /** Owns the connections, which stay open from world to world with their plans and their cache of the catalog. */
  keeper: Knex;
  address: string;
}
const free: Reusable[] = [];
let made = 0;

async function clone(address: string): Promise<string> {
  const name = `world_${process.pid}_${(made += 1)}`;
  const server = open(databaseAt(address, 'postgres'));
  await server.raw(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  await server.destroy();
  return name;
}

/** A database without tables, on the server of `DATABASE_URL` unless another one is given, and how to drop it. */
export async function bareDatabase(
  encoding = 'UTF8',
  given = process.env.DATABASE_URL!,
): Promise<{ address: string; drop(): Promise<void> }> {
  const name = `bare_${process.pid}_${(made += 1)}`;
  const asServer = async (sql: string) => {
    const server = open(databaseAt(given, 'postgres'));
    await server.raw(sql).finally(() => server.destroy());
  };
  await asServer(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
  return {
    address: databaseAt(given, name),
    drop: () => asServer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** How long a world that has ended may still use its connections. */
const LINGER_MS = 10_000;

async function allReturned({ client }: Knex): Promise<boolean> {
  const pool = client.pool as { numUsed(): number; numPendingAcquires(): number };
  const isUsed = () => pool.numUsed() + pool.numPendingAcquires() > 0;
  for (const end = Date.now() + LINGER_MS; isUsed() && Date.now() < end;) await wait(5);
  return !isUsed();
}

/** An empty, migrated database on the server of `DATABASE_URL`, for one world. */
export async function emptyDatabase(): Promise<Knex> {
  const server = process.env.DATABASE_URL!;
  let reusable = free.pop();
  if (!reusable) {
    const address = databaseAt(server, await clone(server));
    reusable = { keeper: open(address), address };
  }
  const { keeper, address } = reusable;
  const db = open(address, keeper);
  const { client } = db as { client: { destroy(): Promise<void> } };
  const destroy = client.destroy.bind(client);
  let ended = false;
  client.destroy = async () => {
    if (ended) return;
    ended = true;
    // What a test has left running may be in a transaction. Knex could not return its connection once the client is gone.
    await allReturned(keeper);
    await db.raw('SELECT pristine.reset()');
    await destroy();
    if (await allReturned(keeper)) free.push({ keeper, address });
    // Not awaited, because a connection that is never returned would hold up the run for ever.
    else void keeper.destroy();
  };
  return db;
}

/** The database that belongs to a data folder, in the state in which it was last left. It is never dropped. */
export async function databaseOfFolder(dataDir: string): Promise<Knex> {
  const address = process.env.DATABASE_URL!;
  const name = `folder_${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const server = open(databaseAt(address, 'postgres'));
  try {
    const there: unknown[] = await server('pg_database').where({ datname: name }).select('datname');
    if (there.length === 0) await server.raw(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  } finally {
    await server.destroy();
  }
  return open(databaseAt(address, name));
}

/** A suite for PostgreSQL only; on SQLite it reports that it was skipped. */
export function postgresOnly<T>(test: Test<T>): { run(): void } {
  if (onPostgres) return test;
  const none = suite();
  none('(skipped: there is no PostgreSQL; "npm run test:postgres" starts one)', () => {});
  return none;
}

/** `test` on SQLite, `test.skip` on PostgreSQL; for a test of SQLite's own query plans. */
export const sqliteOnly = <T>(test: Test<T>): Test<T>['skip'] => (onPostgres ? test.skip : test);
