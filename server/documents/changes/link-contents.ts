import type { Knex } from 'knex';
import type { Contents, LinkPreview, MovePreview } from '../contract.ts';
import { createAdaptiveBatches } from '../../db/adaptive-batches.ts';
import type { Actor } from '#server/actor.ts';
import type { Viewer } from '#server/visibility/visible.ts';
import { seesAll, visibleItems, UNRESTRICTED } from '#server/visibility/visible.ts';
import { lostRules, rulesOver } from '../retention/guard.ts';
import { isProtected } from '#server/http/storage-failure.ts';
import {
  BOUND_IDS,
  boundTupleRows,
  boundIdRows,
  bindList,
  numberOf,
  queryRow,
  queryRows,
} from '../../db/sql.ts';

/** A chosen item with its present client. Contents with the same client go along with it. */
export type Top = readonly [id: number, client_id: number | null];

/** A request to link items and their contents to a client; null for none. Stored as the input of a job. */
export interface Link {
  tops: readonly Top[];
  client_id: number | null;
  contents: Contents;
  /** The user who requested it: items that this user does not see stay unchanged. Without it, no item is left out. */
  seer?: Viewer;
  /** The firm, if this user may not take items out from under retention rules: those that would come out stay unchanged. */
  keepsRulesOf?: number;
}

export const viewerOf = (actor: Actor): Pick<Link, 'seer'> => {
  const { userId, role, permissions, clientScope } = actor;
  return seesAll(actor) ? {} : { seer: { userId, role, permissions, clientScope } };
};

/** Up to so many items are linked in the request; a job links more, so that nobody waits for them. */
export const MAX_INLINE = 1000;

const DELETED_CLIENTS = 'SELECT id FROM clients WHERE firm_id = 0';

/**
 * A `WITH` clause that defines `inside(id, client_id, own)`: the tops and their contents. With `unlinked` it does not
 * descend into an item that has another client than its top: those contents belong to that client. Sealed items are left
 * out.
 */
function inside({ tops, client_id, contents, seer: viewer = UNRESTRICTED }: Link): {
  sql: string;
  bindings: Knex.RawBinding[];
} {
  const stays = contents !== 'unlinked';
  const items = visibleItems(viewer);
  const sql = `WITH RECURSIVE inside(id, client_id, own) AS (
       SELECT i.id, i.client_id, ${numberOf('t.value', 1)}
       FROM ${boundTupleRows('t')} CROSS JOIN items i WHERE i.id = ${numberOf('t.value', 0)}
       UNION
       SELECT i.id, i.client_id, inside.own FROM inside CROSS JOIN ${items} i WHERE i.parent_id = inside.id AND i.sealed IS NULL
       ${stays ? '' : `AND (i.client_id IS NULL OR i.client_id IS NOT DISTINCT FROM inside.own OR i.client_id IS NOT DISTINCT FROM ? OR i.client_id IN (${DELETED_CLIENTS}))`}
     )`;
  return { sql, bindings: [bindList(tops), ...(stays ? [] : [client_id])] };
}

/**
 * Whether the tops contain so many items that a job has to link them. Counts level by level, with a limit: a LIMIT on
 * the recursive query would bound its output, but not its queue.
 */
