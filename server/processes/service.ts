import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Processes } from '#server/db/processes.ts';
import { OWN_PROCESS } from '#server/db/processes.ts';

/** Interval of the heartbeats. */
const HEARTBEAT_MS = 1000;
/** A process without its lock counts as dead after this silence; a broken connection reconnects sooner. */
const SILENT_MS = 3000;
/** A process counts as dead after this silence even with its lock, which can outlive a machine that lost power. */
const LOST_MS = 60_000;

interface RegisterDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
  processes: Processes;
  /** Requeues the work of processes that are no longer registered. */
  recover: () => Promise<void>;
  heartbeatMs?: number;
}

/**
 * The register of the processes that serve the vault. Each writes a heartbeat every second and checks the
 * others: it removes a dead process and requeues its work. A process that was removed by mistake does no harm:
 * its work is no longer its own, and its results are discarded.
 */
export function createRegister({
  db,
  clock,
  log,
  processes,
  recover,
  heartbeatMs = HEARTBEAT_MS,
}: RegisterDependencies) {
  /** Start of this process's unbroken heartbeats; after a gap of its own it cannot judge the others. */
  let since = Infinity;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;
  let stopped = false;

  async function recordHeartbeat(): Promise<void> {
    const seen_at = clock().toISOString();
    await db('processes').insert({ id: OWN_PROCESS, seen_at }).onConflict('id').merge();
    since = Math.min(since, performance.now());
  }

  async function isGone({ id, seen_at }: { id: string; seen_at: string }): Promise<boolean> {
    // A heartbeat in the future means that the clock was set back since.
    const silent = Math.abs(clock().getTime() - Date.parse(seen_at));
    return silent > LOST_MS || (silent > SILENT_MS && (await processes.isDead(id)));
  }

  async function checkOthers(): Promise<void> {
    await recordHeartbeat();
    if (performance.now() - since < SILENT_MS) return;
    const after = (ms: number) => new Date(clock().getTime() + ms).toISOString();
    const silent = await db('processes')
      .where('seen_at', '<', after(-SILENT_MS))
      .orWhere('seen_at', '>', after(SILENT_MS))
      .select('id', 'seen_at');
    for (const process of silent) {
      if (!(await isGone(process))) continue;
      if ((await db('processes').where(process).delete()) === 0) continue;
      log.info({ process: process.id }, 'another process is gone; what it was working on is taken up');
      await recover();
    }
  }

  const tick = (): void => {
    checking ??= checkOthers()
      .catch((error: unknown) => {
        since = Infinity;
        log.warn({ err: error }, 'other processes were not looked at');
      })
      .finally(() => (checking = undefined));
  };

  return {
    /** Registers this process; call before it takes up any work. */
    async start(): Promise<void> {
      if (!processes.several || stopped || timer) return;
      await recordHeartbeat();
      timer = setInterval(tick, heartbeatMs);
      timer.unref();
    },

    /** Removes this process; the others requeue what it has left. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await checking;
      if (timer) await db('processes').where({ id: OWN_PROCESS }).delete();
    },
  };
}
export type Register = ReturnType<typeof createRegister>;
