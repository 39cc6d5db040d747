import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkOnly, queryManyRows, queryRow, queryRows, subqueryOrder } from '#server/db/sql.ts';
import { inScope, isVisible, seesAll } from '#server/visibility/visible.ts';
import * as usage from '../../records/usage.ts';
import type { Condition } from './filters.ts';
import { all } from './filters.ts';
import type { Place, Question, Row } from './file-query.ts';

/** Number of the firm's files scanned for visible ones before choosing another plan. */
const MAX_SCANNED = 5000;
/** Scanning one file of the firm costs this many times as much as fetching one visible file by scope. */
const SCAN_COST = 3;
/** If visible files are so many times rarer here than on average, the scan stops. */
const SPARSITY_LIMIT = 4;

/** All files of an actor who sees only some, read by the index on their scope. */
export const ownFiles = (actor: Actor): Condition => ({
  sql: `firm_id = ? AND ${inScope(actor, '')} AND file_type IS NOT NULL`,
  bindings: [actor.firmId],
});

/** The rows of a scanned range that match the filters, and the end of the range. */
interface ScanResult {
  rows: Row[];
  last: Place | null;
  /** Whether the range was long enough, or has enough matches. */
  filled: boolean;
}

/**
 * Scans the next files in sort order that the actor sees, and returns those that match the filters.
 *
 * For an actor who sees only some, it scans the firm's files, which an index has in order. If visible files are too rare
 * there, it fetches and sorts the actor's own files instead.
 */
export async function scan(db: Knex, question: Question, passed: number, most: number): Promise<ScanResult> {
  const { actor, narrow, wide, named } = question;
  const lookIn = (from: Source): Promise<ScanResult> => scanFrom(db, question, from, passed, most);
  if (seesAll(actor)) return lookIn(firmFiles(question));
  const near = filesNear(question, MAX_SCANNED);
  const rows = await rowsFrom(db, question, near, passed, most);
  const full = filledBy(question, rows, passed, most);
  if (full) return full;
  const wanted = named || narrow.length + wide.length > 0 ? passed : most;
  const own = (await usage.total(db, actor)).files;
  const firms = (await usage.total(db, { ...actor, clientScope: 'all' })).files;
  const expected = Math.ceil((wanted * firms) / Math.max(own, 1));
  if (expected <= MAX_SCANNED) {
    const last = await lastFrom(db, question, near, passed);
    if (last) return { rows, last, filled: true };
  }
  if (SPARSITY_LIMIT * expected > MAX_SCANNED && SCAN_COST * expected < own) {
    const far = await lookIn(filesNear(question, SPARSITY_LIMIT * expected));
    if (far.filled) return far;
  }
  if (named) return lookIn(sortedOwnFiles(question));
  // All rows are read anyway: filtering them first leaves fewer to sort.
  const found = await rowsOfOwn(db, question, most);
  return { rows: found, last: null, filled: true };
}

/** A `FROM` clause that yields rows in order. */
type Source = Condition;

const orderOf = ({ direction }: Question, column: string): string =>
  `${column} ${direction}, id ${direction}`;

function firmFiles(question: Question): Source {
  const { firmId, column } = question;
  const files: Condition = { sql: `firm_id = ? AND type = 'file'`, bindings: [firmId] };
  const { sql, bindings } = all([files, reach(question)]);
  return { sql: `items WHERE ${sql} ORDER BY ${orderOf(question, column)}`, bindings };
}

/** The visible ones among the next files of the firm. */
function filesNear(question: Question, most: number): Source {
  const { sql, bindings } = firmFiles(question);
  const columns = new Set(['id', question.column, ...filteredBy(question), 'scope_client_id']);
  // Invisible files do not count as scanned: otherwise a short page would reveal them.
  const seen = isVisible(question.actor, 'near');
  return {
    sql: `(SELECT ${[...columns].join(', ')} FROM ${sql} LIMIT ${most}) AS near WHERE ${seen}${subqueryOrder(orderOf(question, question.column))}`,
    bindings,
  };
}