export async function isLarge(db: Knex, tops: readonly Top[]): Promise<boolean> {
  const seen = new Set(tops.map(([id]) => id));
  for (let level = [...seen]; level.length > 0 && seen.size <= MAX_INLINE;) {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id FROM ${boundIdRows('p')} CROSS JOIN items i WHERE i.parent_id = p.value LIMIT ?`,
      [bindList(level), MAX_INLINE + 1],
    );
    level = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return seen.size > MAX_INLINE;
}

/** The contents of the tops that have to change, without the tops themselves, with their present clients. */
export async function itemsToLink(db: Knex, link: Link): Promise<{ id: number; client_id: number | null }[]> {
  if (link.contents === 'none' || link.tops.length === 0) return [];
  const found = inside(link);
  return queryRows(
    db,
    `${found.sql} SELECT DISTINCT id, client_id FROM inside
     WHERE client_id IS DISTINCT FROM ? AND id NOT IN (SELECT ${numberOf('t.value', 0)} FROM ${boundTupleRows('t')}) ORDER BY id`,
    [...found.bindings, link.client_id, bindList(link.tops)],
  );
}

/** Counts of the items that would be linked, and of those with other clients; not counted above the limit. */
export async function previewLink(db: Knex, link: Omit<Link, 'contents'>): Promise<LinkPreview> {
  if (await isLarge(db, link.tops)) return { along: 0, others: 0, more: true };
  const count = async (contents: Contents): Promise<number> => {
    const found = inside({ ...link, contents });
    const row = await queryRow<{ n: number }>(
      db,
      `${found.sql} SELECT count(DISTINCT id) AS n FROM inside
       WHERE client_id IS DISTINCT FROM ? AND id NOT IN (SELECT ${numberOf('t.value', 0)} FROM ${boundTupleRows('t')})`,
      [...found.bindings, link.client_id, bindList(link.tops)],
    );
    return row!.n;
  };
  const along = await count('unlinked');
  return { along, others: (await count('all')) - along, more: false };
}

/**
 * What of the contents of the tops would stay with clients of its own, each folder counted once; not counted above the limit.
 * @param chosen items that are not counted.
 */
export async function previewStaying(
  db: Knex,
  link: Omit<Link, 'contents'>,
  chosen: readonly number[],
): Promise<MovePreview['inside']> {
  if (await isLarge(db, link.tops)) return { count: 0, clients: [], more: true };
  const found = inside({ ...link, contents: 'unlinked' });
  const rows = await queryRows<{ id: number; name: string }>(
    db,
    `${found.sql} SELECT DISTINCT i.id, c.name, c.sort_key FROM inside CROSS JOIN ${visibleItems(link.seer ?? UNRESTRICTED)} i
     JOIN clients c ON c.id = i.client_id AND c.firm_id = i.firm_id
     WHERE i.parent_id = inside.id AND i.client_id IS DISTINCT FROM inside.own AND i.client_id IS DISTINCT FROM ?
       AND i.id NOT IN (${BOUND_IDS}) ORDER BY c.sort_key`,
    [...found.bindings, link.client_id, bindList(chosen)],
  );
  return { count: rows.length, clients: [...new Set(rows.map(({ name }) => name))], more: false };
}

/** Sets the client of these items only, not of their contents. */
export async function linkItems(
  trx: Knex.Transaction,
  ids: readonly number[],
  client_id: number | null,
): Promise<{ id: number }[]> {
  return queryRows(
    trx,
    `UPDATE item_rows SET client_id = ? WHERE id IN (${BOUND_IDS}) AND client_id IS DISTINCT FROM ? RETURNING id`,
    [client_id, bindList(ids), client_id],
  );
}

/** Carries the items that a change would have taken out from under retention rules. */
class RulesLost extends Error {
  readonly ids: ReadonlySet<number>;

  constructor(ids: Iterable<number>) {
    super('items would come out from under retention rules');
    this.ids = new Set(ids);
  }
}

/** Links the contents of folders in short transactions. A repeated run links what an interrupted run left. */
export function createLinking({ db }: { db: Knex }) {
  const runBatch = createAdaptiveBatches();

  /** Links the items that are not protected. @returns null if the client was deleted: another job unlinks its items. */
  async function linkSome(
    ids: readonly number[],
    link: Pick<Link, 'client_id' | 'keepsRulesOf'>,
  ): Promise<{ linked: number; failedIds: number[] } | null> {
    const { client_id, keepsRulesOf: firmId } = link;
    try {
      return await db.transaction(async (trx) => {
        if (client_id !== null && !(await clientExists(trx, client_id))) return null;
        const under = firmId === undefined ? null : await rulesOver(trx, firmId, ids);
        const linked = (await linkItems(trx, ids, client_id)).length;
        const lost = under ? await lostRules(trx, firmId!, under) : [];
        if (lost.length > 0) throw new RulesLost(lost.map(({ id }) => id));
        return { linked, failedIds: [] };
      });
    } catch (error) {
      if (error instanceof RulesLost) {
        const others = ids.filter((id) => !error.ids.has(id));
        const done = others.length === 0 ? { linked: 0, failedIds: [] } : await linkSome(others, link);
        return done && { ...done, failedIds: [...done.failedIds, ...error.ids] };
      }
      // An item was sealed or put under a hold meanwhile.
      if (!isProtected(error)) throw error;
      if (ids.length === 1) return { linked: 0, failedIds: [...ids] };
    }
    const result = { linked: 0, failedIds: [] as number[] };
    for (const id of ids) {
      const one = await linkSome([id], link);
      if (one === null) return null;
      result.linked += one.linked;
      result.failedIds.push(...one.failedIds);
    }
    return result;
  }

  /** @returns number of items linked. @throws the signal's reason. */
  async function linkInside(link: Link, signal: AbortSignal): Promise<number> {
    let linked = 0;
    const failedIds = new Set<number>();
    for (;;) {
      const found = (await itemsToLink(db, link)).map(({ id }) => id).filter((id) => !failedIds.has(id));
      // Queried again: items may have been added to folders that were not linked yet.
      if (found.length === 0) return linked;
      for (let start = 0; start < found.length;) {
        signal.throwIfAborted();
        await runBatch(async (rows) => {
          const done = await linkSome(found.slice(start, start + rows), link);
          start = done === null ? found.length : start + rows;
          linked += done?.linked ?? 0;
          for (const id of done?.failedIds ?? []) failedIds.add(id);
        });
      }
      if (link.client_id !== null && !(await clientExists(db, link.client_id))) return linked;
    }
  }

  return {
    linkInside,

    /** For folders linked by an early release that did not link their contents. No item loses a client. */
    async linkAllInside(signal: AbortSignal): Promise<number> {
      let linked = 0;
      const clients: number[] = await db('clients').whereNot('firm_id', 0).orderBy('id').pluck('id');
      for (const client_id of clients) {
        const folders: number[] = await db('items')
          .where({ client_id, type: 'folder' })
          .whereNull('file_type')
          .pluck('id');
        const tops = folders.map((id): Top => [id, client_id]);
        if (tops.length > 0) linked += await linkInside({ tops, client_id, contents: 'unlinked' }, signal);
      }
      return linked;
    },
  };
}

const clientExists = async (db: Knex, client_id: number): Promise<boolean> =>
  (await db('clients').where('id', client_id).whereNot('firm_id', 0).first('id')) !== undefined;
