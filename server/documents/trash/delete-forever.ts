import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { SettledClock } from '#server/clock.ts';
import type { BulkResult } from '../contract.ts';
import { MAX_NAMED, toDeletionPreview } from '../changes/remove.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { BOUND_IDS, execute, bindList, queryRows } from '#server/db/sql.ts';
import { isRefusedBy } from '#server/db/errors.ts';
import { LEGAL_HOLD_IN_TRASH, legalHoldMessage, legalHoldsOver } from '../legal-holds/guard.ts';
import type { Keeping } from '../retention/guard.ts';
import { clearedOfRules, untouchedByRules } from '../retention/cleared.ts';
import { keptInTrash, keptMessage } from '../retention/guard.ts';
import { abandonTrashed } from '#server/records/hidden.ts';
import * as usage from '#server/records/usage.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';
import type { ForeverPreview } from './contract.ts';
import { GONE, andSeenInTrash } from './visible.ts';

const NOT_ALL_YOURS = 'This folder cannot be deleted forever by you. Ask an admin to do it.';
/** Maximum number of Trash entries, and approximate number of files, deleted in one transaction. */
const BATCH_ENTRIES = 500;
const BATCH_FILES = 50_000;

interface Row {
  id: number;
  item_id: number;
  firm_id: number;
  name: string;
  mixed: number;
  /** 1 if a legal hold keeps it. */
  held: number;
  files: number;
  bytes: number;
}

interface DueRow extends Row {
  purge_at: string;
}

const COLUMNS = `t.id, t.item_id, t.firm_id, i.name, t.mixed, t.files, t.bytes,
  CASE WHEN ${LEGAL_HOLD_IN_TRASH} THEN 1 ELSE 0 END AS held`;

/** Removes entries from Trash; `purge` deletes the rows later. Their storage is free immediately. */
async function removeEntries(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
  const roots = rows.map(({ item_id }) => item_id);
  await clearedOfRules(trx, roots, () => abandonTrashed(trx, roots));
  await execute(trx, `DELETE FROM trash WHERE item_id IN (${BOUND_IDS})`, [bindList(roots)]);
  for (const [firmId, firmRows] of Map.groupBy(rows, ({ firm_id }) => firm_id))
    await usage.countTrash(trx, firmId, {
      items: -firmRows.length,
      files: -firmRows.reduce((sum, { files }) => sum + files, 0),
      bytes: -firmRows.reduce((sum, { bytes }) => sum + bytes, 0),
    });
}

/** Fields of a history entry, which names a limited number of items. */
const entryFields = (rows: readonly Row[]) => ({
  subject: rows.length === 1 ? `item:${rows[0]!.item_id}` : undefined,
  detail: {
    chosen: rows.length,
    ids: rows.slice(0, MAX_NAMED).map(({ item_id }) => item_id),
    names: rows.slice(0, MAX_NAMED).map(({ name }) => name),
    files: rows.reduce((sum, { files }) => sum + files, 0),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  },
  concerns: { items: rows.map(({ item_id }) => item_id), parents: [] },
});

/** The folders among these that contain something that the actor does not see. */
async function holdingUnseen(db: Knex, actor: Actor, rows: readonly Row[]): Promise<Set<number>> {
  if (seesAll(actor)) return new Set();
  const found = await queryRows<{ root: number }>(
    db,
    `SELECT DISTINCT h.trash AS root FROM hidden_items h CROSS JOIN item_rows x
     WHERE h.trash IN (${BOUND_IDS}) AND x.id = h.item_id AND NOT (${isVisible(actor, 'x')})`,
    [bindList(rows.map(({ item_id }) => item_id))],
  );
  return new Set(found.map(({ root }) => root));
}

/** The items that a retention rule keeps. */
async function keptByRules(
  trx: Knex.Transaction,
  { clock }: DeletionDependencies,
  firmId: number,
  rows: readonly Row[],
) {
  const roots = rows.map(({ item_id }) => item_id);
  const untouched = await untouchedByRules(trx, roots);
  return keptInTrash(
    trx,
    firmId,
    roots.filter((id) => !untouched.has(id)),
    clock(),
  );
}

/** The message why a retention rule keeps something in Trash. */
const keptInTrashMessage = (keeping: Keeping): string =>
  keeping.run_out ? `${keptMessage(keeping)} Restore it first.` : keptMessage(keeping);

/** The items that cannot be deleted forever, with the reasons. */
async function undeletable(
  db: Knex,
  actor: Actor,
  rows: readonly Row[],
  keepings: ReadonlyMap<number, Keeping>,
): Promise<Map<number, { message: string; code?: 'held' | 'kept' }>> {
  const unseen = await holdingUnseen(db, actor, rows);
  const underHold = rows.filter(({ held }) => held === 1).map(({ item_id }) => item_id);
  const holds = await legalHoldsOver(db, actor, underHold, 'trash');
  const stays = new Map<number, { message: string; code?: 'held' | 'kept' }>();
  for (const { item_id: id, held } of rows) {
    const keeping = keepings.get(id);
    if (unseen.has(id)) stays.set(id, { message: NOT_ALL_YOURS });
    else if (held === 1) stays.set(id, { message: legalHoldMessage(holds.get(id) ?? null), code: 'held' });
    else if (keeping) stays.set(id, { message: keptInTrashMessage(keeping), code: 'kept' });
  }
  return stays;
}

