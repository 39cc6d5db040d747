import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import type { Direction, FilesPage, FilesQuery, FileSort, ItemView } from '../contract.ts';
import { typedFiltersOf, filtersOf, spanOf } from './filters.ts';
import type { SortPosition } from './file-query.ts';
import { findFiles } from './query-plan.ts';
import { requirePermission } from '../rows.ts';
import * as usage from '../../records/usage.ts';
import type { ParsedSearch } from '#server/search/index.ts';
import { searchIndex } from '#server/search/index.ts';

const PAGE = 60;
const COLUMN: Record<FileSort, string> = { name: 'sort_key', modified: 'modified_at', size: 'file_size' };

interface FilesDependencies {
  db: Knex;
  parseSearch: (actor: Actor, search: string) => Promise<ParsedSearch>;
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
}

/** One page of all files of the firm. @throws {AppError} 403, 422 for a cursor of another list. */
export async function listFiles(
  { db, parseSearch, views }: FilesDependencies,
  actor: Actor,
  query: FilesQuery,
): Promise<FilesPage> {
  requirePermission(actor, 'documents.read');
  const { sort = 'modified', direction = 'desc', limit = PAGE, search = '', cursor } = query;
  const after = cursor === undefined ? null : placeOf(cursor, sort, direction);
  const { text: nameWords, conditions, notes } = await parseSearch(actor, search);
  const nameSearch = nameWords.trim() === '' ? undefined : searchIndex.createFilter(actor, nameWords);
  if (nameSearch === null || notes.length > 0) return { items: [], next_cursor: null, total: 0 };

  const { firmId } = actor;
  const chosen = filtersOf(query, firmId);
  const typed = typedFiltersOf(conditions, firmId);
  const indexedFilters = [...typed.indexedFilters, ...chosen.indexedFilters];
  const otherConditions = [...typed.otherConditions, ...chosen.otherConditions];
  const span = sort === 'modified' ? spanOf(query) : null;
  const fileQuery = {
    actor,
    firmId,
    column: COLUMN[sort],
    direction,
    after,
    limit,
    indexedFilters,
    otherConditions,
    span,
    nameSearch,
  };
  const { ids, end, total } = await findFiles(db, fileQuery);
  const everything = indexedFilters.length + otherConditions.length === 0 && !nameSearch && !after;
  return {
    items: await views(actor, ids),
    next_cursor: end && encodeCursor([sort, direction, end.value, end.id]),
    total: everything ? (await usage.total(db, actor)).files : total,
  };
}

function placeOf(cursor: string, sort: FileSort, direction: Direction): SortPosition {
  const [, , value, id] = decodeCursor(cursor, [sort, direction, sort === 'size' ? whole : text, whole]);
  return { value, id };
}
