import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { fold } from '#server/text/fold.ts';
import { BOUND_IDS, bindList, positionOf, queryRow, queryRows } from '#server/db/sql.ts';
import * as usage from '#server/records/usage.ts';
import { seesAll, seesUnassigned, visibleClientIds } from '#server/visibility/visible.ts';
import { LEGAL_HOLD_IN_TRASH } from '../legal-holds/guard.ts';
import type { ItemRow } from '../model.ts';
import { toView } from '../model.ts';
import { SEPARATOR } from '../tree.ts';
import type { TrashPage, TrashQuery, TrashSort, TrashView } from './contract.ts';
import { findInside, placesInside } from './inside.ts';
import type { FolderAbove } from './move-to-trash.ts';
import { andSeenInTrash } from './visible.ts';

const PAGE = 60;
const COLUMN: Record<TrashSort, string> = { deleted: 't.id', name: 't.sort_key', size: 't.bytes' };

interface TrashRow extends ItemRow {
  trash_id: number;
  value: string | number;
  folders: string;
  files: number;
  bytes: number;
  deleted_by: number;
  deleted_by_name: string;
  deleted_at: string;
  purge_at: string;
  held: number;
}

interface Condition {
  /** Tables: `t`, and `i` (the items of `t`) if needed. */
  from: string;
  sql: string;
  bindings: Knex.RawBinding[];
}

/** The conditions of a query. A search also matches `roots`, by their contents. */
function conditionOf(
  actor: Actor,
  { search = '', client_id, user_id }: TrashQuery,
  roots: Iterable<number> = [],
): Condition {
  const alone = seesAll(actor) && client_id === undefined;
  const from = alone ? 'trash t' : 'trash t CROSS JOIN item_rows i ON i.id = t.item_id';
  let sql = `t.firm_id = ?${andSeenInTrash(actor)}`;
  const bindings: Knex.RawBinding[] = [actor.firmId];
  const words = fold(search)
    .split(/[\s\p{Cc}]+/u)
    .filter(Boolean);
  if (words.length > 0) {
    const condition = words.map(() => `${positionOf('?', 't.folded_name')} > 0`).join(' AND ');
    const inside = bindList(roots);
    sql += inside === '[]' ? ` AND ${condition}` : ` AND (${condition} OR t.item_id IN (${BOUND_IDS}))`;
    bindings.push(...words, ...(inside === '[]' ? [] : [inside]));
  }
  // The items of a deleted client may still refer to it; a job unlinks them.
  if (client_id === 'none')
    sql += ' AND (i.scope_client_id = 0 OR i.scope_client_id IN (SELECT id FROM clients WHERE firm_id = 0))';
  else if (client_id !== undefined) {
    sql += ' AND i.scope_client_id = (SELECT id FROM clients WHERE id = ? AND firm_id = t.firm_id)';
    bindings.push(client_id);
  }
  if (user_id !== undefined) {
    sql += ' AND t.deleted_by = ? AND t.sender IS NULL';
    bindings.push(user_id);
  }
  return { from, sql, bindings };
}