/** The actor's own files that match these conditions, fetched and sorted. */
function sortedOwnFiles(question: Question, asked: readonly Condition[] = []): Source {
  const { actor, direction } = question;
  const column = checkOnly(question.column);
  const { sql, bindings } = all([ownFiles(actor), ...asked, reach({ ...question, column })]);
  return {
    sql: `items WHERE ${sql} ORDER BY ${column} ${direction}, ${checkOnly('id')} ${direction}`,
    bindings,
  };
}

function rowsOfOwn(db: Knex, question: Question, most: number): Promise<Row[]> {
  const { narrow, wide, column } = question;
  const { sql, bindings } = sortedOwnFiles(question, [...narrow, ...wide]);
  return queryRows<Row>(db, `SELECT id, ${column} AS value FROM ${sql} LIMIT ${most}`, bindings);
}

/** Columns that filters use; each index of a sort order includes them. */
const FILTERED = ['file_type', 'client_id', 'owner_id', 'modified_at'];

/** Columns that only filters of a search use; these need the rows themselves. */
const RARE_COLUMNS = ['scope_client_id', 'sha256'];

const filteredBy = ({ narrow, wide }: Question): string[] => [
  ...FILTERED,
  ...RARE_COLUMNS.filter((column) => [...narrow, ...wide].some(({ sql }) => sql.includes(column))),
];

async function scanFrom(
  db: Knex,
  question: Question,
  from: Source,
  passed: number,
  most: number,
): Promise<ScanResult> {
  const rows = await rowsFrom(db, question, from, passed, most);
  const full = filledBy(question, rows, passed, most);
  if (full) return full;
  const last = await lastFrom(db, question, from, passed);
  return { rows, last, filled: last !== null };
}

/** The result, if the rows alone determine it: a full page, or all scanned rows if nothing is filtered. */
function filledBy({ named }: Question, rows: Row[], passed: number, most: number): ScanResult | null {
  // A full page ends at its last file.
  if (!named && rows.length === most) return { rows, last: null, filled: true };
  return rows.length === passed ? { rows, last: rows.at(-1)!, filled: true } : null;
}

/** Matching rows among the next files. */
async function rowsFrom(
  db: Knex,
  question: Question,
  from: Source,
  passed: number,
  most: number,
): Promise<Row[]> {
  const { column, direction, narrow, wide, named } = question;
  const asked = all([...narrow, ...wide]);
  const window = `SELECT id, ${column} AS value, ${filteredBy(question).join(', ')} FROM ${from.sql} LIMIT ${passed}`;
  const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${asked.sql}`;
  const bindings = [...from.bindings, ...asked.bindings];
  const order = subqueryOrder(orderOf(question, 'value'));
  if (!named) return queryRows<Row>(db, `${filtered}${order} LIMIT ${most}`, bindings);
  return queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT f.id, f.value, i.name, i.parent_id, i.client_id FROM (${filtered}) AS f CROSS JOIN items i WHERE i.id = f.id${subqueryOrder(`f.value ${direction}, f.id ${direction}`)}
     LIMIT ${most}`,
    bindings,
  );
}

/** The end of the next files; null if there are fewer. */
async function lastFrom(db: Knex, { column }: Question, from: Source, passed: number): Promise<Place | null> {
  const sql = `SELECT id, ${column} AS value FROM ${from.sql} LIMIT 1 OFFSET ${passed - 1}`;
  return (await queryRow<Place>(db, sql, from.bindings)) ?? null;
}

/**
 * The part of the sort order after a position and, for dates, within a range. At the start of the scan it compares only
 * with the nearer of the two: given both, SQLite would start at one and skip all rows that the other excludes.
 */
function reach({ column, direction, after, span }: Question): Condition {
  const up = direction === 'asc';
  const outside = after && span && (up ? after.value < span.from : after.value >= span.to);
  const parts: Condition[] = [];
  if (after && !outside)
    parts.push({ sql: `(${column}, id) ${up ? '>' : '<'} (?, ?)`, bindings: [after.value, after.id] });
  if (span && (up || !after || outside)) parts.push({ sql: `${column} < ?`, bindings: [span.to] });
  if (span && (!up || !after || outside)) parts.push({ sql: `${column} >= ?`, bindings: [span.from] });
  return all(parts);
}
