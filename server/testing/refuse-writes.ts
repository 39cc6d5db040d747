import type { Knex } from 'knex';
import { onPostgres } from '../db/dialect.ts';

/**
 * Makes the database reject a kind of write to a table, to simulate a failure in the middle of a change.
 * @param when such as `INSERT` or `UPDATE OF name`.
 * @returns how to allow it again.
 */
export async function refuseWrites(db: Knex, table: string, when: string): Promise<() => Promise<void>> {
  if (!onPostgres) {
    await db.raw(
      `CREATE TRIGGER refusing BEFORE ${when} ON ${table} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    return () => db.raw('DROP TRIGGER refusing');
  }
  await db.raw(
    `CREATE FUNCTION refusing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
  );
  await db.raw(`CREATE TRIGGER refusing BEFORE ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION refusing()`);
  return () => db.raw('DROP FUNCTION refusing CASCADE');
}
