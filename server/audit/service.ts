import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { deviceName } from '#server/http/browsers.ts';
import { currentRequest } from '#server/http/request-context.ts';
import type { Actor } from '#server/actor.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { writeBeforeCommit } from '#server/db/collected-writes.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { AuditEntry, AuditFilters, AuditPage, AuditQuery, NamedId } from './contract.ts';
import type { EntryContent } from './chain.ts';
import { createChain } from './chain.ts';
import type { Anchor, Proof } from './proof.ts';
import { REMOVAL_EVENT, anchorOf, hasAnchor, prove } from './proof.ts';
import type { Links } from './links.ts';
import { clientsOfItems, linkOlderEntries, linksOf, storeLinks } from './links.ts';
import { mayReadHistory } from './policy.ts';
import { historyCsv, sizedHistoryCsv } from './csv.ts';
import { peopleOf } from './find.ts';
import type { Latest } from './latest.ts';
import { detailsAbout, latestAbout, latestOfItems, touchedByUsers } from './latest.ts';
import { filtersInWords, page } from './read.ts';
import { createViewings, viewingTry } from './viewings.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import type { RateLimiter } from '#server/http/rate-limiter.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { Generated } from '#server/http/send.ts';

/** The browser or program that the actor used, in words. */
function browserOf({ actor }: AuditEntry, userAgent?: string): { browser?: string } {
  if (actor?.app) return { browser: `WebDAV, app password “${actor.app.name}”` };
  if (actor?.program) return { browser: `Almirah Uploader on ${actor.program.name}` };
  return userAgent === undefined ? {} : { browser: deviceName(userAgent) };
}

/** Called for every new entry, in its transaction. */
export type Announce = (trx: Knex.Transaction, entry: AuditEntry, links: Links) => void;

/**
 * The audit log: entries are only ever added, which the database enforces, and each carries a keyed hash over itself and
 * the previous one, which proves that none was changed or removed.
 */
