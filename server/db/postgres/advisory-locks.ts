/**
 * The keys of PostgreSQL's advisory locks that Almirah takes: arbitrary numbers that nothing else in its database uses. All processes
 * of a vault take the same ones, whatever their version.
 */
export const ADVISORY_LOCKS = {
  /** Held for a transaction that writes: there is one writer at a time, as in SQLite. */
  writer: 21_093_881,
  /** Held while serving a database: shared by several processes, or exclusive. */
  server: 21_093_882,
  /** Held while a process opens and migrates a database. */
  opening: 21_093_883,
  /** Held while a message is sent, so that sequence numbers rise in the order of delivery. */
  publishing: 21_093_884,
} as const;

/** The first of the two keys of a named lock; the second is a hash of the name. */
const NAMED = 21_093_885;

/** The keys of the lock with this name, as arguments of an SQL function. */
export const namedLock = (name: string): string => `${NAMED}, hashtext('${name.replaceAll("'", "''")}')`;

/** The name of the lock that a process holds for as long as it runs. */
export const processLock = (id: string): string => `process ${id}`;
