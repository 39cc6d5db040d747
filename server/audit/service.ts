import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { deviceName } from '#server/http/browsers.ts';
import { currentScope } from '#server/http/scope.ts';
import type { Actor } from '#server/actor.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { AuditEntry, AuditFilters, AuditPage, AuditQuery, NamedId } from './contract.ts';
import type { Written } from './chain.ts';
import { createChain } from './chain.ts';
import type { Anchor, Proof } from './proof.ts';
import { TAKEN_OUT, anchorOf, holds, prove } from './proof.ts';
import type { Links } from './links.ts';
import { clientsOfItems, keepLinks, linkOlder, linksOf } from './links.ts';
import { mayReadHistory } from './policy.ts';
import { historyCsv, sizedHistoryCsv } from './csv.ts';
import { peopleOf } from './find.ts';
import type { Latest } from './latest.ts';
import { latestAbout } from './latest.ts';
import { filtersInWords, page } from './read.ts';
import { forbidden } from '#server/http/errors.ts';
import type { Generated } from '#server/http/send.ts';

/** By what it was done, in words. */
function browserOf({ actor }: AuditEntry, userAgent?: string): { browser?: string } {
  if (actor?.app) return { browser: `WebDAV, app password “${actor.app.name}”` };
  if (actor?.program) return { browser: `Almirah Uploader on ${actor.program.name}` };
  return userAgent === undefined ? {} : { browser: deviceName(userAgent) };
}

/** Told of every entry, in the transaction of what it tells about. */
export type Announce = (trx: Knex.Transaction, entry: AuditEntry, links: Links) => void;

/**
 * The trail of what was done: rows are only ever added, which the database itself enforces, and each is chained to the
 * one before, which proves it.
 */
export function createAudit({
  db,
  clock,
  seal,
  announce,
  deferred,
}: {
  db: Knex;
  clock: Clock;
  /** Keeps the key of the chain. */
  seal: Sealer;
  announce?: Announce;
  /** Keeps what has no room on the disk until there is some; without it, a row that cannot be added is an error. */
  deferred?: Pick<DeferredWrites, 'write'>;
}) {
  const demand = (actor: Actor) => {
    if (!mayReadHistory(actor)) throw forbidden();
  };

  const chain = createChain(seal, linkOlder);

  async function add(trx: Knex.Transaction, row: Written, entry: AuditEntry): Promise<void> {
    const id = await chain.append(trx, row);
    const links = await linksOf(trx, entry);
    await keepLinks(trx, id, links);
    announce?.(trx, entry, links);
  }

  const rowOf = (entry: AuditEntry): Written => {
    const scope = currentScope();
    const recipient = entry.actor?.recipient;
    return {
      firm_id: entry.actor?.firmId ?? entry.firmId ?? null,
      // What is done by a link is not done by the user who has made it.
      user_id: recipient ? null : (entry.actor?.userId ?? entry.userId ?? null),
      did: entry.did,
      subject: entry.subject ?? null,
      detail: JSON.stringify({
        ...entry.detail,
        ...(recipient && { recipient: recipient.name, link: recipient.linkId, door: recipient.door }),
        ...browserOf(entry, scope?.userAgent),
      }),
      ip: entry.ip ?? scope?.ip ?? null,
      request_id: scope?.requestId ?? null,
      at: clock().toISOString(),
    };
  };

  return {
    /** Chains what versions without the chain have written; to be called before anything is served. */
    chainOlder: (): Promise<number> => db.transaction(chain.begin),

    /**
     * Takes entries out for good, by a rule such as how long they are kept. An entry says which and why, so that the
     * proof holds without them.
     */
    async takeOut(
      trx: Knex.Transaction,
      { actor, ids, reason }: { actor?: Actor; ids: readonly number[]; reason: string },
    ): Promise<void> {
      await chain.takeOut(trx, ids);
      await this.record(trx, { actor, did: TAKEN_OUT, detail: { entries: ids, reason } });
    },

    /** When the newest entry was made, ISO 8601; null before the first. */
    async lastAt(): Promise<string | null> {
      const row = (await db('audit_events').orderBy('id', 'desc').first('at')) as { at: string } | undefined;
      return row?.at ?? null;
    },

    /** To which clients these items belong now, each once; null for none. */
    async clientsOf(db: Knex, items: readonly number[]): Promise<(number | null)[]> {
      return [...new Set((await clientsOfItems(db, items)).values())].map((id) => id || null);
    },

    /** The last entry of these kinds about an item or a client that the actor may hear of; null when there is none. */
    latest: (db: Knex, actor: Actor, about: Parameters<typeof latestAbout>[2]): Promise<Latest | null> =>
      latestAbout(db, actor, about),

    /** Whether nothing of the history was changed, taken out or cut off since `anchor` was noted. */
    prove: (anchor: Anchor | null): Promise<Proof> => prove(db, chain, anchor),

    /** Where the history ends now, to be kept outside of the database; null before the first entry. */
    anchor: (): Promise<Anchor | null> => anchorOf(db, chain, clock()),

    /** Whether what was noted once is still there. */
    holds: (anchor: Anchor): Promise<boolean> => holds(db, chain, anchor),

    /** What the actor sees of the firm's history, the newest first. @throws {AppError} 403. */
    async list(actor: Actor, query: AuditQuery): Promise<AuditPage> {
      demand(actor);
      return page(db, actor, query);
    },

    /** Whose doings the actor can see, by name: also those who have left. @throws {AppError} 403. */
    async people(actor: Actor): Promise<NamedId[]> {
      demand(actor);
      return peopleOf(db, actor);
    },

    /** All that the actor sees of it as CSV, with its size in bytes, made while it is read. @throws {AppError} 403. */
    async csv(actor: Actor) {
      demand(actor);
      return sizedHistoryCsv(db, actor);
    },

    /** What answers the filters as CSV, to be sent: that is put on record with them. @throws {AppError} 403. */
    async export(actor: Actor, filters: AuditFilters, { sending }: { sending: boolean }): Promise<Generated> {
      demand(actor);
      const { item, client } = filters;
      const asked = await filtersInWords(db, actor, filters);
      if (sending)
        await this.recordAlone({
          actor,
          did: 'export.history',
          detail: asked === '' ? {} : { filters: asked },
          concerns: {
            items: item === undefined ? [] : [item],
            ...(client !== undefined && { clients: [client] }),
          },
        });
      const name = `history-${clock().toISOString().slice(0, 10)}.csv`;
      const open = () => historyCsv(db, actor, filters);
      return { name, type: 'text/csv; charset=utf-8', size: null, open };
    },

    /**
     * Adds a row in the transaction of what it tells about. Address and request id are those of the request that is
     * being answered.
     */
    record: (trx: Knex.Transaction, entry: AuditEntry): Promise<void> => add(trx, rowOf(entry), entry),

    /** As `record`, of what changes nothing, as a download; on a full disk later, since that keeps nobody from reading. */
    async recordAlone(entry: AuditEntry): Promise<void> {
      const row = rowOf(entry);
      const write = () => db.transaction((trx) => add(trx, row, entry));
      return deferred ? deferred.write(write) : write();
    },
  };
}
export type Audit = ReturnType<typeof createAudit>;
