import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Search } from '#server/search/index.ts';
import type { Placed } from '#server/search/index.ts';
import type { Direction } from '../contract.ts';
import type { Condition, Filter, Span } from './filters.ts';
import { all, ofOneOf } from './filters.ts';
import { andVisible, inScope, seesAll } from '#server/visibility/visible.ts';
import { ofFirm } from '../rows.ts';
import { EACH, checkOnly, joined, list, queryManyRows, queryRow, queryRows } from '../../db/sql.ts';

/** Files that are read whole and sorted when they are all that a question has; a search, with the names, is dearer. */
const FEW = 1500;
const FEW_NAMED = 500;
/**
 * Entries of an index that may be passed to find them. When there are more, the files are looked through in their
 * order until the page is full or so many were passed, and the cursor tells how far. All these indexes hold what the
 * filters ask; only a search reads the rows, for their names.
 */
const PASSED = 4000;
const PASSED_NAMED = 1200;

/**
 * Pages that a search reads first in their order; if what matches does not fill one, twice as many files more, and so on:
 * where many match, little is read.
 */
const FIRST_PAGES = 2;

/** A place in the order: what the row is sorted by, and its id. */
export interface Place {
  value: string | number;
  id: number;
}

/** What is asked of the files that the actor sees. */
export interface Question {
  actor: Actor;
  firmId: number;
  /** The column of the order. */
  column: string;
  direction: Direction;
  /** Where the page before ended. */
  after: Place | null;
  limit: number;
  narrow: readonly Filter[];
  wide: readonly Condition[];
  /** The dates asked for, when they are also the order. */
  span: Span | null;
  /** Words in the name, in the folders' above or in the client's. */
  named: Search | undefined;
}

/** A page's files in their order; there may be fewer than asked for while `end` says that there are more. */
interface Found {
  ids: number[];
  end: Place | null;
  /** Of all pages; null when that is not known without reading them all. */
  total: number | null;
}

type Row = Place & Placed;

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
      `SELECT count(*) AS files FROM (${some}) AS some`,
      bindings,
    );
    return row!.files;
  };
  if (!seesAll(actor)) {
    const sql = `firm_id = ? AND ${inScope(actor, '')} AND file_type IS NOT NULL`;
    const own = { sql, bindings: [actor.firmId] };
    if ((await count(own)) <= most) return { ...own, matching, whole: true };
  }
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
    `SELECT count(*) AS files, ${joined('id')} AS ids FROM (${named.sql} LIMIT ${FEW_NAMED + 1}) AS some`,
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
    const page = await queryRows<Place & { total: number }>(
      db,
      `SELECT id, ${column} AS value, count(*) OVER () AS total FROM items
       WHERE ${sql} AND ${beyond} ${order} LIMIT ${limit + 1}`,
      [...bindings, ...(after ? [after.value, after.id] : [])],
    );
    return { ...cut(page, limit), total: after ? null : (page[0]?.total ?? 0) };
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

/** Looks through the firm's files in their order until the page is full, or far enough. */
async function inOrder(db: Knex, question: Question): Promise<Found> {
  const { after, limit, narrow, wide, named } = question;
  if (!named) {
    const { rows, last } = await look(db, question, PASSED, limit + 1);
    return foundOf(question, rows, last);
  }
  const most = narrow.length + wide.length === 0 ? PASSED_NAMED : PASSED;
  const found: Row[] = [];
  let last = after;
  for (
    let passed = 0, step = FIRST_PAGES * limit;
    passed < most && found.length <= limit;
    passed += step, step *= 2
  ) {
    step = Math.min(step, most - passed);
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

/** The first of the next so many files in their order that the filters let through, and where those files end. */
async function look(
  db: Knex,
  question: Question,
  passed: number,
  most: number,
): Promise<{ rows: Row[]; last: Place | null }> {
  const { actor, firmId, column, direction, narrow, wide, named } = question;
  // What the actor does not see is not passed either: a short page would tell of it.
  const sql = `firm_id = ? AND type = 'file'${andVisible(actor)}`;
  const files: Condition = { sql, bindings: [firmId] };
  const inner = all([files, reach(question)]);
  const asked = all([...narrow, ...wide]);
  const from = `FROM items WHERE ${inner.sql} ORDER BY ${column} ${direction}, id ${direction} LIMIT`;
  const window = `SELECT id, ${column} AS value, file_type, client_id, owner_id, modified_at ${from} ${passed}`;
  const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${asked.sql}`;
  const page = named
    ? `SELECT f.id, f.value, i.name, i.parent_id, i.client_id FROM (${filtered}) AS f CROSS JOIN items i WHERE i.id = f.id`
    : filtered;
  const bindings = [...inner.bindings, ...asked.bindings];
  const rows = named
    ? await queryManyRows<Row>(
        db,
        ['id', 'value', 'name', 'parent_id', 'client_id'],
        `${page} LIMIT ${most}`,
        bindings,
      )
    : await queryRows<Row>(db, `${page} LIMIT ${most}`, bindings);
  // A page that is full ends where its own last file is.
  if (!named && rows.length === most) return { rows, last: null };
  const last = await queryRow<Place>(
    db,
    `SELECT id, ${column} AS value ${from} 1 OFFSET ${passed - 1}`,
    inner.bindings,
  );
  return { rows, last: last ?? null };
}

/**
 * The part of the order that lies behind a place and, by date, within a span. Only the nearer of the two is asked for
 * at the side where reading begins: SQLite would begin at one and pass by all that the other leaves out.
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