/** One page of what the actor sees in Trash. @throws {AppError} 422 for a cursor of another list. */
export async function listTrash(db: Knex, actor: Actor, query: TrashQuery): Promise<Omit<TrashPage, 'days'>> {
  const { sort = 'deleted', direction = sort === 'name' ? 'asc' : 'desc', limit = PAGE, cursor } = query;
  const found = query.search ? await findInside(db, actor.firmId, query.search) : new Map<number, never>();
  const condition = conditionOf(actor, query, found.keys());
  let { sql } = condition;
  const bindings = [...condition.bindings];
  if (cursor !== undefined) {
    const [, , value, id] = decodeCursor(cursor, [sort, direction, sort === 'name' ? text : whole, whole]);
    sql += ` AND (${COLUMN[sort]}, t.id) ${direction === 'asc' ? '>' : '<'} (?, ?)`;
    bindings.push(value, id);
  }
  const order = `${COLUMN[sort]} ${direction}${sort === 'deleted' ? '' : `, t.id ${direction}`}`;
  // First the ids: names are fetched only for the rows of this page.
  const rows = await queryRows<TrashRow>(
    db,
    `SELECT i.id, i.type, i.name, i.file_type, i.file_size, i.owner_id, i.created_at, i.modified_at, i.original_at,
       o.name AS owner_name, c.id AS client_id, c.name AS client_name, NULL AS parent_id, NULL AS children_count,
       t.id AS trash_id, page.value, t.folders, t.files, t.bytes, t.deleted_by, coalesce(t.sender, d.name) AS deleted_by_name,
       t.deleted_at, t.purge_at, CASE WHEN ${LEGAL_HOLD_IN_TRASH} THEN 1 ELSE 0 END AS held
     FROM (SELECT t.id, ${COLUMN[sort]} AS value FROM ${condition.from} WHERE ${sql}
       ORDER BY ${order} LIMIT ?) AS page
     CROSS JOIN trash t ON t.id = page.id
     CROSS JOIN item_rows i ON i.id = t.item_id
     JOIN users o ON o.id = i.owner_id
     JOIN users d ON d.id = t.deleted_by
     LEFT JOIN clients c ON c.id = i.scope_client_id AND c.firm_id = t.firm_id
     ORDER BY page.value ${direction}, t.id ${direction}`,
    [...bindings, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : null;
  const seen = await scopesOf(db, actor);
  const there = await existingFolders(db, page);
  const inside = await placesInside(
    db,
    found,
    page.map(({ id }) => id),
  );
  const first = cursor === undefined;
  return {
    items: page.map((row) => ({ ...viewOf(row, seen, there), inside: inside.get(row.id) ?? null })),
    next_cursor: last && encodeCursor([sort, direction, last.value, last.trash_id]),
    total: first ? await count(db, actor, query, condition) : null,
    bytes: first ? await bytesInTrash(db, actor) : null,
  };
}

async function count(
  db: Knex,
  actor: Actor,
  query: TrashQuery,
  { from, sql, bindings }: Condition,
): Promise<number> {
  const { search = '', client_id, user_id } = query;
  const everything = search.trim() === '' && client_id === undefined && user_id === undefined;
  if (everything && seesAll(actor)) return (await usage.inTrash(db, actor.firmId)).items;
  const row = await queryRow<{ n: number }>(db, `SELECT count(*) AS n FROM ${from} WHERE ${sql}`, bindings);
  return row!.n;
}

/** Bytes of everything in Trash that the actor sees. */
export async function bytesInTrash(db: Knex, actor: Actor): Promise<number> {
  if (seesAll(actor)) return (await usage.inTrash(db, actor.firmId)).bytes;
  const { from, sql, bindings } = conditionOf(actor, {});
  const row = await queryRow<{ bytes: number }>(
    db,
    `SELECT coalesce(sum(t.bytes), 0) AS bytes FROM ${from} WHERE ${sql}`,
    bindings,
  );
  return Number(row!.bytes);
}

/** The scopes that the actor sees (0: items without a client); null for all. */
async function scopesOf(db: Knex, actor: Actor): Promise<ReadonlySet<number> | null> {
  if (seesAll(actor)) return null;
  const rows = await queryRows<{ client_id: number }>(db, visibleClientIds(actor));
  return new Set([...rows.map(({ client_id }) => client_id), ...(seesUnassigned(actor) ? [0] : [])]);
}

const foldersOf = ({ folders }: Pick<TrashRow, 'folders'>): FolderAbove[] =>
  JSON.parse(folders) as FolderAbove[];

/** Ids of the former folders that still exist. */
async function existingFolders(db: Knex, rows: readonly TrashRow[]): Promise<ReadonlySet<number>> {
  const ids = new Set(rows.flatMap((row) => foldersOf(row).at(-1)?.id ?? []));
  const found = await queryRows<{ id: number }>(db, `SELECT id FROM items WHERE id IN (${BOUND_IDS})`, [
    bindList(ids),
  ]);
  return new Set(found.map(({ id }) => id));
}

function viewOf(
  row: TrashRow,
  seen: ReadonlySet<number> | null,
  there: ReadonlySet<number>,
): Omit<TrashView, 'inside'> {
  const folders = foldersOf(row);
  // The path starts below the last folder that the actor may not see.
  const hidden = seen === null ? -1 : folders.findLastIndex(({ scope }) => !seen.has(scope));
  const shown = folders.slice(hidden + 1);
  const parent = shown.at(-1);
  const view = toView(row, shown.map(({ name }) => name).join(SEPARATOR));
  return {
    ...view,
    parent_id: parent && there.has(parent.id) ? parent.id : null,
    bytes: row.bytes,
    formatted_bytes: formatBytes(row.bytes),
    files: row.files,
    deleted_by: row.deleted_by,
    deleted_by_name: row.deleted_by_name,
    deleted_at: row.deleted_at,
    purge_at: row.purge_at,
    held: row.held === 1,
  };
}
