import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Processes } from '#server/db/processes.ts';
import { OWN_PROCESS } from '#server/db/processes.ts';

/** How often a process says that it is there, in ms. */
const BEAT = 1000;
/** Silent for so long and without its lock a process is gone; a connection that breaks is made again sooner. */
const SILENT = 3000;
/** Silent for so long it is taken for gone also with its lock, which outlives a machine that lost its power. */
const LOST = 60_000;

export interface RegisterParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  processes: Processes;
  /** Takes up what processes have left that are on the list no more. */
  recover: () => Promise<void>;
  beat?: number;
}

/**
 * The list of processes that serve the vault. Each says every second that it is there, and looks whether another is gone: then it
 * takes that off the list, and whatever it was working on is taken up. A process that was taken for gone by mistake comes to no harm:
 * what it does is no longer its own, and does not count.
 */
export function createRegister({ db, clock, log, processes, recover, beat = BEAT }: RegisterParts) {
  /** Since when this one has been there without a break; one that was away itself cannot say who is gone. */
  let since = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;
  let stopped = false;

  async function note(): Promise<void> {
    const seen_at = clock().toISOString();
    await db('processes').insert({ id: OWN_PROCESS, seen_at }).onConflict('id').merge();
    since = Math.min(since, performance.now());
  }

  async function isGone({ id, seen_at }: { id: string; seen_at: string }): Promise<boolean> {
    // Later than now it is only where the clock was set back.
    const silent = Math.abs(clock().getTime() - Date.parse(seen_at));
    return silent > LOST || (silent > SILENT && (await processes.isGone(id)));
  }

  async function look(): Promise<void> {
    await note();
    if (performance.now() - since < SILENT) return;
    const at = (ms: number) => new Date(clock().getTime() + ms).toISOString();
    const silent = await db('processes')
      .where('seen_at', '<', at(-SILENT))
      .orWhere('seen_at', '>', at(SILENT))
      .select('id', 'seen_at');
    for (const one of silent) {
      if (!(await isGone(one))) continue;
      if ((await db('processes').where(one).delete()) === 0) continue;
      log.info({ process: one.id }, 'another process is gone; what it was working on is taken up');
      await recover();
    }
  }

  const lookQuietly = (): void => {
    underway ??= look()
      .catch((error: unknown) => {
        since = Infinity;
        log.warn({ err: error }, 'other processes were not looked at');
      })
      .finally(() => (underway = undefined));
  };

  return {
    /** Puts this process on the list; to be called before it takes up anything. */
    async start(): Promise<void> {
      if (!processes.several || stopped || timer) return;
      await note();
      timer = setInterval(lookQuietly, beat);
      timer.unref();
    },

    /** Takes this process off the list: what it has left behind is taken up by the others. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await underway;
      if (timer) await db('processes').where({ id: OWN_PROCESS }).delete();
    },
  };
}
export type Register = ReturnType<typeof createRegister>;
