import type { Knex } from 'knex';

// See `../integrity.ts`.
export async function integrityFaults(db: Knex): Promise<string[]> {
  const results: { quick_check: string }[] = await db.raw('PRAGMA quick_check(5)');
  const faults = results
    .filter(({ quick_check }) => quick_check !== 'ok')
    .map(({ quick_check }) => `the database: ${quick_check}`);
  const dangling: unknown[] = await db.raw('PRAGMA foreign_key_check');
  if (dangling.length > 0)
    faults.push(`${dangling.length} rows of the database point to rows that are not there`);
  return faults;
}
