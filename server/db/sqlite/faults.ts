import type { Knex } from 'knex';

// For `../faults.ts`, where it is told what this does.
export async function structureFaults(db: Knex): Promise<string[]> {
  const checks: { quick_check: string }[] = await db.raw('PRAGMA quick_check(5)');
  const faults = checks
    .filter(({ quick_check }) => quick_check !== 'ok')
    .map(({ quick_check }) => `the database: ${quick_check}`);
  const keys: unknown[] = await db.raw('PRAGMA foreign_key_check');
  if (keys.length > 0) faults.push(`${keys.length} rows of the database point to rows that are not there`);
  return faults;
}
