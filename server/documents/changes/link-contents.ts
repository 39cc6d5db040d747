import type { Knex } from 'knex';
import type { Contents, LinkPreview } from '../contract.ts';
import { createAdaptiveBatches } from '../../db/adaptive-batches.ts';
import type { Seer } from '#server/visibility/visible.ts';
import { visibleItems, WHOLE } from '#server/visibility/visible.ts';
import { isProtected } from '#server/http/storage-failure.ts';
import { EACH, eachParts, eachRow, list, numberOf, queryRow, queryRows } from '../../db/sql.ts';

/** A chosen item, and the client that it has had until now: what lies in it with the same client goes along. */
export type Top = readonly [id: number, client_id: number | null];

/** What is asked for: which client the items and what lies in them get, null for none. */
export interface Link {
  tops: readonly Top[];
  client_id: number | null;
  contents: Contents;
  /** Who asked, for whom there is nothing to change in what they do not see; left out, all of the firm is seen. */
  seer?: Seer;
}

/** So many items are linked at once; more are left to a job, so that nobody waits for them. */
export const AT_ONCE = 1000;

const DELETED = 'SELECT id FROM clients WHERE firm_id = 0';

/**
 * A `WITH` clause that names `inside(id, client_id, own)`: the tops and what lies in them. With `unlinked` it stops at
 * what has a client of its own, which is another one than its folder had; what lies in that is the other client's. What
 * is sealed stays.
 */
function inside({ tops, client_id, contents, seer = WHOLE }: Link): {
  sql: string;
  bindings: Knex.RawBinding[];
} {
  const stays = contents !== 'unlinked';
  const items = visibleItems(seer);
  const sql = `WITH RECURSIVE inside(id, client_id, own) AS (
       SELECT i.id, i.client_id, ${numberOf('t.value', 1)}
       FROM ${eachParts('t')} CROSS JOIN items i WHERE i.id = ${numberOf('t.value', 0)}
       UNION
       SELECT i.id, i.client_id, inside.own FROM inside CROSS JOIN ${items} i WHERE i.parent_id = inside.id AND i.sealed IS NULL
       ${stays ? '' : `AND (i.client_id IS NULL OR i.client_id IS NOT DISTINCT FROM inside.own OR i.client_id IS NOT DISTINCT FROM ? OR i.client_id IN (${DELETED}))`}
     )`;
  return { sql, bindings: [list(tops), ...(stays ? [] : [client_id])] };
}

/**
 * Whether so much lies in the tops that a job has to go through it. Level by level, and never more than that: a limit
 * on the recursive query bounds what it gives out, while all that lies in what it has reached still waits in its queue.
 */
export async function isLarge(db: Knex, tops: readonly Top[]): Promise<boolean> {
  const seen = new Set(tops.map(([id]) => id));
  for (let level = [...seen]; level.length > 0 && seen.size <= AT_ONCE;) {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id FROM ${eachRow('p')} CROSS JOIN items i WHERE i.parent_id = p.value LIMIT ?`,
      [list(level), AT_ONCE + 1],
    );
    level = rows.map(({ id }) => id).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return seen.size > AT_ONCE;
}

/** What lies in the tops, without themselves, and has to change; with the client that it has. */
export async function toLink(db: Knex, link: Link): Promise<{ id: number; client_id: number | null }[]> {
  if (link.contents === 'none' || link.tops.length === 0) return [];
  const found = inside(link);
  return queryRows(
    db,
    `${found.sql} SELECT DISTINCT id, client_id FROM inside
     WHERE client_id IS DISTINCT FROM ? AND id NOT IN (SELECT ${numberOf('t.value', 0)} FROM ${eachParts('t')}) ORDER BY id`,
    [...found.bindings, link.client_id, list(link.tops)],
  );
}

/** How much would go along, and how much belongs to other clients; of very much only that it is. */
export async function previewLink(db: Knex, link: Omit<Link, 'contents'>): Promise<LinkPreview> {
  if (await isLarge(db, link.tops)) return { along: 0, others: 0, more: true };
  const count = async (contents: Contents): Promise<number> => {
    const found = inside({ ...link, contents });
    const row = await queryRow<{ n: number }>(
      db,
      `${found.sql} SELECT count(DISTINCT id) AS n FROM inside
       WHERE client_id IS DISTINCT FROM ? AND id NOT IN (SELECT ${numberOf('t.value', 0)} FROM ${eachParts('t')})`,
      [...found.bindings, link.client_id, list(link.tops)],
    );
    return row!.n;
  };
  const along = await count('unlinked');
  return { along, others: (await count('all')) - along, more: false };
}

/** Links items whatever they hold. */
export async function linkItems(
  trx: Knex.Transaction,
  ids: readonly number[],
  client_id: number | null,
): Promise<{ id: number }[]> {
  return queryRows(
    trx,
    `UPDATE item_rows SET client_id = ? WHERE id IN (${EACH}) AND client_id IS DISTINCT FROM ? RETURNING id`,
    [client_id, list(ids), client_id],
  );
}

/** Links what lies in folders, however much it is, in short transactions. What an interruption leaves is found again. */
export function createLinking({ db }: { db: Knex }) {
  const paced = createAdaptiveBatches();

  /** @returns how many. @throws the signal's reason. */
  async function linkInside(link: Link, signal: AbortSignal): Promise<number> {
    let linked = 0;
    const kept = new Set<number>();
    for (;;) {
      const found = (await toLink(db, link)).map(({ id }) => id).filter((id) => !kept.has(id));
      // What was put meanwhile into a folder that had not been reached has no client either.
      if (found.length === 0) return linked;
      for (let at = 0; at < found.length;) {
        signal.throwIfAborted();
        await paced(async (rows) => {
          const done = await db
            .transaction(async (trx) => {
              // Deleted meanwhile: there is nobody to link to, and its items are being taken off it.
              if (link.client_id !== null && !(await isThere(trx, link.client_id))) return null;
              return (await linkItems(trx, found.slice(at, at + rows), link.client_id)).length;
            })
            .catch((error: unknown) => {
              // Sealed or held since it was asked for: it stays, and so does the little that was to be linked with it.
              if (!isProtected(error)) throw error;
              for (const id of found.slice(at, at + rows)) kept.add(id);
              return 0;
            });
          at = done === null ? found.length : at + rows;
          linked += done ?? 0;
        });
      }
      if (link.client_id !== null && !(await isThere(db, link.client_id))) return linked;
    }
  }

  return {
    linkInside,

    /** For folders that were linked when this left out what lay in them: nothing that has a client loses it. */
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

const isThere = async (db: Knex, client_id: number): Promise<boolean> =>
  (await db('clients').where('id', client_id).whereNot('firm_id', 0).first('id')) !== undefined;
