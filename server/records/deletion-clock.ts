import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Differences up to this are accepted immediately: a night or a day off, a corrected clock. */
const STEP = DAY;
/** A server may be off this long for a holiday or a move; beyond it, a wrong clock is more likely. */
const LONG_GAP = 45 * DAY;
const WAIT = DAY;
const LONG_WAIT = 7 * DAY;
/** The smallest difference recorded in the audit log; a long weekend stays below it. */
const RECORDED_GAP = 7 * DAY;
/** How often the row is written. A crash loses less time than `STEP`. */
const STORE_INTERVAL = 6 * HOUR;

/** Times in ms. */
interface Passed {
  /** The latest time that is known to have been reached. */
  seen: number;
  /** The time of the machine's clock; null while it differs from `seen` by at most `STEP`. */
  doubted: number | null;
  /** How long the server has run since they differ. */
  waited: number;
}

/**
 * The next state after the server has run for another `ran` ms and the machine's clock reads `wall`. A difference that
 * persists while the server runs for a day, or a week if it is over 45 days, is accepted: nobody has corrected the clock.
 */
export function goOn({ seen, doubted, waited }: Passed, wall: number, ran: number): Passed {
  const expected = seen + ran;
  const gap = Math.abs(wall - expected);
  const agreed: Passed = { seen: wall, doubted: null, waited: 0 };
  if (gap <= STEP) return agreed;
  const persists = doubted !== null && Math.abs(wall - (doubted + ran)) <= STEP;
  const waitedNow = persists ? waited + ran : 0;
  if (waitedNow >= (gap > LONG_GAP ? LONG_WAIT : WAIT)) return agreed;
  return { seen: expected, doubted: wall, waited: waitedNow };
}

interface Row {
  seen_at: string;
  doubted_at: string | null;
  waited: number;
  told: number;
}

const iso = (time: number): string => new Date(time).toISOString();

/**
 * The clock for deletions by age: Trash, earlier versions, items expired under a retention rule, unreferenced blobs. The
 * machine's clock alone is not safe: with an empty battery or a wrong setting it may be a year ahead after a restart, which
 * would empty Trash within a minute, and correcting the clock restores nothing. This clock therefore advances by the time
 * that the server has run (the machine's monotonic clock) from the last stored time. It accepts a larger advance of the
 * machine's clock immediately up to a day, and otherwise only after the server has run for a while and the difference
 * persists. Deleting some days late, after the server was really off, costs only space; deleting early is irreversible.
 * The clock is never ahead of the machine's clock.
 */
export function createDeletionClock({
  db,
  clock,
  ticks,
  audit,
  log,
}: {
  db: Knex;
  clock: Clock;
  /** A monotonic clock, in ms. */
  ticks: () => number;
  audit: Pick<Audit, 'record' | 'lastAt'>;
  log: Pick<Logger, 'info' | 'warn'>;
}) {
  let last = ticks();
  const begun = clock().getTime();
  let known: Passed | undefined;
  /** When the row was last written, by `ticks`. */
  let storedAt = -Infinity;
  let recorded = false;
  let loading: Promise<Passed> | undefined;

  /** Without a stored row, the latest audit entry gives the time reached; a new vault has none and starts now. */
  async function load(): Promise<Passed> {
    const row = (await db('deletion_clock').first()) as Row | undefined;
    recorded = row?.told === 1;
    if (row)
      return {
        seen: Date.parse(row.seen_at),
        doubted: row.doubted_at === null ? null : Date.parse(row.doubted_at),
        waited: Number(row.waited),
      };
    const newest = Date.parse((await audit.lastAt()) ?? '');
    return { seen: Number.isNaN(newest) ? begun : Math.min(begun, newest), doubted: null, waited: 0 };
  }

  async function observe(): Promise<Passed> {
    if (known === undefined) {
      const loaded = await (loading ??= load().finally(() => (loading = undefined)));
      known ??= loaded;
    }
    const before = known;
    const [from, now, wall] = [last, ticks(), clock().getTime()];
    last = now;
    const after = goOn(before, wall, Math.max(0, now - from));
    known = after;
    if (before.doubted === null && after.doubted !== null)
      log.warn(
        `The clock says ${iso(wall)}, but by how long the server has run it would be ${iso(after.seen)}. ` +
          `Unless the server was off meanwhile, put the clock right. Nothing is deleted by age until it has said so for ` +
          `${Math.abs(wall - after.seen) > LONG_GAP ? 'a week' : 'a day'} of running.`,
      );
    if (before.doubted !== null && after.doubted === null) {
      log.info(`Deletions by age go on, by the clock: ${iso(wall)}.`);
      storedAt = -Infinity;
    }
    return after;
  }

  return {
    /** The current time for deletions by age. */
    async now(): Promise<Date> {
      const { seen } = await observe();
      return new Date(Math.min(seen, clock().getTime()));
    },

    /** Whether the state has to be stored again. */
    async due(): Promise<boolean> {
      const { doubted } = await observe();
      return doubted !== null || ticks() - storedAt >= STORE_INTERVAL;
    },

    /** Stores the state, and records a clock that is ahead in the audit log of every firm with stored files. */
    async keep(): Promise<number> {
      const { seen, doubted, waited } = await observe();
      const ahead = doubted === null ? 0 : doubted - seen;
      recorded = await db.transaction(async (trx) => {
        const mustRecord = ahead > RECORDED_GAP && !recorded;
        if (mustRecord) {
          const firms: number[] = await trx('firm_usage').distinct('firm_id').pluck('firm_id');
          const detail = { name: `${Math.round(ahead / DAY)} days ahead` };
          for (const firmId of firms)
            await audit.record(trx, { firmId, did: 'document.clock_ahead', detail });
        }
        const isRecorded = doubted !== null && (recorded || mustRecord);
        const row: Row = {
          seen_at: iso(seen),
          doubted_at: doubted === null ? null : iso(doubted),
          waited: Math.round(waited),
          told: isRecorded ? 1 : 0,
        };
        if ((await trx('deletion_clock').update(row)) === 0) await trx('deletion_clock').insert(row);
        return isRecorded;
      });
      storedAt = ticks();
      return 1;
    },
  };
}
export type DeletionClock = ReturnType<typeof createDeletionClock>;
