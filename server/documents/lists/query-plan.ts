import type { Knex } from 'knex';
import type { Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition } from './filters.ts';
import { all, ofOneOf } from './filters.ts';
import { scan, ownFiles } from './in-order.ts';
import type { Place, Question, Row } from './file-query.ts';
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
interface Found {
  ids: number[];
  end: Place | null;
  /** Of all pages; null if counting them would require reading all. */
  total: number | null;
}

/** A condition that one index answers with few files. */
interface Selective extends Condition {
  /** The matches of the search among these files. */
  matching: (rows: readonly Row[]) => Promise<Row[]>;
  /** Whether the condition selects all matches. */
  complete: boolean;
}

export async function findFiles(db: Knex, question: Question): Promise<Found> {
  const selective = await mostSelective(db, question);
  if (selective) return readSelective(db, question, selective);
  if (!question.named) return inOrder(db, question);
  return search(db, question, question.named);
}

/** A search whose filters select very many files: starts with the names. */
async function search(db: Knex, question: Question, named: Search): Promise<Found> {
  const clients = await named.requiredClients(db);
  if (clients?.size === 0) return { ids: [], end: null, total: 0 };
  // The clients' condition either selects few files, or is checked in an index that includes the scope.
  const narrower = clients ? { ...question, narrow: [...question.narrow, ofOneOf(clients)] } : question;
  const selective = (clients && (await mostSelective(db, narrower))) ?? (await selectiveNames(db, named));
  return selective ? readSelective(db, narrower, selective) : inOrder(db, narrower);
}

async function mostSelective(db: Knex, { actor, narrow, wide, named }: Question): Promise<Selective | null> {
  const matching = async (rows: readonly Row[]) => (named ? named.filterItems(db, rows) : [...rows]);
  const most = named ? MAX_SORTED_NAMED : MAX_SORTED;
  const count = async ({ sql, bindings }: Condition): Promise<number> => {
    const some = `SELECT 1 FROM items WHERE ${sql} LIMIT ${MAX_SCANNED + 1}`;
    const row = await queryRow<{ files: number }>(
      db,
      `SELECT count(*) AS files FROM (${some}) AS these`,
      bindings,
    );
    return row!.files;
  };
  if (await hasSmallShare(db, actor, named ? MAX_SORTED_NAMED : SMALL_SHARE))
    return { ...ownFiles(actor), matching, complete: true };
  for (const { indexed } of narrow) {
    const passed = await count(indexed);
    if (passed <= most) return { ...indexed, matching, complete: true };
    const alone = narrow.length + wide.length === 1;
    if (passed <= MAX_SCANNED && !alone && (await count(all([indexed, ...narrow, ...wide]))) <= most)
      return { ...indexed, matching, complete: true };
  }
  return null;
}

/** Files with matching names, and the files of matching folders and clients, if these are few. */
async function selectiveNames(db: Knex, named: Search): Promise<Selective | null> {
  const found = await queryRow<{ files: number; ids: string | null }>(
    db,
    `SELECT count(*) AS files, ${commaSeparated('id')} AS ids FROM (${named.newest(MAX_SORTED_NAMED + 1)}) AS these`,
    named.bindings,
  );
  if (found!.files > MAX_SORTED_NAMED) return null;
  const { ids, more, many } = await named.searchWithContext(db, { most: MAX_SORTED_NAMED });
  // There are more matches: a scan in sort order finds them all, and quickly if they are many.
  if (many || (more && found!.files + ids.size >= MAX_SORTED_NAMED)) return null;
  const matching = async (rows: readonly Row[]) =>
    rows.filter(({ id, name }) => ids.has(id) || named.matches(name));
  const bindings = [`[${found!.ids ?? ''}]`, bindList(ids)];
  return { sql: `id IN (${BOUND_IDS} UNION ALL ${BOUND_IDS})`, bindings, matching, complete: !more };
}

