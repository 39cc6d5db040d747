import type { Knex } from 'knex';
import type { Database } from 'sqlite3';
import { onPostgres } from '../db/dialect.ts';
import type { SqliteConfig } from '../db/sqlite/client.ts';

/**
 * Has the database roll back the first transaction with this kind of write to a table, for a reason for which the
 * client repeats it: a full disk on SQLite, another transaction on PostgreSQL, there at the commit.
 * @param when such as `INSERT`.
 * @returns how often it was rolled back, and removes what was added to the database.
 */
export async function repeatOnce(db: Knex, table: string, when: string): Promise<() => Promise<number>> {
  return onPostgres ? onPostgresOnce(db, table, when) : onSqliteOnce(db, table, when);
}

async function onSqliteOnce(db: Knex, table: string, when: string) {
  // Not through knex, whose only connection waits for `whenFull`.
  const connection = (await db.client.acquireConnection()) as Database;
  db.client.releaseConnection(connection);
  const config = db.client.config as SqliteConfig;
  let times = 0;
  config.whenFull = async () => {
    times += 1;
    await new Promise((resolve) => connection.exec('DROP TRIGGER filling', resolve));
  };
  const [{ page_count }] = await db.raw('PRAGMA page_count');
  await db.raw('CREATE TABLE filler (bytes)');
  await db.raw(
    `CREATE TRIGGER filling AFTER ${when} ON ${table} BEGIN INSERT INTO filler VALUES (zeroblob(100000000)); END`,
  );
  await db.raw(`PRAGMA max_page_count = ${page_count + 10_000}`);
  return async () => {
    delete config.whenFull;
    await db.raw('DROP TABLE filler');
    return times;
  };
}

async function onPostgresOnce(db: Knex, table: string, when: string) {
  // A sequence is not rolled back.
  await db.raw('CREATE SEQUENCE failing_times');
  await db.raw(
    `CREATE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('failing_times') = 1 THEN RAISE EXCEPTION 'once' USING ERRCODE = '40001'; END IF; RETURN NULL;
     END $$`,
  );
  await db.raw(
    `CREATE CONSTRAINT TRIGGER failing AFTER ${when} ON ${table} DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION failing()`,
  );
  return async () => {
    const [{ last_value }] = await db.raw('SELECT last_value FROM failing_times');
    await db.raw('DROP FUNCTION failing CASCADE');
    await db.raw('DROP SEQUENCE failing_times');
    return Number(last_value) > 1 ? 1 : 0;
  };
}
