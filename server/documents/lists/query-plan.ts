import type { Knex } from 'knex';
import type { Search } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition } from './filters.ts';
import { all, ofOneOf } from './filters.ts';
import { look, ownFiles } from './in-order.ts';
import type { Place, Question, Row } from './file-query.ts';
import { hasSmallShare } from '#server/visibility/share.ts';
import { SMALL_SHARE, andVisible } from '#server/visibility/visible.ts';
import { ofFirm } from '../rows.ts';
import { EACH, checkOnly, joined, list, queryManyRows, queryRow, queryRows } from '../../db/sql.ts';

/** Files that are read whole and sorted when they are all that a question has; a search, with the names, is dearer. */
const FEW = 1500;
const FEW_NAMED = 500;
/**
 * Entries of an index that may be passed to find them. When there are more, the files are looked through in their
 * order until the page is full, or so many were passed and something was found; the cursor tells how far. All these
 * indexes hold what the filters ask; only a search reads the rows, for their names.
 */
const PASSED = 4000;
const PASSED_NAMED = 1200;

/**
 * Pages that a search reads first in their order; if what matches does not fill one, twice as many files more, and so on:
 * where many match, little is read.
 */
const FIRST_PAGES = 2;

/** A page's files in their order; there may be fewer than asked for while `end` says that there are more. */
interface Found {
  ids: number[];
  end: Place | null;
  /** Of all pages; null when that is not known without reading them all. */
  total: number | null;
}

/** What leads to few enough files, by one index. */
interface Few extends Condition {
  /** Of the files that it leads to, those that match the search. */
  matching: (rows: readonly Row[]) => Promise<Row[]>;
  /** Whether it leads to all that match. */
  whole: boolean;
}

export async function findFiles(db: Knex, question: Question): Promise<Found> {
  const few = await fewest(db, question);
  if (few) return amongFew(db, question, few);
  if (!question.named) return inOrder(db, question);
  return search(db, question, question.named);
}

/** Where the filters lead to very many: by the names. */
async function search(db: Knex, question: Question, named: Search): Promise<Found> {
  const clients = await named.clients(db);
  if (clients?.size === 0) return { ids: [], end: null, total: 0 };
  // To ask for those clients leads to few, or passes by all others in an index that holds whose a file is.
  const narrower = clients ? { ...question, narrow: [...question.narrow, ofOneOf(clients)] } : question;
  const few = (clients && (await fewest(db, narrower))) ?? (await namedFew(db, named));
  return few ? amongFew(db, narrower, few) : inOrder(db, narrower);
}

async function fewest(db: Knex, { actor, narrow, wide, named }: Question): Promise<Few | null> {
  const matching = async (rows: readonly Row[]) => (named ? named.among(db, rows) : [...rows]);
  const most = named ? FEW_NAMED : FEW;
  const count = async ({ sql, bindings }: Condition): Promise<number> => {
    const some = `SELECT 1 FROM items WHERE ${sql} LIMIT ${PASSED + 1}`;
    const row = await queryRow<{ files: number }>(
      db,
      `SELECT count(*) AS files FROM (${some}) AS these`,
      bindings,
    );
    return row!.files;
  };
  if (await hasSmallShare(db, actor, named ? FEW_NAMED : SMALL_SHARE))
    return { ...ownFiles(actor), matching, whole: true };
  for (const { indexed } of narrow) {
    const passed = await count(indexed);
    if (passed <= most) return { ...indexed, matching, whole: true };
    const alone = narrow.length + wide.length === 1;
    if (passed <= PASSED && !alone && (await count(all([indexed, ...narrow, ...wide]))) <= most)
      return { ...indexed, matching, whole: true };
  }
  return null;
}

/** The few files with such names, and those that folders and clients with such names lead to. */
async function namedFew(db: Knex, named: Search): Promise<Few | null> {
  const found = await queryRow<{ files: number; ids: string | null }>(
    db,
    `SELECT count(*) AS files, ${joined('id')} AS ids FROM (${named.newest(FEW_NAMED + 1)}) AS these`,
    named.bindings,
  );
  if (found!.files > FEW_NAMED) return null;
  const { ids, more, many } = await named.around(db, { most: FEW_NAMED });
  // There are others: to look for them in their order finds them all, and soon enough where there are many.
  if (many || (more && found!.files + ids.size >= FEW_NAMED)) return null;
  const matching = async (rows: readonly Row[]) =>
    rows.filter(({ id, name }) => ids.has(id) || named.matches(name));
  const bindings = [`[${found!.ids ?? ''}]`, list(ids)];
  return { sql: `id IN (${EACH} UNION ALL ${EACH})`, bindings, matching, whole: !more };
}

/** Reads all that `few` leads to, and sorts it. */
async function amongFew(db: Knex, question: Question, few: Few): Promise<Found> {
  const { actor, firmId, column, direction, after, limit, narrow, wide, named } = question;
  const { sql, bindings } = all([
    few,
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
  // Whether a file matches is known only here, so all that may match are fetched.
  const likely = await queryManyRows<Row>(
    db,
    ['id', 'value', 'name', 'parent_id', 'client_id'],
    `SELECT id, ${column} AS value, name, parent_id, client_id FROM items WHERE ${sql} ${order}`,
    bindings,
  );
  const matching = await few.matching(likely);
  const rest = after ? matching.filter((row) => isBeyond(row, after, direction)) : matching;
  return { ...cut(rest, limit), total: few.whole ? matching.length : null };
}

/** How many there are, of which this is the first page with one more. */
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

/** Looks through the firm's files in their order until the page is full, or far enough. */
async function inOrder(db: Knex, question: Question): Promise<Found> {
  const { after, limit, narrow, wide, named } = question;
  if (!named) {
    let part = await look(db, question, PASSED, limit + 1);
    // A page with nothing on it says that there is nothing.
    while (part.rows.length === 0 && part.last)
      part = await look(db, { ...question, after: part.last }, PASSED, limit + 1);
    return foundOf(question, part.rows, part.last);
  }
  const most = narrow.length + wide.length === 0 ? PASSED_NAMED : PASSED;
  const found: Row[] = [];
  let last = after;
  for (
    let passed = 0, step = FIRST_PAGES * limit;
    // Until something is found, as above.
    (passed < most || found.length === 0) && found.length <= limit;
    passed += step, step *= 2
  ) {
    step = Math.min(step, passed < most ? most - passed : PASSED);
    const part = await look(db, { ...question, after: last }, step, step);
    found.push(...(await named.among(db, part.rows)));
    last = part.last;
    if (!last) break;
  }
  return foundOf(question, found, last);
}

/** `last` is how far was looked; null when that is the end. */
function foundOf({ after, limit }: Question, rows: readonly Row[], last: Place | null): Found {
  const { ids, end } = cut(rows, limit);
  if (end) return { ids, end, total: null };
  return { ids, end: last, total: after || last ? null : ids.length };
}

/** The rows to read: one more than a page holds, since that one tells whether there is a next page. */
const cut = (page: readonly Place[], limit: number): Pick<Found, 'ids' | 'end'> => ({
  ids: page.slice(0, limit).map(({ id }) => id),
  end: page.length > limit ? page[limit - 1]! : null,
});

function isBeyond(row: Place, after: Place, direction: Direction): boolean {
  const side = row.value === after.value ? row.id - after.id : compare(row.value, after.value);
  return direction === 'asc' ? side > 0 : side < 0;
}

/** As SQLite and PostgreSQL's "C" compare. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
