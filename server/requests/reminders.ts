import type { Knex } from 'knex';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { digestEmail, reminderEmail } from './emails.ts';
import type { Facts } from './doors.ts';
import { factsOf } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf } from './model.ts';
import type { RequestsParts } from './parts.ts';
import { mayAsk } from './policy.ts';
import type { Tokens } from './tokens.ts';
import { visibleRequests } from './views.ts';

const DAY = 24 * 60 * 60_000;
/** What comes within this time is told in one e-mail. */
const DIGEST_AFTER = 30 * 60_000;
/** In India; nobody is written to at night. */
const FROM_HOUR = 9;
const UNTIL_HOUR = 20;
/** Reminders after the due day, at most: who has not answered ten is not reminded by an eleventh. */
const AFTER_MAX = 10;
const AT_ONCE = 200;

const plus = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

type Plan = Pick<Facts, 'due_on' | 'remind_before' | 'remind_on' | 'remind_after'>;

/** The last day up to `today` on which the plan has a reminder; null where it has none. */
function lastPlanned({ due_on, remind_before, remind_on, remind_after }: Plan, today: string): string | null {
  if (due_on === null) return null;
  const days = [
    ...(remind_before === null ? [] : [plus(due_on, -remind_before)]),
    ...(remind_on === 1 ? [due_on] : []),
    ...(remind_after === null
      ? []
      : Array.from({ length: AFTER_MAX }, (_, n) => plus(due_on, remind_after * (n + 1)))),
  ];
  return days.filter((day) => day <= today).at(-1) ?? null;
}

/** Reminds clients of what is missing, and tells the office what has come. */
export function createReminders(parts: RequestsParts, tokens: Tokens) {
  const { db, clock, mail, audit, collecting } = parts;

  /** @returns false when nothing is missing. */
  async function remind(trx: Knex.Transaction, of: Facts): Promise<boolean> {
    const rows: RowRecord[] = await trx('request_rows')
      .where({ request_id: of.id })
      .whereIn('state', ['wanted', 'returned'])
      .orderBy(['position', 'id']);
    if (rows.length === 0 || of.email === '') return false;
    const today = dayInIndia(clock());
    const url = `${parts.baseUrl}/r/${await tokens.of(trx, of)}`;
    const late = of.due_on !== null && of.due_on < today;
    await mail.send(trx, reminderEmail(of, { url, rows: rows.map(({ name }) => name), late }));
    await trx('requests')
      .where({ id: of.id })
      .increment('reminders', 1)
      .update({ reminded_on: today, reminded_at: clock().toISOString() });
    return true;
  }

  const open = () => factsOf(db).whereNull('r.closed_at').whereNull('r.completed_at');

  return {
    remind,

    /** Sends the reminders of the day; one that was missed, as the server was off, is sent once. @returns how many. */
    async sendDue(): Promise<number> {
      const hour = new Date(clock().getTime() + 330 * 60_000).getUTCHours();
      if (hour < FROM_HOUR || hour >= UNTIL_HOUR) return 0;
      const today = dayInIndia(clock());
      const all: Facts[] = await open()
        .whereNot('r.email', '')
        .whereNotNull('r.due_on')
        // Who has said that this is all is not reminded, until the office asks again.
        .whereNull('r.done_at')
        .where((of) => of.whereNull('r.reminded_on').orWhere('r.reminded_on', '<', today));
      let sent = 0;
      for (const of of all) {
        const day = lastPlanned(of, today);
        const since = of.reminded_on ?? dayInIndia(new Date(Date.parse(of.created_at)));
        if (day === null || day <= since || !(await parts.sharingOn(db, of.firm_id))) continue;
        await db.transaction(async (trx) => {
          if (!(await remind(trx, of))) return;
          sent += 1;
          const detail = { request: of.id, name: of.title, by_itself: true };
          await audit.record(trx, {
            firmId: of.firm_id,
            did: 'request.remind',
            subject: `client:${of.client_id}`,
            detail,
          });
        });
      }
      return sent;
    },

    /** One e-mail to each person who has asked, of all that has come since the last one. @returns how many e-mails. */
    async tell(): Promise<number> {
      const before = new Date(clock().getTime() - DIGEST_AFTER).toISOString();
      const ripe: { made_by: number }[] = await db('requests')
        .where('news_at', '<=', before)
        .distinct('made_by')
        .limit(AT_ONCE);
      for (const { made_by } of ripe) await tellOne(made_by);
      return ripe.length;
    },
  };

  async function tellOne(made_by: number): Promise<void> {
    const maker = await parts.actorOf(made_by);
    await db.transaction(async (trx) => {
      const all: Facts[] = await factsOf(trx)
        .where('r.made_by', made_by)
        .whereNotNull('r.news_at')
        .orderBy('r.id');
      await trx('requests').where({ made_by }).whereNotNull('news_at').update({ news_at: null });
      const sees =
        maker && mayAsk(maker)
          ? await visibleRequests(trx, maker).whereIn(
              'r.id',
              all.map(({ id }) => id),
            )
          : [];
      const seen = new Set(sees.map(({ id }: Facts) => id));
      const own = all.filter(({ id }) => seen.has(id));
      await digest(trx, own, own[0] && { name: own[0].from_name, email: own[0].from_email });
      // Of one who has left the firm or does not see the client any more, an admin is told.
      const others = all.filter(({ id }) => !seen.has(id));
      if (others.length > 0)
        await digest(
          trx,
          others,
          await trx('users')
            .where({ firm_id: others[0]!.firm_id, role: 'admin', deactivated_at: null })
            .orderBy('id')
            .first('name', 'email'),
        );
    });
  }

  async function digest(
    trx: Knex.Transaction,
    all: readonly Facts[],
    to: { name: string; email: string } | undefined,
  ): Promise<void> {
    const lines: [string, string][] = [];
    for (const of of all) {
      const since = of.news_at!;
      const files = (await collecting.arrivals(trx, doorOf(of.id))).filter(
        (one) => one.created_at >= since,
      ).length;
      const without: RowRecord[] = await trx('request_rows')
        .where({ request_id: of.id, state: 'unavailable' })
        .where('updated_at', '>=', since);
      const missing = await trx('request_rows')
        .where({ request_id: of.id })
        .whereIn('state', ['wanted', 'returned'])
        .first('id');
      const said = [
        ...(files > 0 ? [`${files} ${files === 1 ? 'file' : 'files'}`] : []),
        ...without.map(({ name, reason }) => `does not have "${name}"${reason ? `: ${reason}` : ''}`),
        ...(missing ? [] : ['nothing is missing any more']),
        ...(missing && of.done_at !== null && of.done_at >= since ? ['says that everything is sent'] : []),
      ];
      if (said.length > 0) lines.push([`${of.client}, ${of.title}`, said.join('; ')]);
    }
    const [first] = all;
    if (first && to && lines.length > 0)
      await mail.send(
        trx,
        digestEmail({ to, firm: first.firm, firmId: first.firm_id, lines, baseUrl: parts.baseUrl }),
      );
  }
}
export type Reminders = ReturnType<typeof createReminders>;
