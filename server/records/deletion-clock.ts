import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Audit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** A night off, a weekday's holiday, a clock that is put right: such a difference is taken over at once. */
const STEP = DAY;
/** A server may well be off for a holiday or a move; for longer, a wrong clock is likelier. */
const LONG = 45 * DAY;
const WAIT = DAY;
const LONG_WAIT = 7 * DAY;
/** A long weekend is not worth telling of. */
const TOLD_FROM = 7 * DAY;
/** How old the row may get; what a crash forgets of it is less than a step. */
const KEPT_EVERY = 6 * HOUR;

/** Times in ms. */
export interface Passed {
  /** Up to when time is known to have passed. */
  seen: number;
  /** What the machine's clock says instead; null while it agrees to a day. */
  doubted: number | null;
  /** For how long the server has run since it does not. */
  waited: number;
}

/**
 * What is known once the server has run for `ran` ms more and the machine's clock says `wall`. A difference that stands
 * while the server runs for a day, for a week if it is over 45 days, is believed: nobody has put the clock right.
 */
export function goOn({ seen, doubted, waited }: Passed, wall: number, ran: number): Passed {
  const expected = seen + ran;
  const gap = Math.abs(wall - expected);
  const agreed: Passed = { seen: wall, doubted: null, waited: 0 };
  if (gap <= STEP) return agreed;
  const stands = doubted !== null && Math.abs(wall - (doubted + ran)) <= STEP;
  const now = stands ? waited + ran : 0;
  if (now >= (gap > LONG ? LONG_WAIT : WAIT)) return agreed;
  return { seen: expected, doubted: wall, waited: now };
}

interface Row {
  seen_at: string;
  doubted_at: string | null;
  waited: number;
  told: number;
}

const iso = (time: number): string => new Date(time).toISOString();

/**
 * The time by which the server deletes what is old: Trash, earlier versions, what has run out under a retention rule,
 * bytes without a file. The machine's clock alone would not do. One that is a year ahead when the machine starts, with
 * an empty battery or a wrong setting, would empty Trash within a minute, and putting it right brings nothing back. So
 * what counts is the time for which the server has run, by the machine's monotonic clock, from what it knew last; it is
 * kept in a row. What the machine's clock says beyond that is believed at once up to a day, and otherwise only after
 * the server has run for a while and the clock still says so. To delete some days late, after the server was really off,
 * costs nothing but room; to delete early cannot be mended. It never goes beyond the machine's clock.
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
  /** Ms that have passed since some moment, by a clock that nobody sets. */
  ticks: () => number;
  audit: Pick<Audit, 'record' | 'lastAt'>;
  log: Pick<Logger, 'info' | 'warn'>;
}) {
  let last = ticks();
  const begun = clock().getTime();
  let known: Passed | undefined;
  /** When the row was written, by `ticks`. */
  let kept = -Infinity;
  let told = false;
  let loading: Promise<Passed> | undefined;

  /** Before the first row the newest entry of the history says up to when time has passed; a new vault has none. */
  async function load(): Promise<Passed> {
    const row = (await db('deletion_clock').first()) as Row | undefined;
    told = row?.told === 1;
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
          `${Math.abs(wall - after.seen) > LONG ? 'a week' : 'a day'} of running.`,
      );
    if (before.doubted !== null && after.doubted === null) {
      log.info(`Deletions by age go on, by the clock: ${iso(wall)}.`);
      kept = -Infinity;
    }
    return after;
  }

  return {
    /** The time by which what is old may be deleted. */
    async now(): Promise<Date> {
      const { seen } = await observe();
      return new Date(Math.min(seen, clock().getTime()));
    },

    /** Whether what is known has to be kept again. */
    async due(): Promise<boolean> {
      const { doubted } = await observe();
      return doubted !== null || ticks() - kept >= KEPT_EVERY;
    },

    /** Keeps what is known, and tells firms that have something stored of a clock that went ahead. */
    async keep(): Promise<number> {
      const { seen, doubted, waited } = await observe();
      const ahead = doubted === null ? 0 : doubted - seen;
      told = await db.transaction(async (trx) => {
        const tell = ahead > TOLD_FROM && !told;
        if (tell) {
          const firms: number[] = await trx('storage_usage').distinct('firm_id').pluck('firm_id');
          const detail = { name: `${Math.round(ahead / DAY)} days ahead` };
          for (const firmId of firms)
            await audit.record(trx, { firmId, did: 'document.clock_ahead', detail });
        }
        const knows = doubted !== null && (told || tell);
        const row: Row = {
          seen_at: iso(seen),
          doubted_at: doubted === null ? null : iso(doubted),
          waited: Math.round(waited),
          told: knows ? 1 : 0,
        };
        if ((await trx('deletion_clock').update(row)) === 0) await trx('deletion_clock').insert(row);
        return knows;
      });
      kept = ticks();
      return 1;
    },
  };
}
export type DeletionClock = ReturnType<typeof createDeletionClock>;