/**
 * What `deleteForever` or `emptyTrash` would leave in Trash, and why.
 * @param ids by default, everything in Trash that the actor sees.
 */
export async function previewForever(
  { db, clock }: DeletionDependencies,
  actor: Actor,
  ids?: readonly number[],
): Promise<ForeverPreview> {
  const failed: BulkResult['failed'] = [];
  let bytes = 0;
  for (let after = 0; ;) {
    const among = ids === undefined ? '' : `t.item_id IN (${BOUND_IDS}) AND `;
    const rows = await queryRows<Row>(
      db,
      `SELECT ${COLUMNS} FROM trash t CROSS JOIN item_rows i
       WHERE ${among}t.firm_id = ? AND t.id > ? AND i.id = t.item_id${andSeenInTrash(actor)} ORDER BY t.id LIMIT ?`,
      [...(ids === undefined ? [] : [bindList(ids)]), actor.firmId, after, BATCH_ENTRIES],
    );
    const last = rows.at(-1);
    if (!last) return { ...toDeletionPreview(failed), bytes };
    const roots = rows.map(({ item_id }) => item_id);
    const stays = await undeletable(db, actor, rows, await keptInTrash(db, actor.firmId, roots, clock()));
    for (const { item_id: id, name, bytes: size } of rows) {
      const why = stays.get(id);
      if (!why) continue;
      failed.push({ id, name, ...why });
      bytes += size;
    }
    after = last.id;
  }
}

/** Limits the rows to one transaction. */
function limitToBatch<R extends Row>(rows: readonly R[]): R[] {
  let files = 0;
  const end = rows.findIndex((row, index) => index > 0 && (files += row.files) > BATCH_FILES);
  return rows.slice(0, end < 0 ? rows.length : end);
}

type DeletionDependencies = Pick<ChangeDependencies, 'db' | 'audit' | 'clock'>;

/** Whether the database refuses a deletion that no check here has refused. */
const isRefused = (error: unknown): boolean => isRefusedBy(error, 'held') || isRefusedBy(error, 'kept');

/**
 * Deletes entries in batches, each in a transaction. A batch that the database refuses is repeated entry by entry, so that
 * one never stops the others, in this or another firm.
 * @param work deletes at most `limit` entries after a position, and says how far it gets before it deletes any.
 * @param skip is told of each entry that is refused.
 */
async function inBatches<Position>(
  work: (
    after: Position | null,
    limit: number,
    reach: (last: Position, entries: number) => void,
  ) => Promise<void>,
  skip: () => void,
  signal?: AbortSignal,
): Promise<void> {
  let after: Position | null = null;
  let single = 0;
  while (!signal?.aborted) {
    const reached: { last: Position; entries: number }[] = [];
    try {
      const limit = single > 0 ? 1 : BATCH_ENTRIES;
      await work(after, limit, (last, entries) => (reached[0] = { last, entries }));
    } catch (error) {
      if (!isRefused(error) || !reached[0]) throw error;
      if (reached[0].entries > 1) {
        single = reached[0].entries;
        continue;
      }
      skip();
    }
    if (!reached[0]) return;
    after = reached[0].last;
    single = Math.max(0, single - 1);
  }
}

/** Deletes items in Trash forever. */
export async function deleteForever(
  dependencies: DeletionDependencies,
  actor: Actor,
  ids: readonly number[],
): Promise<BulkResult> {
  const uniqueIds = [...new Set(ids)];
  const result: BulkResult = { done: [], failed: [] };
  await inBatches<number>(
    async (after, limit, reach) => {
      const start = after ?? 0;
      const some = uniqueIds.slice(start, start + limit);
      if (some.length === 0) return;
      reach(start + some.length, some.length);
      const part = await dependencies.db.transaction((trx) => deleteSome(dependencies, trx, actor, some));
      result.done.push(...part.done);
      result.failed.push(...part.failed);
    },
    () => {},
  );
  const known = new Set([...result.done, ...result.failed.map(({ id }) => id)]);
  for (const id of uniqueIds)
    if (!known.has(id)) result.failed.push({ id, name: null, message: legalHoldMessage(null), code: 'held' });
  return result;
}

