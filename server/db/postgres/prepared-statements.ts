/*
 * PostgreSQL plans an unnamed statement each time it runs. A named (prepared) statement is parsed and planned once per connection, which
 * for a small query is most of its time.
 */

/** A statement gets a name when it runs for the third time: most statements with inlined lists of values run only once. */
const MIN_RUNS = 3;
/** The total of names. Each connection keeps a plan of some 20 KB for each of them. */
const MAX_NAMES = 400;
/** Longer statements are bulk inserts, whose length seldom repeats. */
const MAX_LENGTH = 6000;
/** Statements whose runs are counted at a time. */
const MAX_COUNTED = 2000;

const SINGLE_STATEMENT = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

const names = new Map<string, string>();
const runs = new Map<string, number>();

/** The name under which a statement is prepared; undefined if it is to run unnamed. */
export function statementNameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  if (sql.length > MAX_LENGTH || !SINGLE_STATEMENT.test(sql)) return undefined;
  const count = (runs.get(sql) ?? 0) + 1;
  if (count < MIN_RUNS) {
    if (runs.size >= MAX_COUNTED) runs.clear();
    runs.set(sql, count);
    return undefined;
  }
  runs.delete(sql);
  const name = `almirah_${names.size}`;
  names.set(sql, name);
  return name;
}

/** Whether a prepared statement failed because its table was changed since, such as by the migration of another process. */
export const isStalePlan = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === '0A000' &&
  (error as Error).message.endsWith('cached plan must not change result type');
