import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import { notFound } from '#server/http/errors.ts';
import type { Direction, FolderListing, FolderQuery, ItemType, Sort } from '../contract.ts';
import type { ItemRow } from '../model.ts';
import { toView } from '../model.ts';
import { OF_CLIENT, demand, itemRows, ofFirm, topOfClient } from '../rows.ts';
import { EACH, expression, list } from '../../db/sql.ts';
import { sealOfFolder } from '../seals/guard.ts';
import { below, breadcrumbs, paths } from '../tree.ts';
import { searchIndex } from '#server/search/index.ts';
import { isAtRoot, isVisible, only } from '#server/visibility/visible.ts';

const ORDER_BY: Record<Sort, string> = {
  name: 'i.sort_key',
  owner: 'lower(u.name)',
  modified: 'i.modified_at',
  size: 'coalesce(i.file_size, -1)',
};

type SortedRow = ItemRow & { sort_key: string; sort_value: string | number };

/** Of what a search finds by the names of folders and clients, so many are shown. */
const FOUND = 2500;

/**
 * A folder as its listing shows it; null is 'My Drive'.
 * @throws {AppError} 404 for what is not a folder of the actor's firm, 422 for a cursor of another list.
 */
export async function listFolder(
  db: Knex,
  actor: Actor,
  id: number | null,
  query: FolderQuery = {},
): Promise<FolderListing> {
  demand(actor, 'documents.read');
  const own = { id, firm_id: actor.firmId, type: 'folder' };
  if (id !== null && !(await only(db('items').where(own), isVisible(actor)).first('id')))
    throw notFound('folder');
  const order = { sort: query.sort ?? 'name', direction: query.direction ?? 'asc' } as const;
  const crumbs = id === null ? [] : await breadcrumbs(db, actor, id);
  const seal = id === null ? {} : { seal: await sealOfFolder(db, actor, id) };
  const search = query.search?.trim() ?? '';
  const found = search === '' ? undefined : searchIndex.lookFor(actor, search);
  if (found === null) return { items: [], breadcrumbs: crumbs, next_cursor: null, ...seal };
  const around = found && (await found.around(db, { folderId: id, most: FOUND }));

  const rows = itemRows(db, actor);
  // Where names or a client narrow it down, the firm is only checked.
  if (found || query.client_id !== undefined) rows.whereRaw(ofFirm('i'), [actor.firmId]);
  else rows.where('i.firm_id', actor.firmId);
  if (query.client_id !== undefined) rows.whereRaw(`i.${OF_CLIENT}`, [query.client_id, actor.firmId]);
  if (found && around) {
    const known = list(around.ids);
    rows.whereRaw(`i.id IN (${found.sql} UNION ALL ${EACH})`, [...found.bindings, known]);
    if (id !== null) inside(rows, actor, id);
  } else if (query.client_id !== undefined) topmost(rows, actor, id, query.client_id);
  else if (id === null) rows.whereRaw(isAtRoot(actor, 'i'));
  else rows.where('i.parent_id', id);
  inOrder(rows, order, query.cursor);
  if (query.limit !== undefined) {
    rows.limit(query.limit + 1).select('i.sort_key', expression(db, `${ORDER_BY[order.sort]} AS sort_value`));
  }

  const page = await rows;
  const next =
    query.limit !== undefined && page.length > query.limit ? cursorOf(page[query.limit - 1]!, order) : null;
  if (next) page.pop();
  const shown = found ? page.filter((row) => around?.ids.has(row.id) || found.matches(row.name)) : page;
  const scattered = found !== undefined || query.client_id !== undefined;
  const above = scattered
    ? await paths(
        db,
        actor,
        shown.map((row) => row.parent_id),
      )
    : null;
  return {
    items: shown.map((row) => toView(row, above && (above.get(row.parent_id ?? 0) ?? ''))),
    breadcrumbs: crumbs,
    next_cursor: next,
    ...seal,
  };
}

type Rows = ReturnType<typeof itemRows>;

function inside(rows: Rows, actor: Actor, folderId: number): void {
  const tree = below([folderId], actor);
  rows.whereRaw(`i.id IN (${tree.sql} SELECT id FROM below)`, tree.bindings).whereNot('i.id', folderId);
}

/** Of a client's items below the folder, those whose own folder is not the client's and so will not show them. */
function topmost(rows: Rows, actor: Actor, folderId: number | null, clientId: number): void {
  if (folderId !== null) inside(rows, actor, folderId);
  rows.where((either) => {
    if (folderId !== null) either.where('i.parent_id', folderId);
    either.orWhereRaw(topOfClient('i'), [clientId]);
  });
}

const itemType = (part: unknown): part is ItemType => part === 'folder' || part === 'file';

interface Order {
  sort: Sort;
  direction: Direction;
}

function inOrder(rows: Rows, { sort, direction }: Order, cursor: string | undefined): void {
  const by = ORDER_BY[sort];
  const beyond = direction === 'asc' ? '>' : '<';
  // 'folder' sorts after 'file'.
  const order =
    sort === 'name' ? `i.sort_key ${direction}, i.id ${direction}` : `${by} ${direction}, i.sort_key, i.id`;
  rows.orderByRaw(`i.type DESC, ${order}`);
  if (cursor === undefined) return;
  const sorted = sort === 'size' ? whole : text;
  const [, , type, value, sortKey, id] = decodeCursor(cursor, [
    sort,
    direction,
    itemType,
    sorted,
    text,
    whole,
  ]);
  if (sort === 'name') {
    rows.whereRaw(`(i.type < ? OR (i.type = ? AND (i.sort_key, i.id) ${beyond} (?, ?)))`, [
      type,
      type,
      sortKey,
      id,
    ]);
    return;
  }
  rows.whereRaw(
    `(i.type < ? OR (i.type = ? AND (${by} ${beyond} ? OR (${by} = ? AND (i.sort_key, i.id) > (?, ?)))))`,
    [type, type, value, value, sortKey, id],
  );
}

function cursorOf(row: ItemRow, { sort, direction }: Order): string {
  const { sort_value, sort_key } = row as SortedRow;
  return encodeCursor([sort, direction, row.type, sort_value, sort_key, row.id]);
}
