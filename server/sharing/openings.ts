import { AppError } from '#server/http/errors.ts';
import type { Try } from '#server/http/rate-limiter.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { deviceName } from '#server/http/browsers.ts';
import { createMemoryDeduplicator } from '#server/links/deduplicator.ts';
import { networkName } from '#server/http/network-name.ts';
import { dayInIndia, momentInWords } from '#server/text/day-in-india.ts';
import { openedEmail } from './emails.ts';
import { openTries } from './limits.ts';
import type { SharingDependencies } from './dependencies.ts';
import { titleOf } from './title.ts';
import type { AdmittedVisitor } from './visitors.ts';

/** Actions of one browser within this time belong to one opening. */
export const OPENING_MS = 30 * 60_000;
/** The maximum number of remembered browsers. */
const MAX_BROWSERS = 10_000;

/**
 * Records an opening when a visitor acts on the link, not when the page is fetched: chats and mail filters fetch
 * every address that passes through them.
 */
export function createOpenings(dependencies: SharingDependencies) {
  const { db, clock, audit, mail } = dependencies;
  /** Recognises the first action of a browser by its visitor id. */
  const { isFirst } = dependencies.once ?? createMemoryDeduplicator(clock, OPENING_MS, MAX_BROWSERS);

  async function withinLimit(tries: Try[]): Promise<boolean> {
    try {
      await dependencies.limits.check(...tries);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.status === 429) return false;
      throw error;
    }
  }

  return async function opened({ actor, link, tops, email, firm, from }: AdmittedVisitor): Promise<void> {
    const { recipient } = actor;
    if (!(await isFirst(recipient.visitor))) return;
    const place = currentRequest()?.ip;
    // A visitor who discards the cookie every time must not flood the history; the link stays open to them.
    if (place !== undefined && !(await withinLimit(openTries(link.id, place)))) return;
    const now = clock();
    const day = dayInIndia(now);
    const request = currentRequest();
    const title = titleOf(tops);
    const subject = tops.length === 1 ? { subject: `item:${tops[0]!.id}` } : {};
    await db.transaction(async (trx) => {
      const last = {
        last_opened_at: now.toISOString(),
        last_opened_ip: request?.ip ?? null,
        last_opened_by: email,
      };
      await trx('share_links').where({ id: link.id }).increment('opened', 1).update(last);
      if (email !== null)
        await trx('share_recipients')
          .where({ link_id: link.id, email })
          .update({ last_opened_at: now.toISOString() });
      const names = tops.slice(0, 3).map(({ name }) => name);
      const detail = { ids: tops.slice(0, 100).map(({ id }) => id), names, chosen: tops.length };
      await audit.record(trx, { actor, did: 'share.open', ...subject, detail });
      if (link.notify !== 1) return;
      const notified =
        email === null
          ? trx('share_links').where({ id: link.id })
          : trx('share_recipients').where({ link_id: link.id, email });
      const first = await notified
        .where((of) => of.whereNull('told_on').orWhereNot('told_on', day))
        .update({ told_on: day });
      if (first === 0) return;
      const who = email ?? 'Somebody';
      const facts: [string, string][] = [
        ['When', momentInWords(now)],
        ...(request ? ([['From', networkName(request.ip)]] as [string, string][]) : []),
        ...(request?.userAgent ? ([['Browser', deviceName(request.userAgent)]] as [string, string][]) : []),
      ];
      const url = `${dependencies.baseUrl}/shared`;
      await mail.send(trx, openedEmail({ firm, firmId: link.firm_id, to: from, who, title, facts, url }));
    });
  };
}