export function createAudit({
  db,
  clock,
  seal,
  announce,
  deferred,
  limits,
}: {
  db: Knex;
  clock: Clock;
  /** Encrypts the key of the chain. */
  seal: Sealer;
  announce?: Announce;
  /** Holds entries back while the disk is full; without it, an entry that cannot be added is an error. */
  deferred?: Pick<DeferredWrites, 'write'>;
  /** Limits the viewings by shared links; without it, all are recorded. */
  limits?: Pick<RateLimiter, 'check'>;
}) {
  const requireAccess = (actor: Actor) => {
    if (!mayReadHistory(actor)) throw forbidden();
  };

  const viewings = createViewings(clock);
  const chain = createChain(seal, linkOlderEntries);

  async function addRows(
    trx: Knex.Transaction,
    rows: readonly { row: EntryContent; links: Links }[],
  ): Promise<void> {
    const ids = await chain.append(
      trx,
      rows.map(({ row }) => row),
    );
    await storeLinks(
      trx,
      rows.map(({ links }, index) => ({ event: ids[index]!, links })),
    );
  }

  async function add(trx: Knex.Transaction, row: EntryContent, entry: AuditEntry): Promise<void> {
    const links = await linksOf(trx, entry);
    await writeBeforeCommit(trx, addRows, { row, links });
    announce?.(trx, entry, links);
  }

  /** A visitor who discards the cookie of a link every time is a new one every time, and must not flood the history. */
  async function isWithinLimit({ actor }: AuditEntry): Promise<boolean> {
    const [linkId, ip] = [actor?.recipient?.linkId, currentRequest()?.ip];
    if (!limits || linkId === undefined || ip === undefined) return true;
    try {
      await limits.check(viewingTry(linkId, ip));
    } catch (error) {
      if (error instanceof AppError && error.status === 429) return false;
      // On a full disk nothing can be counted; the entry is held back and added later.
    }
    return true;
  }

  const rowOf = (entry: AuditEntry): EntryContent => {
    const request = currentRequest();
    const recipient = entry.actor?.recipient;
    return {
      firm_id: entry.actor?.firmId ?? entry.firmId ?? null,
      // What a recipient of a link does is not attributed to the user who shared it.
      user_id: recipient ? null : (entry.actor?.userId ?? entry.userId ?? null),
      did: entry.did,
      subject: entry.subject ?? null,
      detail: JSON.stringify({
        ...entry.detail,
        ...(recipient && { recipient: recipient.name, link: recipient.linkId, door: recipient.door }),
        ...browserOf(entry, request?.userAgent),
      }),
      ip: entry.ip ?? request?.ip ?? entry.actor?.ip ?? null,
      request_id: request?.requestId ?? null,
      at: clock().toISOString(),
    };
  };

  return {
    /** Adds entries of versions without a chain to the chain. Call before serving requests. */
    chainOlder: (): Promise<number> => db.transaction(chain.begin),

    /** Deletes entries by a rule, such as a retention period. A new entry names them and the rule, so that the proof holds. */
    async removeEntries(
      trx: Knex.Transaction,
      { actor, ids, reason }: { actor?: Actor; ids: readonly number[]; reason: string },
    ): Promise<void> {
      await chain.remove(trx, ids);
      await this.record(trx, { actor, did: REMOVAL_EVENT, detail: { entries: ids, reason } });
    },

    /** The time of the newest entry, ISO 8601; null if there is none. */
    async lastAt(): Promise<string | null> {
      const row = (await db('audit_events').orderBy('id', 'desc').first('at')) as { at: string } | undefined;
      return row?.at ?? null;
    },

    /** The present clients of these items, each once; null for no client. */
    async clientsOf(db: Knex, items: readonly number[]): Promise<(number | null)[]> {
      return [...new Set((await clientsOfItems(db, items)).values())].map((id) => id || null);
    },

    /** The latest of these events of an item or a client that the actor sees; null if there is none. */
    latest: (db: Knex, actor: Actor, about: Parameters<typeof latestAbout>[2]): Promise<Latest | null> =>
      latestAbout(db, actor, about),

    /** See `latestOfItems`. */
    latestOfItems: (
      db: Knex,
      actor: Actor,
      about: Parameters<typeof latestOfItems>[2],
    ): Promise<Map<number, Latest>> => latestOfItems(db, actor, about),

    /** See `touchedByUsers`; for the server itself, like `details`. */
    touched: touchedByUsers,

    /** See `detailsAbout`; for the server itself, which shows nothing of it to an actor who may not see it. */
    details: detailsAbout,

    /** Checks that no entry was changed or removed, and that those up to `anchor` are still there. */
    prove: (anchor: Anchor | null): Promise<Proof> => prove(db, chain, anchor),

    /** The present end of the chain, to be stored outside the database; null before the first entry. */
    anchor: (): Promise<Anchor | null> => anchorOf(db, chain, clock()),

    /** Whether the entry at the end of the chain of that time is still there. */
    hasAnchor: (anchor: Anchor): Promise<boolean> => hasAnchor(db, chain, anchor),

    /** The firm's entries that the actor sees, newest first. @throws {AppError} 403. */
    async list(actor: Actor, query: AuditQuery): Promise<AuditPage> {
      requireAccess(actor);
      return page(db, actor, query);
    },

    /** The users, including former ones, with entries that the actor sees, by name. @throws {AppError} 403. */
    async people(actor: Actor): Promise<NamedId[]> {
      requireAccess(actor);
      return peopleOf(db, actor);
    },

    /** All entries that the actor sees as CSV, generated while read, with its size in bytes. @throws {AppError} 403. */
    async csv(actor: Actor) {
      requireAccess(actor);
      return sizedHistoryCsv(db, actor);
    },

    /** The entries that match the filters as CSV; with `sending`, the export is recorded. @throws {AppError} 403. */
    async export(actor: Actor, filters: AuditFilters, { sending }: { sending: boolean }): Promise<Generated> {
      requireAccess(actor);
      const { item, client } = filters;
      const filterText = await filtersInWords(db, actor, filters);
      if (sending)
        await this.recordAlone({
          actor,
          did: 'export.history',
          detail: filterText === '' ? {} : { filters: filterText },
          concerns: {
            items: item === undefined ? [] : [item],
            ...(client !== undefined && { clients: [client] }),
          },
        });
      const name = `history-${dayInIndia(clock())}.csv`;
      const open = () => historyCsv(db, actor, filters);
      return { name, type: 'text/csv; charset=utf-8', size: null, open };
    },

    /** Adds an entry in the transaction of the recorded change, with the address and id of the current request. */
    record: (trx: Knex.Transaction, entry: AuditEntry): Promise<void> => add(trx, rowOf(entry), entry),

    /** Adds an entry for an action without a change, such as a download; later on a full disk, which must not prevent reading. */
    async recordAlone(entry: AuditEntry): Promise<void> {
      const row = rowOf(entry);
      const write = () => db.transaction((trx) => add(trx, row, entry));
      const takeBack = viewings.begin(entry);
      try {
        await (deferred ? deferred.write(write) : write());
      } catch (error) {
        takeBack();
        throw error;
      }
    },

    /**
     * Adds an entry for the content of a file that a user sees, in whatever way it is shown: once while they look at it.
     * Recipients of a shared link who exceed its limit are shown the content without an entry.
     * @returns whether it was added.
     */
    async recordViewing(entry: Omit<AuditEntry, 'did'>): Promise<boolean> {
      const { detail = {} } = entry;
      const viewing = { ...entry, did: 'document.download', detail: { ...detail, inline: true } } as const;
      if (viewings.inProgress(viewing)) return false;
      // Begun before the limit is asked, so that requests at the same time are one viewing.
      const takeBack = viewings.begin(viewing);
      if (!(await isWithinLimit(viewing))) {
        takeBack();
        return false;
      }
      await this.recordAlone(viewing);
      return true;
    },
  };
}
export type Audit = ReturnType<typeof createAudit>;
