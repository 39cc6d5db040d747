import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import type { FolderListing, FolderQuery } from '../contract.ts';
import { searchByLabel } from '../labels/of-items.ts';
import { withMarks } from '../views.ts';
import { toView } from '../model.ts';
import { ITEM_COLUMNS, OF_CLIENT, requirePermission, itemRows, ofFirm, topOfClient } from '../rows.ts';
import { BOUND_IDS, checkOnly, expression, bindList, manyRowsOf } from '../../db/sql.ts';
import { sealOfFolder } from '../seals/guard.ts';
import { below, breadcrumbs, paths } from '../tree.ts';
import type { Rows, SortedRow } from './folder-order.ts';
import { ORDER_BY, cursorOf, inOrder, itemsFor, pageOf } from './folder-order.ts';
import { rootIds } from './root.ts';
import type { ParsedSearch } from '#server/search/index.ts';
import { searchIndex } from '#server/search/index.ts';
import { isAtRoot, isVisible, only } from '#server/visibility/visible.ts';

/** Parses a typed search, and looks up which files match it. */
export interface SearchDependencies {
  parseSearch: (actor: Actor, search: string) => Promise<ParsedSearch>;
  listedInside: (actor: Actor, search: ParsedSearch) => Promise<number[]>;
}

/** Maximum number of results that match by the names of folders or clients. */
const MAX_FOUND = 2500;

/**
 * The listing of a folder; null for 'My Drive'.
 * @throws {AppError} 404 for an unknown folder, 422 for a cursor of another list.
 */
export async function listFolder(
  { db, searches }: { db: Knex; searches: SearchDependencies },
  actor: Actor,
  id: number | null,
  query: FolderQuery = {},
): Promise<FolderListing> {
  requirePermission(actor, 'documents.read');
  const folder = { id, firm_id: actor.firmId, type: 'folder' };
  if (id !== null && !(await only(db('items').where(folder), isVisible(actor)).first('id')))
    throw notFound('folder');
  const order = { sort: query.sort ?? 'name', direction: query.direction ?? 'asc' } as const;
  const crumbs = id === null ? [] : await breadcrumbs(db, actor, id);
  const seal = id === null ? {} : { seal: await sealOfFolder(db, actor, id) };
  const search = query.search?.trim() ?? '';
  const parsed = search === '' ? null : await searches.parseSearch(actor, search);
  const words = parsed?.text.trim() ?? '';
  const nameSearch = words === '' ? undefined : searchIndex.createFilter(actor, words);
  if (nameSearch === null || (parsed && parsed.notes.length > 0))
    return { items: [], breadcrumbs: crumbs, next_cursor: null, ...seal };
  const contextMatches = nameSearch && {
    ids: new Set([
      ...(await nameSearch.searchWithContext(db, { folderId: id, most: MAX_FOUND })).ids,
      ...(await searchByLabel(db, actor, words, MAX_FOUND)),
      ...(await searches.listedInside(actor, parsed!)),
    ]),
  };
  const typedConditions =
    parsed?.conditions.map(({ condition }) => condition((column) => checkOnly(`i.${column}`))) ?? [];

  const spansFolders =
    nameSearch !== undefined || typedConditions.length > 0 || query.client_id !== undefined;
  const withFilters = (rows: Rows): Rows => {
    // If names or a client select the rows, the firm's index must not be used.
    if (spansFolders) rows.whereRaw(ofFirm('i'), [actor.firmId]);
    else rows.where('i.firm_id', actor.firmId);
    if (query.client_id !== undefined) rows.whereRaw(`i.${OF_CLIENT}`, [query.client_id, actor.firmId]);
    for (const { sql, bindings } of typedConditions) rows.whereRaw(sql, bindings as string[]);
    if (parsed?.only === 'file') rows.whereNotNull('i.file_type');
    if (nameSearch && contextMatches) {
      const known = bindList(contextMatches.ids);
      rows.whereRaw(`i.id IN (${nameSearch.sql} UNION ALL ${BOUND_IDS})`, [...nameSearch.bindings, known]);
      if (id !== null) restrictToFolder(rows, actor, id);
    } else if (typedConditions.length > 0) {
      if (id !== null) restrictToFolder(rows, actor, id);
    } else if (query.client_id !== undefined) restrictToTopOfClient(rows, actor, id, query.client_id);
    else if (id !== null) rows.where('i.parent_id', id);
    else rows.whereRaw(isAtRoot(actor, 'i'));
    return rows;
  };
  const { limit, cursor } = query;
  const rows = itemRows(db, actor);
  const columns: (keyof SortedRow)[] = [...ITEM_COLUMNS];
  let more = false;
  if (limit === undefined) inOrder(withFilters(rows), order, cursor);
  else {
    const pageQuery = { order, cursor, size: limit + 1 };
    const ids: number[] =
      id === null && !spansFolders
        ? await rootIds(db, actor, pageQuery)
        : await pageOf(only(withFilters(itemsFor(db, order)), isVisible(actor, 'i')), pageQuery);
    more = ids.length > limit;
    // Names and counts are fetched only for the rows of this page.
    inOrder(rows.whereRaw(`i.id IN (${BOUND_IDS})`, [bindList(ids)]), order);
    rows.select('i.sort_key', expression(db, `${ORDER_BY[order.sort]} AS sort_value`));
    columns.push('sort_key', 'sort_value');
  }

  const page = await manyRowsOf<SortedRow>(db, columns, rows);
  if (page.length > (limit ?? page.length)) page.pop();
  const last = more ? page.at(-1) : undefined;
  const matching = nameSearch
    ? page.filter((row) => contextMatches?.ids.has(row.id) || nameSearch.matches(row.name))
    : page;
  const parentPaths = spansFolders
    ? await paths(
        db,
        actor,
        matching.map((row) => row.parent_id),
      )
    : null;
  return {
    items: await withMarks(
      db,
      actor,
      matching.map((row) => toView(row, parentPaths && (parentPaths.get(row.parent_id ?? 0) ?? ''))),
    ),
    breadcrumbs: crumbs,
    next_cursor: last ? cursorOf(last, order) : null,
    ...seal,
  };
}

function restrictToFolder(rows: Rows, actor: Actor, folderId: number): void {
  const tree = below([folderId], actor);
  rows.whereRaw(`i.id IN (${tree.sql} SELECT id FROM below)`, tree.bindings).whereNot('i.id', folderId);
}

/**
 * Items of the client below the folder whose parent folder is not the client's; the others are shown inside their
 * folder.
 */
function restrictToTopOfClient(rows: Rows, actor: Actor, folderId: number | null, clientId: number): void {
  if (folderId !== null) restrictToFolder(rows, actor, folderId);
  rows.where((either) => {
    if (folderId !== null) either.where('i.parent_id', folderId);
    either.orWhereRaw(topOfClient('i'), [clientId]);
  });
}
