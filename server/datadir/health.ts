import type { Knex } from 'knex';
import type { Room } from './disk-reserve.ts';

/** What keeps the server from its work: `code` for programs, `message` for the admin. */
export interface Problem {
  code: 'database_unreadable' | 'database_stuck' | 'database_unwritable' | 'disk_full' | 'storage_away';
  message: string;
}

const PATIENCE = 2000;

/** A question that is asked once at a time, however many want to know, and is not waited for without end. */
function asked(ask: () => PromiseLike<unknown>, patience: number): () => Promise<'ok' | 'late' | Error> {
  let underway: Promise<'ok' | Error> | undefined;
  return async () => {
    underway ??= Promise.resolve(ask())
      .then(
        () => 'ok' as const,
        (error: Error) => error,
      )
      .finally(() => (underway = undefined));
    let timer!: NodeJS.Timeout;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, patience, 'late')));
    return Promise.race([underway, late]).finally(() => clearTimeout(timer));
  };
}

/**
 * Whether the server can do its work: the database answers those who read, the one connection that writes is free
 * within two seconds, there is room on the disk, and the bucket of the files answers if they are in one.
 * @returns resolves with what is wrong; empty when all is well.
 */
export function createHealth({
  db,
  room,
  bucket,
  patience = PATIENCE,
}: {
  db: Knex;
  room?: Pick<Room, 'low' | 'glance'>;
  /** Where the bytes of files are, if not on the disk. */
  bucket?: { address: string; answers(): Promise<void> } | null;
  patience?: number;
}): () => Promise<Problem[]> {
  const reading = asked(() => db.raw('SELECT 1'), patience);
  // It takes the lock of a writer, and changes nothing.
  const writing = asked(() => db.raw('UPDATE firms SET id = id WHERE FALSE'), patience);

  const storage = bucket && asked(() => bucket.answers(), patience);

  return async () => {
    const [reads, writes, files] = await Promise.all([reading(), writing(), storage?.(), room?.glance()]);
    const problems: Problem[] = [];
    if (reads !== 'ok')
      problems.push({ code: 'database_unreadable', message: 'The database cannot be read.' });
    if (writes === 'late')
      problems.push({
        code: 'database_stuck',
        message: `Nothing could be written to the database for ${patience / 1000} seconds.`,
      });
    else if (writes !== 'ok')
      problems.push({ code: 'database_unwritable', message: 'The database cannot be written.' });
    if (room?.low)
      problems.push({
        code: 'disk_full',
        message: 'The disk is full. No files are taken in until there is room.',
      });
    if (bucket && files !== 'ok')
      problems.push({
        code: 'storage_away',
        message: `${bucket.address}, where the files are, does not answer${files instanceof Error ? `: ${files.message}` : '.'}`,
      });
    return problems;
  };
}
