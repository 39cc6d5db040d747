import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkOnly, queryManyRows, queryRow, queryRows, subqueryOrder } from '#server/db/sql.ts';
import { inScope, isVisible, seesAll } from '#server/visibility/visible.ts';
import * as usage from '../../records/usage.ts';
import type { Condition } from './filters.ts';
import { all } from './filters.ts';
import type { SortPosition, FileQuery, Row } from './file-query.ts';

/** Number of the firm's files scanned for visible ones before choosing another plan. */
const MAX_SCANNED = 5000;
/** Scanning one file of the firm costs this many times as much as fetching one visible file by scope. */
const SCAN_COST = 3;
/** If visible files are so many times rarer here than on average, the scan stops. */
const SPARSITY_LIMIT = 4;

/** All files of an actor who sees only some, read by the index on their scope. */
export const ownFilesCondition = (actor: Actor): Condition => ({
  sql: `firm_id = ? AND ${inScope(actor, '')} AND file_type IS NOT NULL`,
  bindings: [actor.firmId],
});

/** The rows of a scanned range that match the filters, and the end of the range. */
interface ScanResult {
  rows: Row[];
  last: SortPosition | null;
  /** Whether the range was long enough, or has enough matches. */
  filled: boolean;
}

/**
 * Scans the next files in sort order that the actor sees, and returns those that match the filters.
 *
 * For an actor who sees only some, it scans the firm's files, which an index has in order. If visible files are too rare
 * there, it fetches and sorts the actor's own files instead.
 */
export async function scan(
  db: Knex,
  query: FileQuery,
  windowSize: number,
  maxRows: number,
): Promise<ScanResult> {
  const { actor, indexedFilters, otherConditions, nameSearch } = query;
  const scanSource = (source: Source): Promise<ScanResult> =>
    scanFrom(db, query, source, windowSize, maxRows);
  if (seesAll(actor)) return scanSource(firmFiles(query));
  const firstWindow = visibleInWindow(query, MAX_SCANNED);
  const rows = await matchingRowsIn(db, query, firstWindow, windowSize, maxRows);
  const filled = filledResult(query, rows, windowSize, maxRows);
  if (filled) return filled;
  const filesWanted = nameSearch || indexedFilters.length + otherConditions.length > 0 ? windowSize : maxRows;
  const ownFileCount = (await usage.total(db, actor)).files;
  const firmFileCount = (await usage.total(db, { ...actor, clientScope: 'all' })).files;
  const expected = Math.ceil((filesWanted * firmFileCount) / Math.max(ownFileCount, 1));
  if (expected <= MAX_SCANNED) {
    const last = await windowEnd(db, query, firstWindow, windowSize);
    if (last) return { rows, last, filled: true };
  }
  if (SPARSITY_LIMIT * expected > MAX_SCANNED && SCAN_COST * expected < ownFileCount) {
    const widerScan = await scanSource(visibleInWindow(query, SPARSITY_LIMIT * expected));
    if (widerScan.filled) return widerScan;
  }
  if (nameSearch) return scanSource(sortedOwnFiles(query));
  // All rows are read anyway: filtering them first leaves fewer to sort.
  const ownRows = await matchingOwnRows(db, query, maxRows);
  return { rows: ownRows, last: null, filled: true };
}

/** A `FROM` clause that yields rows in order. */
type Source = Condition;

const orderOf = ({ direction }: FileQuery, column: string): string =>
  `${column} ${direction}, id ${direction}`;

function firmFiles(query: FileQuery): Source {
  const { firmId, column } = query;
  const files: Condition = { sql: `firm_id = ? AND type = 'file'`, bindings: [firmId] };
  const { sql, bindings } = all([files, afterPosition(query)]);
  return { sql: `items WHERE ${sql} ORDER BY ${orderOf(query, column)}`, bindings };
}

/** The visible ones among the next files of the firm. */
function visibleInWindow(query: FileQuery, maxRows: number): Source {
  const { sql, bindings } = firmFiles(query);
  const columns = new Set(['id', query.column, ...filterColumns(query), 'scope_client_id']);
  // Invisible files do not count as scanned: otherwise a short page would reveal them.
  const visible = isVisible(query.actor, 'near');
  return {
    sql: `(SELECT ${[...columns].join(', ')} FROM ${sql} LIMIT ${maxRows}) AS near WHERE ${visible}${subqueryOrder(orderOf(query, query.column))}`,
    bindings,
  };
}

