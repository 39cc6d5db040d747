/*
 * PostgreSQL plans a text anew each time it comes, unless it was given a name: then that is done once on each connection, which
 * for a small query is most of the time.
 */

/** A text is named when it has come so often: most texts that are made of lists of values come once. */
const OFTEN = 3;
/** Names in all, for each of which every connection keeps a plan of some 20 KB. */
const NAMES = 400;
/** Longer ones are lists of rows to write, seldom of the same length again. */
const LONGEST = 6000;
/** Texts that are counted at a time. */
const COUNTED = 2000;

const ONE_STATEMENT = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i;

const names = new Map<string, string>();
const times = new Map<string, number>();

/** The name under which a statement is prepared; undefined for one that is not. */
export function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= NAMES) return known;
  if (sql.length > LONGEST || !ONE_STATEMENT.test(sql)) return undefined;
  const came = (times.get(sql) ?? 0) + 1;
  if (came < OFTEN) {
    if (times.size >= COUNTED) times.clear();
    times.set(sql, came);
    return undefined;
  }
  times.delete(sql);
  const name = `almirah_${names.size}`;
  names.set(sql, name);
  return name;
}

/** Whether a table was changed since a statement was prepared, as by an update beside this process: its plan is of no use any more. */
export const isOutdated = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === '0A000' &&
  (error as Error).message.endsWith('cached plan must not change result type');
