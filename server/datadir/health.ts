import type { Knex } from 'knex';
import type { DiskReserve } from './disk-reserve.ts';

/** A reason why the server cannot work: `code` for programs, `message` for the admin. */
interface Problem {
  code:
    | 'database_unreadable'
    | 'database_stuck'
    | 'database_unwritable'
    | 'disk_full'
    | 'disk_unwritable'
    | 'storage_away';
  message: string;
}

const TIMEOUT_MS = 2000;

/** A probe with a timeout. Concurrent calls share one run, also while it is late. */
function createProbe(
  run: () => PromiseLike<unknown>,
  timeoutMs: number,
): () => Promise<'ok' | 'late' | Error> {
  let underway: Promise<'ok' | Error> | undefined;
  return async () => {
    underway ??= Promise.resolve(run())
      .then(
        () => 'ok' as const,
        (error: Error) => error,
      )
      .finally(() => (underway = undefined));
    let timer!: NodeJS.Timeout;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, timeoutMs, 'late')));
    return Promise.race([underway, late]).finally(() => clearTimeout(timer));
  };
}

/**
 * Checks whether the server can work: the database can be read, it can be written within two seconds, the disk can be written and is not
 * full, and the bucket answers if the files are in one.
 * @returns a function that resolves with the problems found; empty if there are none.
 */
export function createHealth({
  db,
  room,
  bucket,
  timeoutMs = TIMEOUT_MS,
}: {
  db: Knex;
  room?: Pick<DiskReserve, 'low' | 'refresh' | 'touch'>;
  /** The bucket with the files, unless they are on the disk. */
  bucket?: { address: string; answers(): Promise<void> } | null;
  timeoutMs?: number;
}): () => Promise<Problem[]> {
  const readDatabase = createProbe(() => db.raw('SELECT 1'), timeoutMs);
  // It takes the writer lock and changes nothing.
  const writeDatabase = createProbe(() => db.raw('UPDATE firms SET id = id WHERE FALSE'), timeoutMs);
  const writeDisk = room && createProbe(() => room.touch(), timeoutMs);
  const reachBucket = bucket && createProbe(() => bucket.answers(), timeoutMs);

  return async () => {
    const [reads, writes, disk, storage] = await Promise.all([
      readDatabase(),
      writeDatabase(),
      writeDisk?.(),
      reachBucket?.(),
      room?.refresh(),
    ]);
    const problems: Problem[] = [];
    if (reads !== 'ok')
      problems.push({ code: 'database_unreadable', message: 'The database cannot be read.' });
    if (writes === 'late')
      problems.push({
        code: 'database_stuck',
        message: `Nothing could be written to the database for ${timeoutMs / 1000} seconds.`,
      });
    else if (writes !== 'ok')
      problems.push({ code: 'database_unwritable', message: 'The database cannot be written.' });
    if (room?.low)
      problems.push({
        code: 'disk_full',
        message: 'The disk is full. No files are taken in until there is room.',
      });
    if (room && disk !== 'ok')
      problems.push({
        code: 'disk_unwritable',
        message: `The disk of the data folder cannot be written${disk instanceof Error ? ` (${(disk as NodeJS.ErrnoException).code})` : ''}. Is it read-only, as after a fault?`,
      });
    if (bucket && storage !== 'ok')
      problems.push({
        code: 'storage_away',
        message: `${bucket.address}, where the files are, does not answer${storage instanceof Error ? `: ${storage.message}` : '.'}`,
      });
    return problems;
  };
}
