import type { Knex } from 'knex';
import { CLOCKS_DIFFER_MS } from '#server/clock.ts';
import { IST_OFFSET_MS, dayInIndia } from '#server/text/day-in-india.ts';
import type { DerivedTokens } from '#server/links/derived-tokens.ts';
import { digestEmail, reminderEmail } from './emails.ts';
import type { RequestFacts } from './doors.ts';
import { factsOf } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf, isArriving } from './model.ts';
import type { RequestsDependencies } from './dependencies.ts';
import { takeNews } from './news.ts';
import { mayAsk } from './policy.ts';
import type { Returns } from './returns.ts';
import { visibleRequests } from './views.ts';

const DAY_MS = 24 * 60 * 60_000;
/** News within this time goes into one e-mail. */
const DIGEST_DELAY_MS = 30 * 60_000;
/** Hours in India: nobody gets e-mail at night. */
const FROM_HOUR = 9;
const UNTIL_HOUR = 20;
/** The maximum number of reminders after the due date: an eleventh would not help. */
const MAX_REMINDERS_AFTER = 10;
const MAX_DIGESTS = 200;

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

type Plan = Pick<RequestFacts, 'due_on' | 'remind_before' | 'remind_on' | 'remind_after'>;

/** The latest planned reminder date up to `today`; null without one. */
function lastPlannedDay(
  { due_on, remind_before, remind_on, remind_after }: Plan,
  today: string,
): string | null {
  if (due_on === null) return null;
  const days = [
    ...(remind_before === null ? [] : [addDays(due_on, -remind_before)]),
    ...(remind_on === 1 ? [due_on] : []),
    ...(remind_after === null
      ? []
      : Array.from({ length: MAX_REMINDERS_AFTER }, (_, n) => addDays(due_on, remind_after * (n + 1)))),
  ];
  return days.filter((day) => day <= today).at(-1) ?? null;
}

