import type { Knex } from 'knex';
import type { Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition } from './filters.ts';
import { all, ofOneOf } from './filters.ts';
import { scan, ownFilesCondition } from './in-order.ts';
import type { SortPosition, FileQuery, Row } from './file-query.ts';
import { hasSmallShare } from '#server/visibility/small-share.ts';
import { SMALL_SHARE, andVisible } from '#server/visibility/visible.ts';
import { ofFirm } from '../rows.ts';
import {
  BOUND_IDS,
  checkOnly,
  commaSeparated,
  bindList,
  queryManyRows,
  queryRow,
  queryRows,
} from '../../db/sql.ts';

/** Up to so many files, reading and sorting all of them is cheapest; fewer for a search, which also reads names. */
const MAX_SORTED = 1500;
const MAX_SORTED_NAMED = 500;
/**
 * Number of index entries scanned to find these few files. If there are more, files are scanned in sort order until the
 * page is full, or until so many were scanned and something was found; the cursor then holds the position. All these
 * indexes include the filtered columns; only a search reads the rows, for their names.
 */
const MAX_SCANNED = 4000;
const MAX_SCANNED_NAMED = 1200;

/**
 * A search first scans so many pages in sort order, and doubles the number until a page is full: if many files match,
 * little is read.
 */
const FIRST_PAGES = 2;

/** A page of files in order. If `end` is set, more files follow, although the page may not be full. */
interface FilesResult {
  ids: number[];
  end: SortPosition | null;
  /** Of all pages; null if counting them would require reading all. */
  total: number | null;
}

/** A condition that one index answers with few files. */
interface SelectiveCondition extends Condition {
  /** The matches of the search among these files. */
  matching: (rows: readonly Row[]) => Promise<Row[]>;
  /** Whether the condition selects all matches. */
  complete: boolean;
}

export async function findFiles(db: Knex, query: FileQuery): Promise<FilesResult> {
  const selective = await mostSelective(db, query);
  if (selective) return readSelective(db, query, selective);
  if (!query.nameSearch) return inOrder(db, query);
  return searchFiles(db, query, query.nameSearch);
}

/** A search whose filters select very many files: starts with the names. */
async function searchFiles(db: Knex, query: FileQuery, nameSearch: Search): Promise<FilesResult> {
  const clients = await nameSearch.requiredClients(db);
  if (clients?.size === 0) return { ids: [], end: null, total: 0 };
  // The clients' condition either selects few files, or is checked in an index that includes the scope.
  const narrowedQuery = clients
    ? { ...query, indexedFilters: [...query.indexedFilters, ofOneOf(clients)] }
    : query;
  const selective =
    (clients && (await mostSelective(db, narrowedQuery))) ?? (await selectiveNames(db, nameSearch));
  return selective ? readSelective(db, narrowedQuery, selective) : inOrder(db, narrowedQuery);
}

async function mostSelective(
  db: Knex,
  { actor, indexedFilters, otherConditions, nameSearch }: FileQuery,
): Promise<SelectiveCondition | null> {
  const matching = async (rows: readonly Row[]) =>
    nameSearch ? nameSearch.filterItems(db, rows) : [...rows];
  const maxSorted = nameSearch ? MAX_SORTED_NAMED : MAX_SORTED;
  const count = async ({ sql, bindings }: Condition): Promise<number> => {
    const entries = `SELECT 1 FROM items WHERE ${sql} LIMIT ${MAX_SCANNED + 1}`;
    const row = await queryRow<{ files: number }>(
      db,
      `SELECT count(*) AS files FROM (${entries}) AS these`,
      bindings,
    );
    return row!.files;
  };
  if (await hasSmallShare(db, actor, nameSearch ? MAX_SORTED_NAMED : SMALL_SHARE))
    return { ...ownFilesCondition(actor), matching, complete: true };
  for (const { indexed } of indexedFilters) {
    const scanned = await count(indexed);
    if (scanned <= maxSorted) return { ...indexed, matching, complete: true };
    const isOnlyFilter = indexedFilters.length + otherConditions.length === 1;
    if (
      scanned <= MAX_SCANNED &&
      !isOnlyFilter &&
      (await count(all([indexed, ...indexedFilters, ...otherConditions]))) <= maxSorted
    )
      return { ...indexed, matching, complete: true };
  }
  return null;
}

/** Files with matching names, and the files of matching folders and clients, if these are few. */
async function selectiveNames(db: Knex, nameSearch: Search): Promise<SelectiveCondition | null> {
  const found = await queryRow<{ files: number; ids: string | null }>(
    db,
    `SELECT count(*) AS files, ${commaSeparated('id')} AS ids FROM (${nameSearch.newest(MAX_SORTED_NAMED + 1)}) AS these`,
    nameSearch.bindings,
  );
  if (found!.files > MAX_SORTED_NAMED) return null;
  const { ids, more, many } = await nameSearch.searchWithContext(db, { most: MAX_SORTED_NAMED });
  // There are more matches: a scan in sort order finds them all, and quickly if they are many.
  if (many || (more && found!.files + ids.size >= MAX_SORTED_NAMED)) return null;
  const matching = async (rows: readonly Row[]) =>
    rows.filter(({ id, name }) => ids.has(id) || nameSearch.matches(name));
  const bindings = [`[${found!.ids ?? ''}]`, bindList(ids)];
  return { sql: `id IN (${BOUND_IDS} UNION ALL ${BOUND_IDS})`, bindings, matching, complete: !more };
}