/** Reads all files that `few` selects, and sorts them. */
async function readSelective(db: Knex, question: Question, selective: Selective): Promise<Found> {
  const { actor, firmId, column, direction, after, limit, narrow, wide, named } = question;
  const { sql, bindings } = all([
    selective,
    ...narrow,
    ...wide,
    {
      sql: `${ofFirm('items')} AND ${checkOnly('file_type')} IS NOT NULL${andVisible(actor)}`,
      bindings: [firmId],
    },
  ]);
  const order = `ORDER BY ${checkOnly(column)} ${direction}, ${checkOnly('id')} ${direction}`;
  if (!named) {
    const beyond = after
      ? `(${checkOnly(column)}, ${checkOnly('id')}) ${direction === 'asc' ? '>' : '<'} (?, ?)`
      : 'true';
    const page = await queryRows<Place>(
      db,
      `SELECT id, ${column} AS value FROM items WHERE ${sql} AND ${beyond} ${order} LIMIT ${limit + 1}`,
      [...bindings, ...(after ? [after.value, after.id] : [])],
    );
    return { ...cut(page, limit), total: after ? null : await totalOf(db, page, limit, { sql, bindings }) };
  }
  // Matches are determined only here, so all candidates are fetched.
  const likely = await queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT id, ${column} AS value, name, parent_id, client_id FROM items WHERE ${sql} ${order}`,
    bindings,
  );
  const matching = await selective.matching(likely);
  const rest = after ? matching.filter((row) => isBeyond(row, after, direction)) : matching;
  return { ...cut(rest, limit), total: selective.complete ? matching.length : null };
}

/** Number of all matches; this is the first page plus one row. */
async function totalOf(
  db: Knex,
  { length }: readonly Place[],
  limit: number,
  { sql, bindings }: Condition,
): Promise<number> {
  if (length <= limit) return length;
  const row = await queryRow<{ n: number }>(db, `SELECT count(*) AS n FROM items WHERE ${sql}`, bindings);
  return row!.n;
}

/** Scans the firm's files in sort order until the page is full or the limit is reached. */
async function inOrder(db: Knex, question: Question): Promise<Found> {
  const { after, limit, narrow, wide, named } = question;
  if (!named) {
    let part = await scan(db, question, MAX_SCANNED, limit + 1);
    // Continues until something is found: an empty page would mean that nothing matches.
    while (part.rows.length === 0 && part.last)
      part = await scan(db, { ...question, after: part.last }, MAX_SCANNED, limit + 1);
    return foundOf(question, part.rows, part.last);
  }
  const most = narrow.length + wide.length === 0 ? MAX_SCANNED_NAMED : MAX_SCANNED;
  const found: Row[] = [];
  let last = after;
  for (
    let passed = 0, step = FIRST_PAGES * limit;
    // Continues until something is found, as above.
    (passed < most || found.length === 0) && found.length <= limit;
    passed += step, step *= 2
  ) {
    step = Math.min(step, passed < most ? most - passed : MAX_SCANNED);
    const part = await scan(db, { ...question, after: last }, step, step);
    found.push(...(await named.filterItems(db, part.rows)));
    last = part.last;
    if (!last) break;
  }
  return foundOf(question, found, last);
}

/** @param last position at which the scan stopped; null at the end of the list. */
function foundOf({ after, limit }: Question, rows: readonly Row[], last: Place | null): Found {
  const { ids, end } = cut(rows, limit);
  if (end) return { ids, end, total: null };
  return { ids, end: last, total: after || last ? null : ids.length };
}

/** Cuts a page from the rows, which are one more than a page if another page follows. */
const cut = (page: readonly Place[], limit: number): Pick<Found, 'ids' | 'end'> => ({
  ids: page.slice(0, limit).map(({ id }) => id),
  end: page.length > limit ? page[limit - 1]! : null,
});

function isBeyond(row: Place, after: Place, direction: Direction): boolean {
  const side = row.value === after.value ? row.id - after.id : compare(row.value, after.value);
  return direction === 'asc' ? side > 0 : side < 0;
}

/** Compares like SQLite and PostgreSQL's "C" collation. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