/** Reminds clients of missing documents, and notifies the office of received ones. */
export function createReminders(
  dependencies: RequestsDependencies,
  tokens: DerivedTokens,
  returns: Pick<Returns, 'take'>,
) {
  const { db, clock, mail, audit, collecting } = dependencies;

  /** Sends a reminder. @returns false when nothing is missing. */
  async function remind(trx: Knex.Transaction, of: RequestFacts): Promise<boolean> {
    const missing: RowRecord[] = await trx('request_rows')
      .where({ request_id: of.id })
      .whereIn('state', ['wanted', 'returned'])
      .orderBy(['position', 'id']);
    const arrivals = await collecting.arrivals(trx, doorOf(of.id));
    const rows = missing.filter((row) => !isArriving(row, arrivals));
    if (rows.length === 0 || of.email === '') return false;
    const today = dayInIndia(clock());
    const url = `${dependencies.baseUrl}/r/${await tokens.current(trx, of)}`;
    const late = of.due_on !== null && of.due_on < today;
    // What was sent back is told with it, and not once more by itself.
    const untold = await returns.take(trx, of);
    await mail.send(trx, reminderEmail(of, { url, rows: rows.map(({ name }) => name), late, untold }));
    await trx('requests')
      .where({ id: of.id })
      .increment('reminders', 1)
      .update({ reminded_on: today, reminded_at: clock().toISOString() });
    return true;
  }

  const remindable = (db: Knex, today: string) =>
    factsOf(db)
      .whereNull('r.closed_at')
      .whereNull('r.completed_at')
      .whereNot('r.email', '')
      .whereNotNull('r.due_on')
      // Skip clients who have declared everything sent, until the office asks again.
      .whereNull('r.done_at')
      .where((of) => of.whereNull('r.reminded_on').orWhere('r.reminded_on', '<', today));

  const isDue = (of: RequestFacts, today: string): boolean => {
    const day = lastPlannedDay(of, today);
    return day !== null && day > (of.reminded_on ?? dayInIndia(new Date(Date.parse(of.created_at))));
  };

  return {
    remind,

    /**
     * Sends the reminders of the day; reminders missed while the server was off or had no e-mail are sent once.
     * @returns their number.
     */
    async sendDue(): Promise<number> {
      if (!mail.sends) return 0;
      const hour = new Date(clock().getTime() + IST_OFFSET_MS).getUTCHours();
      if (hour < FROM_HOUR || hour >= UNTIL_HOUR) return 0;
      const today = dayInIndia(clock());
      const all: RequestFacts[] = await remindable(db, today);
      let sent = 0;
      for (const { id, firm_id } of all.filter((of) => isDue(of, today))) {
        if (!(await dependencies.sharingOn(db, firm_id))) continue;
        const isSent = await db.transaction(async (trx) => {
          // Read again: it may have been closed or changed since the list was read.
          const of: RequestFacts | undefined = await remindable(trx, today).where('r.id', id).first();
          if (!of || !isDue(of, today) || !(await remind(trx, of))) return false;
          const detail = { request: of.id, name: of.title, by_itself: true };
          await audit.record(trx, {
            firmId: of.firm_id,
            did: 'request.remind',
            subject: `client:${of.client_id}`,
            detail,
          });
          return true;
        });
        if (isSent) sent += 1;
      }
      return sent;
    },

    /** Sends each requester one e-mail with all news since the last one. @returns the number of requesters. */
    async notifyOffice(): Promise<number> {
      const now = clock().getTime();
      const at = (ms: number) => new Date(now + ms).toISOString();
      const due: { made_by: number }[] = await db('requests')
        .where('news_at', '<=', at(-DIGEST_DELAY_MS))
        // From before the clock was set back: what comes now is earlier than these, and would not be counted with them.
        .orWhere('news_at', '>', at(CLOCKS_DIFFER_MS))
        .distinct('made_by')
        .limit(MAX_DIGESTS);
      for (const { made_by } of due) await sendDigests(made_by);
      return due.length;
    },
  };

  async function sendDigests(made_by: number): Promise<void> {
    const maker = await dependencies.actorOf(made_by);
    await db.transaction(async (trx) => {
      const since = await takeNews(trx, made_by);
      const all: RequestFacts[] = await factsOf(trx)
        .whereIn('r.id', [...since.keys()])
        .orderBy('r.id');
      const sees =
        maker && mayAsk(maker)
          ? await visibleRequests(trx, maker).whereIn(
              'r.id',
              all.map(({ id }) => id),
            )
          : [];
      const seen = new Set(sees.map(({ id }: RequestFacts) => id));
      const visible = all.filter(({ id }) => seen.has(id));
      await digest(
        trx,
        visible,
        since,
        visible[0] && { name: visible[0].from_name, email: visible[0].from_email },
      );
      // An admin gets the news of requesters who have left the firm or no longer see the client.
      const others = all.filter(({ id }) => !seen.has(id));
      if (others.length > 0)
        await digest(
          trx,
          others,
          since,
          await trx('users')
            .where({ firm_id: others[0]!.firm_id, role: 'admin', deactivated_at: null })
            .orderBy('id')
            .first('name', 'email'),
        );
    });
  }

  async function digest(
    trx: Knex.Transaction,
    all: readonly RequestFacts[],
    news: ReadonlyMap<number, string>,
    to: { name: string; email: string } | undefined,
  ): Promise<void> {
    const lines: [string, string][] = [];
    for (const of of all) {
      const since = news.get(of.id)!;
      // A file comes into the drive some time after its arrival: after its virus scan, or with the last photo of its document.
      const files = (await collecting.arrivals(trx, doorOf(of.id))).filter(
        ({ filed_at }) => filed_at !== null && filed_at >= since,
      ).length;
      const without: RowRecord[] = await trx('request_rows')
        .where({ request_id: of.id, state: 'unavailable' })
        .where('updated_at', '>=', since);
      const missing = await trx('request_rows')
        .where({ request_id: of.id })
        .whereIn('state', ['wanted', 'returned'])
        .first('id');
      const parts = [
        ...(files > 0 ? [`${files} ${files === 1 ? 'file' : 'files'}`] : []),
        ...without.map(({ name, reason }) => `does not have "${name}"${reason ? `: ${reason}` : ''}`),
        ...(missing ? [] : ['nothing is missing any more']),
        ...(missing && of.done_at !== null && of.done_at >= since ? ['says that everything is sent'] : []),
      ];
      if (parts.length > 0) lines.push([`${of.client}, ${of.title}`, parts.join('; ')]);
    }
    const [first] = all;
    if (first && to && lines.length > 0)
      await mail.send(
        trx,
        digestEmail({ to, firm: first.firm, firmId: first.firm_id, lines, baseUrl: dependencies.baseUrl }),
      );
  }
}
export type Reminders = ReturnType<typeof createReminders>;