/** The actor's own files that match these conditions, fetched and sorted. */
function sortedOwnFiles(query: FileQuery, conditions: readonly Condition[] = []): Source {
  const { actor, direction } = query;
  const column = checkOnly(query.column);
  const { sql, bindings } = all([
    ownFilesCondition(actor),
    ...conditions,
    afterPosition({ ...query, column }),
  ]);
  return {
    sql: `items WHERE ${sql} ORDER BY ${column} ${direction}, ${checkOnly('id')} ${direction}`,
    bindings,
  };
}

function matchingOwnRows(db: Knex, query: FileQuery, maxRows: number): Promise<Row[]> {
  const { indexedFilters, otherConditions, column } = query;
  const { sql, bindings } = sortedOwnFiles(query, [...indexedFilters, ...otherConditions]);
  return queryRows<Row>(db, `SELECT id, ${column} AS value FROM ${sql} LIMIT ${maxRows}`, bindings);
}

/** Columns that filters use; each index of a sort order includes them. */
const FILTERED = ['file_type', 'client_id', 'owner_id', 'modified_at'];

/** Columns that only filters of a search use; these need the rows themselves. */
const RARE_COLUMNS = ['scope_client_id', 'sha256'];

const filterColumns = ({ indexedFilters, otherConditions }: FileQuery): string[] => [
  ...FILTERED,
  ...RARE_COLUMNS.filter((column) =>
    [...indexedFilters, ...otherConditions].some(({ sql }) => sql.includes(column)),
  ),
];

async function scanFrom(
  db: Knex,
  query: FileQuery,
  source: Source,
  windowSize: number,
  maxRows: number,
): Promise<ScanResult> {
  const rows = await matchingRowsIn(db, query, source, windowSize, maxRows);
  const filled = filledResult(query, rows, windowSize, maxRows);
  if (filled) return filled;
  const last = await windowEnd(db, query, source, windowSize);
  return { rows, last, filled: last !== null };
}

/** The result, if the rows alone determine it: a full page, or all scanned rows if nothing is filtered. */
function filledResult(
  { nameSearch }: FileQuery,
  rows: Row[],
  windowSize: number,
  maxRows: number,
): ScanResult | null {
  // A full page ends at its last file.
  if (!nameSearch && rows.length === maxRows) return { rows, last: null, filled: true };
  return rows.length === windowSize ? { rows, last: rows.at(-1)!, filled: true } : null;
}

/** Matching rows among the next files. */
async function matchingRowsIn(
  db: Knex,
  query: FileQuery,
  source: Source,
  windowSize: number,
  maxRows: number,
): Promise<Row[]> {
  const { column, direction, indexedFilters, otherConditions, nameSearch } = query;
  const conditions = all([...indexedFilters, ...otherConditions]);
  const window = `SELECT id, ${column} AS value, ${filterColumns(query).join(', ')} FROM ${source.sql} LIMIT ${windowSize}`;
  const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${conditions.sql}`;
  const bindings = [...source.bindings, ...conditions.bindings];
  const order = subqueryOrder(orderOf(query, 'value'));
  if (!nameSearch) return queryRows<Row>(db, `${filtered}${order} LIMIT ${maxRows}`, bindings);
  return queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT f.id, f.value, i.name, i.parent_id, i.client_id FROM (${filtered}) AS f CROSS JOIN items i WHERE i.id = f.id${subqueryOrder(`f.value ${direction}, f.id ${direction}`)}
     LIMIT ${maxRows}`,
    bindings,
  );
}

/** The end of the next files; null if there are fewer. */
async function windowEnd(
  db: Knex,
  { column }: FileQuery,
  source: Source,
  windowSize: number,
): Promise<SortPosition | null> {
  const sql = `SELECT id, ${column} AS value FROM ${source.sql} LIMIT 1 OFFSET ${windowSize - 1}`;
  return (await queryRow<SortPosition>(db, sql, source.bindings)) ?? null;
}

/**
 * The part of the sort order after a position and, for dates, within a range. At the start of the scan it compares only
 * with the nearer of the two: given both, SQLite would start at one and skip all rows that the other excludes.
 */
function afterPosition({ column, direction, after, span }: FileQuery): Condition {
  const ascending = direction === 'asc';
  const outside = after && span && (ascending ? after.value < span.from : after.value >= span.to);
  const conditions: Condition[] = [];
  if (after && !outside)
    conditions.push({
      sql: `(${column}, id) ${ascending ? '>' : '<'} (?, ?)`,
      bindings: [after.value, after.id],
    });
  if (span && (ascending || !after || outside))
    conditions.push({ sql: `${column} < ?`, bindings: [span.to] });
  if (span && (!ascending || !after || outside))
    conditions.push({ sql: `${column} >= ?`, bindings: [span.from] });
  return all(conditions);
}
