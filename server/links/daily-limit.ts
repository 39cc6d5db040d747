import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import type { Mail } from '#server/mail/service.ts';
import { IST_OFFSET_MS, dayInIndia } from '#server/text/day-in-india.ts';
import { downloadRefusedEmail, limitReachedEmail } from './limit-email.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Counts are kept for three days, so that setting the server's clock back by a day does not reset them. */
const DAYS_KEPT = 3;

const msUntilMidnight = (now: Date): number => DAY_MS - ((now.getTime() + IST_OFFSET_MS) % DAY_MS);
const DAY_AND_MONTH = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Kolkata',
  day: 'numeric',
  month: 'long',
});

/** Subject and details of the history entry for a refused download. */
export type About = Pick<AuditEntry, 'subject' | 'detail'>;

interface DailyLimitDependencies {
  db: Knex;
  clock: Clock;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  mail: Pick<Mail, 'send'>;
  settings: { appName: string; baseUrl: string };
}

/**
 * The number of files that a user may download per day (India time), if an admin has set a limit. A ZIP counts as the
 * files in it; a preview does not count. The counts are in the database, so a restart does not reset them. Nothing is
 * counted for users without a limit.
 */
export function createDailyLimit({ db, clock, audit, mail, settings }: DailyLimitDependencies) {
  async function used(within: Knex, userId: number, day: string): Promise<number> {
    const sum = await within('counted_downloads').where({ user_id: userId, day }).sum({ n: 'files' }).first();
    return Number(sum?.n ?? 0);
  }

  function limitError(limit: number, before: number, files: number, now: Date): AppError {
    const next = DAY_AND_MONTH.format(new Date(now.getTime() + msUntilMidnight(now)));
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
        retryAfter: Math.ceil(msUntilMidnight(now) / 1000),
      },
    );
  }

  /** Records the refusal, and informs the admins once a day. @returns the error to throw. */
  async function refuse(actor: Actor, limit: number, before: number, files: number, about: About) {
    const detail = { ...about.detail, files, downloaded: before, limit };
    await audit.recordAlone({ actor, did: 'document.download_refused', subject: about.subject, detail });
    // At or over the limit the admins already got the e-mail that `warn` sends.
    if (before < limit)
      await db.transaction(async (trx) => {
        if (!(await isFirst(trx, actor, 'refused'))) return;
        const { facts, admins } = await factsFor(trx, actor, limit);
        for (const admin of admins)
          await mail.send(trx, downloadRefusedEmail({ ...facts, admin, files, downloaded: before }));
      });
    return limitError(limit, before, files, clock());
  }

  /** Whether this is today's first such event of the user; marks it in `counted_downloads`. */
  async function isFirst(trx: Knex.Transaction, actor: Actor, what: 'warned' | 'refused'): Promise<boolean> {
    const day = dayInIndia(clock());
    const mark = { user_id: actor.userId, ref: `${what} ${day}`, day, files: 0 };
    const inserted = await trx('counted_downloads').insert(mark).onConflict().ignore().returning('user_id');
    return inserted.length > 0;
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

  /** E-mails the admins that the user has reached the limit, once a day. */
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
     * Call before creating a link: an error in the page is better than a failed download.
     * @param files counts the files of the download; called only for users with a limit.
     * @throws {AppError} 429 `download_limit`.
     */
    async requireLeft(
      actor: Actor,
      about: About,
      files: () => Promise<number> = async () => 1,
    ): Promise<void> {
      const limit = actor.dailyDownloads;
      if (limit === null) return;
      const before = await used(db, actor.userId, dayInIndia(clock()));
      const wanted = before >= limit ? 1 : await files();
      if (before + wanted > limit) throw await refuse(actor, limit, before, wanted, about);
    },

    /**
     * Counts a download before its first byte is sent, so that parallel downloads cannot exceed the limit together.
     * @param download the token of the link and what it gives; the same counts once.
     * @throws {AppError} 429 `download_limit`: the caller must send nothing.
     */
    async count(actor: Actor, download: string, about: About, files = 1): Promise<void> {
      const limit = actor.dailyDownloads;
      if (limit === null || files === 0) return;
      const day = dayInIndia(clock());
      const ref = createHash('sha256').update(download).digest('base64url');
      const before = await db.transaction(async (trx) => {
        // Locks the user's row: concurrent downloads of one user are counted one after another.
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

    /** Files downloaded today, by user id; users without a limit are not counted. */
    async today(firmId: number): Promise<Map<number, number>> {
      const rows: { user_id: number; n: number }[] = await db('counted_downloads')
        .where({ day: dayInIndia(clock()) })
        .whereIn('user_id', db('users').where({ firm_id: firmId }).select('id'))
        .groupBy('user_id')
        .select('user_id')
        .sum({ n: 'files' });
      return new Map(rows.map(({ user_id, n }) => [user_id, Number(n)]));
    },

    /** Deletes the counts of earlier days. */
    sweep: (): Promise<number> =>
      db('counted_downloads')
        .where('day', '<', dayInIndia(new Date(clock().getTime() - DAYS_KEPT * DAY_MS)))
        .delete(),
  };
}
export type DailyLimit = ReturnType<typeof createDailyLimit>;
