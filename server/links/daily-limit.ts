import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import type { Mail } from '#server/mail/service.ts';
import { dayInIndia as dayOf } from '#server/text/day-in-india.ts';
import { downloadRefusedEmail, limitReachedEmail } from './limit-email.ts';

const IN_INDIA = 330 * 60_000;
const DAY = 24 * 60 * 60_000;
/** Days for which counts are kept: that of a clock which was set back is not forgotten. */
const KEPT = 3;

const untilMidnight = (now: Date): number => DAY - ((now.getTime() + IN_INDIA) % DAY);
const NIGHT = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'long' });

/** What is about to be sent, for the history. */
export type About = Pick<AuditEntry, 'subject' | 'detail'>;

export interface DailyLimitParts {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  mail: Pick<Mail, 'send'>;
  settings: { appName: string; baseUrl: string };
}

/**
 * How many files a person downloads in a day of India, where an admin has set a limit: a ZIP counts as the files in it,
 * a preview not at all. Counted in the database, so that a restart forgives nothing; of one without a limit, nothing is.
 */
export function createDailyLimit({ db, clock, audit, mail, settings }: DailyLimitParts) {
  async function used(within: Knex, userId: number, day: string): Promise<number> {
    const sum = await within('counted_downloads').where({ user_id: userId, day }).sum({ n: 'files' }).first();
    return Number(sum?.n ?? 0);
  }

  function refusal(limit: number, before: number, files: number, now: Date): AppError {
    const next = NIGHT.format(new Date(now.getTime() + untilMidnight(now)));
    const ends = `The limit begins anew at midnight, when ${next} begins (India time).`;
    const left = limit - before;
    const why =
      left <= 0
        ? `You have downloaded ${before} ${before === 1 ? 'file' : 'files'} today, and your limit is ${limit} a day.`
        : `These are ${files} files, and you can download ${left} more today: your limit is ${limit} a day.`;
    return new AppError(
      429,
      'download_limit',
      `${why} ${ends} If you need more now, ask an admin of your firm.`,
      {
        retryAfter: Math.ceil(untilMidnight(now) / 1000),
      },
    );
  }

  async function refuse(actor: Actor, limit: number, before: number, files: number, about: About) {
    const detail = { ...about.detail, files, downloaded: before, limit };
    await audit.recordAlone({ actor, did: 'document.download_refused', subject: about.subject, detail });
    // Of a limit that is reached the admins know already.
    if (before < limit)
      await db.transaction(async (trx) => {
        if (!(await isFirst(trx, actor, 'refused'))) return;
        const { facts, admins } = await factsFor(trx, actor, limit);
        for (const admin of admins)
          await mail.send(trx, downloadRefusedEmail({ ...facts, admin, files, downloaded: before }));
      });
    return refusal(limit, before, files, clock());
  }

  /** Whether the admins have not been told such a thing of a person today; from now on they have. */
  async function isFirst(trx: Knex.Transaction, actor: Actor, what: 'warned' | 'refused'): Promise<boolean> {
    const day = dayOf(clock());
    const mark = { user_id: actor.userId, ref: `${what} ${day}`, day, files: 0 };
    const made = await trx('counted_downloads').insert(mark).onConflict().ignore().returning('user_id');
    return made.length > 0;
  }

  async function factsFor(trx: Knex.Transaction, actor: Actor, limit: number) {
    const person = await trx('users').where({ id: actor.userId }).first('name');
    const firm = await trx('firms').where({ id: actor.firmId }).first('name');
    const admins: { name: string; email: string }[] = await trx('users')
      .where({ firm_id: actor.firmId, role: 'admin', deactivated_at: null })
      .select('name', 'email');
    const facts = {
      ...settings,
      person: person.name as string,
      firm: firm.name as string,
      firmId: actor.firmId,
      limit,
    };
    return { facts, admins };
  }

  /** Tells the admins that the limit is reached, once for a person and day. */
  async function warn(trx: Knex.Transaction, actor: Actor, limit: number): Promise<void> {
    if (!(await isFirst(trx, actor, 'warned'))) return;
    const { facts, admins } = await factsFor(trx, actor, limit);
    for (const admin of admins) await mail.send(trx, limitReachedEmail({ ...facts, admin }));
    const subject = `user:${actor.userId}`;
    await audit.record(trx, {
      actor,
      did: 'team.download_limit',
      subject,
      detail: { name: facts.person, limit },
    });
  }

  return {
    /**
     * To be asked before a link is given: better said there than by a download that fails.
     * @param files how many there are in it; asked only where there is a limit.
     * @throws {AppError} 429 `download_limit`.
     */
    async demand(actor: Actor, about: About, files: () => Promise<number> = async () => 1): Promise<void> {
      const limit = actor.dailyDownloads;
      if (limit === null) return;
      const before = await used(db, actor.userId, dayOf(clock()));
      const wanted = before >= limit ? 1 : await files();
      if (before + wanted > limit) throw await refuse(actor, limit, before, wanted, about);
    },

    /**
     * Counts what is about to be sent, before its first byte, so that many at once cannot slip past together.
     * @param link what is sent by the same one counts once.
     * @throws {AppError} 429 `download_limit`: then nothing may be sent.
     */
    async count(actor: Actor, link: string, about: About, files = 1): Promise<void> {
      const limit = actor.dailyDownloads;
      if (limit === null || files === 0) return;
      const day = dayOf(clock());
      const ref = createHash('sha256').update(link).digest('base64url');
      const before = await db.transaction(async (trx) => {
        // What one person downloads is counted one by one.
        await trx('users').where({ id: actor.userId }).forUpdate().first('id');
        if (await trx('counted_downloads').where({ user_id: actor.userId, ref }).first('ref')) return null;
        const sum = await used(trx, actor.userId, day);
        if (sum + files > limit) return sum;
        await trx('counted_downloads').insert({ user_id: actor.userId, ref, day, files });
        if (sum + files === limit) await warn(trx, actor, limit);
        return null;
      });
      if (before !== null) throw await refuse(actor, limit, before, files, about);
    },

    /** Files that people of the firm have downloaded today, by user; of those without a limit it is not known. */
    async today(firmId: number): Promise<Map<number, number>> {
      const rows: { user_id: number; n: number }[] = await db('counted_downloads')
        .where({ day: dayOf(clock()) })
        .whereIn('user_id', db('users').where({ firm_id: firmId }).select('id'))
        .groupBy('user_id')
        .select('user_id')
        .sum({ n: 'files' });
      return new Map(rows.map(({ user_id, n }) => [user_id, Number(n)]));
    },

    /** Forgets the days before. */
    sweep: (): Promise<number> =>
      db('counted_downloads')
        .where('day', '<', dayOf(new Date(clock().getTime() - KEPT * DAY)))
        .delete(),
  };
}
export type DailyLimit = ReturnType<typeof createDailyLimit>;