/** Reads all files that the selective condition selects, and sorts them. */
async function readSelective(
  db: Knex,
  query: FileQuery,
  selective: SelectiveCondition,
): Promise<FilesResult> {
  const { actor, firmId, column, direction, after, limit, indexedFilters, otherConditions, nameSearch } =
    query;
  const { sql, bindings } = all([
    selective,
    ...indexedFilters,
    ...otherConditions,
    {
      sql: `${ofFirm('items')} AND ${checkOnly('file_type')} IS NOT NULL${andVisible(actor)}`,
      bindings: [firmId],
    },
  ]);
  const order = `ORDER BY ${checkOnly(column)} ${direction}, ${checkOnly('id')} ${direction}`;
  if (!nameSearch) {
    const afterCursor = after
      ? `(${checkOnly(column)}, ${checkOnly('id')}) ${direction === 'asc' ? '>' : '<'} (?, ?)`
      : 'true';
    const page = await queryRows<SortPosition>(
      db,
      `SELECT id, ${column} AS value FROM items WHERE ${sql} AND ${afterCursor} ${order} LIMIT ${limit + 1}`,
      [...bindings, ...(after ? [after.value, after.id] : [])],
    );
    return {
      ...cutPage(page, limit),
      total: after ? null : await totalOf(db, page, limit, { sql, bindings }),
    };
  }
  // Matches are determined only here, so all candidates are fetched.
  const candidates = await queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT id, ${column} AS value, name, parent_id, client_id FROM items WHERE ${sql} ${order}`,
    bindings,
  );
  const matching = await selective.matching(candidates);
  const rest = after ? matching.filter((row) => isAfter(row, after, direction)) : matching;
  return { ...cutPage(rest, limit), total: selective.complete ? matching.length : null };
}

/** Number of all matches; this is the first page plus one row. */
async function totalOf(
  db: Knex,
  { length }: readonly SortPosition[],
  limit: number,
  { sql, bindings }: Condition,
): Promise<number> {
  if (length <= limit) return length;
  const row = await queryRow<{ n: number }>(db, `SELECT count(*) AS n FROM items WHERE ${sql}`, bindings);
  return row!.n;
}

/** Scans the firm's files in sort order until the page is full or the limit is reached. */
async function inOrder(db: Knex, query: FileQuery): Promise<FilesResult> {
  const { after, limit, indexedFilters, otherConditions, nameSearch } = query;
  if (!nameSearch) {
    let result = await scan(db, query, MAX_SCANNED, limit + 1);
    // Continues until something is found: an empty page would mean that nothing matches.
    while (result.rows.length === 0 && result.last)
      result = await scan(db, { ...query, after: result.last }, MAX_SCANNED, limit + 1);
    return resultOf(query, result.rows, result.last);
  }
  const maxScanned = indexedFilters.length + otherConditions.length === 0 ? MAX_SCANNED_NAMED : MAX_SCANNED;
  const found: Row[] = [];
  let last = after;
  for (
    let scanned = 0, windowSize = FIRST_PAGES * limit;
    // Continues until something is found, as above.
    (scanned < maxScanned || found.length === 0) && found.length <= limit;
    scanned += windowSize, windowSize *= 2
  ) {
    windowSize = Math.min(windowSize, scanned < maxScanned ? maxScanned - scanned : MAX_SCANNED);
    const result = await scan(db, { ...query, after: last }, windowSize, windowSize);
    found.push(...(await nameSearch.filterItems(db, result.rows)));
    last = result.last;
    if (!last) break;
  }
  return resultOf(query, found, last);
}

/** @param last position at which the scan stopped; null at the end of the list. */
function resultOf({ after, limit }: FileQuery, rows: readonly Row[], last: SortPosition | null): FilesResult {
  const { ids, end } = cutPage(rows, limit);
  if (end) return { ids, end, total: null };
  return { ids, end: last, total: after || last ? null : ids.length };
}

/** Cuts a page from the rows, which are one more than a page if another page follows. */
const cutPage = (page: readonly SortPosition[], limit: number): Pick<FilesResult, 'ids' | 'end'> => ({
  ids: page.slice(0, limit).map(({ id }) => id),
  end: page.length > limit ? page[limit - 1]! : null,
});

function isAfter(row: SortPosition, after: SortPosition, direction: Direction): boolean {
  const side = row.value === after.value ? row.id - after.id : compare(row.value, after.value);
  return direction === 'asc' ? side > 0 : side < 0;
}

/** Compares like SQLite and PostgreSQL's "C" collation. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
