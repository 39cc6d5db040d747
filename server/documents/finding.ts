import type { Knex } from 'knex';
import type { SearchIndex } from '#server/search/index.ts';
import type { Direction } from './contract.ts';
import type { Condition, Filter, Span } from './filtering.ts';
import { all } from './filtering.ts';
import { ofFirm } from './rows.ts';
import { EACH } from './tree.ts';

/** Files that are read whole and sorted when they are all that a question has; a search, with the names, is dearer. */
const FEW = 1500;
const FEW_NAMED = 700;
/**
 * Entries of an index that may be passed to find them. When there are more, the files are looked through in their
 * order until the page is full or so many were passed, and the cursor tells how far. All these indexes hold what the
 * filters ask; only a search reads the rows, for their names.
 */
const PASSED = 4000;
const PASSED_NAMED = 2000;

/** A place in the order: what the row is sorted by, and its id. */
export interface Place {
  value: string | number;
  id: number;
}

/** What is asked of a firm's files. */
export interface Question {
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
  /** Words in the name. */
  named: NonNullable<ReturnType<SearchIndex['lookFor']>> | undefined;
}

/** A page's files in their order; there may be fewer than asked for while `end` says that there are more. */
interface Found {
  ids: number[];
  end: Place | null;
  /** Of all pages; null when that is not known without reading them all. */
  total: number | null;
}

type Row = Place & { name: string };

export async function findFiles(db: Knex, question: Question): Promise<Found> {
  const few = await fewest(db, question);
  return few ? amongFew(db, question, few) : inOrder(db, question);
}

/** A condition that leads to few enough files, by one index. */
async function fewest(db: Knex, { narrow, wide, named }: Question): Promise<Condition | null> {
  const most = named ? FEW_NAMED : FEW;
  const count = async ({ sql, bindings }: Condition): Promise<number> => {
    const some = `SELECT 1 FROM items WHERE ${sql} LIMIT ${PASSED + 1}`;
    const [row]: { files: number }[] = await db.raw(`SELECT count(*) AS files FROM (${some})`, bindings);
    return row!.files;
  };
  for (const { indexed } of narrow) {
    const passed = await count(indexed);
    if (passed <= most) return indexed;
    const alone = narrow.length + wide.length === 1;
    if (passed <= PASSED && !alone && (await count(all([indexed, ...narrow, ...wide]))) <= most)
      return indexed;
  }
  if (!named) return null;
  const [found]: { files: number; ids: string | null }[] = await db.raw(
    `SELECT count(*) AS files, group_concat(rowid) AS ids FROM (${named.sql} LIMIT ${FEW_NAMED + 1})`,
    named.bindings,
  );
  if (found!.files > FEW_NAMED) return null;
  return { sql: `id IN (${EACH})`, bindings: [`[${found!.ids ?? ''}]`] };
}

/** Reads all that `few` leads to, and sorts it. */
async function amongFew(db: Knex, question: Question, few: Condition): Promise<Found> {
  const { firmId, column, direction, after, limit, narrow, wide, named } = question;
  const { sql, bindings } = all([
    few,
    ...narrow,
    ...wide,
    { sql: `${ofFirm('items')} AND +file_type IS NOT NULL`, bindings: [firmId] },
    named?.likely ?? all([]),
  ]);
  const order = `ORDER BY +${column} ${direction}, +id ${direction}`;
  if (!named) {
    const beyond = after ? `(+${column}, +id) ${direction === 'asc' ? '>' : '<'} (?, ?)` : 'true';
    const page: (Place & { total: number })[] = await db.raw(
      `SELECT id, ${column} AS value, count(*) OVER () AS total FROM items
       WHERE ${sql} AND ${beyond} ${order} LIMIT ${limit + 1}`,
      [...bindings, ...(after ? [after.value, after.id] : [])],
    );
    return { ...cut(page, limit), total: after ? null : (page[0]?.total ?? 0) };
  }
  // Whether a name matches is known only here, so all that may match are fetched.
  const likely: Row[] = await db.raw(
    `SELECT id, ${column} AS value, name FROM items WHERE ${sql} ${order}`,
    bindings,
  );
  const matching = likely.filter(({ name }) => named.matches(name));
  const rest = after ? matching.filter((row) => isBeyond(row, after, direction)) : matching;
  return { ...cut(rest, limit), total: matching.length };
}

/** Looks through the firm's files in their order until the page is full, or far enough. */
async function inOrder(db: Knex, question: Question): Promise<Found> {
  const { firmId, column, direction, after, limit, narrow, wide, named } = question;
  const files: Condition = { sql: `firm_id = ? AND type = 'file'`, bindings: [firmId] };
  const inner = all([files, reach(question)]);
  const asked = all([...narrow, ...wide]);
  const passed = named && narrow.length + wide.length === 0 ? PASSED_NAMED : PASSED;
  const from = `FROM items WHERE ${inner.sql} ORDER BY ${column} ${direction}, id ${direction} LIMIT`;
  const window = `SELECT id, ${column} AS value, file_type, client_id, owner_id, modified_at ${from} ${passed}`;
  const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${asked.sql}`;
  const page: Row[] = named
    ? await db.raw(
        `SELECT f.id, f.value, i.name FROM (${filtered}) AS f CROSS JOIN items i
         WHERE i.id = f.id AND ${named.likely.sql} LIMIT ${limit + 1}`,
        [...inner.bindings, ...asked.bindings, ...named.likely.bindings],
      )
    : await db.raw(`${filtered} LIMIT ${limit + 1}`, [...inner.bindings, ...asked.bindings]);
  const { end } = cut(page, limit);
  const rows = named ? page.slice(0, limit).filter(({ name }) => named.matches(name)) : page.slice(0, limit);
  const ids = rows.map(({ id }) => id);
  if (end) return { ids, end, total: null };
  const [last]: Place[] = await db.raw(
    `SELECT id, ${column} AS value ${from} 1 OFFSET ${passed - 1}`,
    inner.bindings,
  );
  return { ids, end: last ?? null, total: after || last ? null : ids.length };
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

/** One row more than a page says that there is another. */
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