async function deleteSome(
  dependencies: DeletionDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
): Promise<BulkResult> {
  const rows = await queryRows<Row>(
    trx,
    `SELECT ${COLUMNS} FROM trash t CROSS JOIN item_rows i
     WHERE t.item_id IN (${BOUND_IDS}) AND t.firm_id = ? AND i.id = t.item_id${andSeenInTrash(actor)}`,
    [bindList(ids), actor.firmId],
  );
  const keepings = await keptByRules(trx, dependencies, actor.firmId, rows);
  const stays = await undeletable(trx, actor, rows, keepings);
  const known = new Map(rows.map((row) => [row.item_id, row]));
  const failed = ids.flatMap((id) => {
    const why = known.has(id) ? stays.get(id) : { message: GONE };
    return why ? [{ id, name: known.get(id)?.name ?? null, ...why }] : [];
  });
  const going = rows.filter(({ item_id }) => !stays.has(item_id));
  await deleteRows(dependencies, trx, actor, going);
  return { done: going.map(({ item_id }) => item_id), failed };
}

async function deleteRows(
  { audit }: DeletionDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  // Recorded before the deletion: the history looks up the clients of the rows.
  await audit.record(trx, { actor, did: 'document.delete_forever', ...entryFields(rows) });
  await removeEntries(trx, rows);
}

/**
 * Deletes everything in Trash that the actor sees. Items deleted after the start stay.
 * @returns number of deleted items; `kept` counts those under a legal hold or a retention rule.
 */
export async function emptyTrash(
  dependencies: DeletionDependencies,
  actor: Actor,
): Promise<{ deleted: number; kept: number }> {
  const { db } = dependencies;
  const newest = await db('trash').where({ firm_id: actor.firmId }).max({ id: 'id' }).first();
  let [deleted, kept] = [0, 0];
  await inBatches<number>(
    async (after, limit, reach) => {
      const part = await db.transaction(async (trx) => {
        const found = await queryRows<Row>(
          trx,
          `SELECT ${COLUMNS} FROM trash t CROSS JOIN item_rows i
           WHERE t.firm_id = ? AND t.id > ? AND t.id <= ? AND i.id = t.item_id${andSeenInTrash(actor)}
           ORDER BY t.id LIMIT ?`,
          [actor.firmId, after ?? 0, Number(newest?.id ?? 0), limit],
        );
        const rows = limitToBatch(found);
        if (rows.length === 0) return { deleted: 0, kept: 0 };
        reach(rows.at(-1)!.id, rows.length);
        const unseen = await holdingUnseen(trx, actor, rows);
        const ruled = await keptByRules(trx, dependencies, actor.firmId, rows);
        const stays = ({ item_id, held }: Row) => held === 1 || ruled.has(item_id);
        const going = rows.filter((row) => !unseen.has(row.item_id) && !stays(row));
        await deleteRows(dependencies, trx, actor, going);
        return { deleted: going.length, kept: rows.filter(stays).length };
      });
      deleted += part.deleted;
      kept += part.kept;
    },
    () => (kept += 1),
  );
  return { deleted, kept };
}

/** Position in the list of expired entries. */
type Position = [purge_at: string, id: number];

/** Deletes expired entries of Trash, oldest first, except those under a legal hold or a retention rule. */
export function createExpiry(dependencies: DeletionDependencies & { settled: SettledClock }) {
  const { db, audit, settled } = dependencies;
  const due = (within: Knex, until: Date, limit: number, after: Position = ['', 0]): Promise<DueRow[]> =>
    queryRows(
      within,
      `SELECT ${COLUMNS}, t.purge_at FROM trash t CROSS JOIN item_rows i
       WHERE t.purge_at <= ? AND (t.purge_at, t.id) > (?, ?) AND i.id = t.item_id AND NOT ${LEGAL_HOLD_IN_TRASH}
       ORDER BY t.purge_at, t.id LIMIT ?`,
      [until.toISOString(), ...after, limit],
    );

  return {
    anyExpired: async (): Promise<boolean> => (await due(db, await settled(), 1)).length > 0,

    /** @returns number of deleted items. */
    async expire(signal?: AbortSignal): Promise<number> {
      let deleted = 0;
      const until = await settled();
      await inBatches<Position>(
        async (after, limit, reach) => {
          deleted += await db.transaction(async (trx) => {
            const rows = limitToBatch(await due(trx, until, limit, after ?? undefined));
            const last = rows.at(-1);
            if (last) reach([last.purge_at, last.id], rows.length);
            let count = 0;
            for (const [firmId, firmRows] of Map.groupBy(rows, ({ firm_id }) => firm_id)) {
              const keepings = await keptByRules(trx, dependencies, firmId, firmRows);
              const going = firmRows.filter(({ item_id }) => !keepings.has(item_id));
              if (going.length === 0) continue;
              await audit.record(trx, { firmId, did: 'document.expire', ...entryFields(going) });
              await removeEntries(trx, going);
              count += going.length;
            }
            return count;
          });
        },
        () => {},
        signal,
      );
      return deleted;
    },
  };
}
export type Expiry = ReturnType<typeof createExpiry>;
