import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { invalid } from '#server/http/errors.ts';
import type { SearchIndex } from '#server/search/index.ts';
import type { Direction, FilesPage, FilesQuery, FileSort, ItemView } from './contract.ts';
import { BAD_CURSOR } from './contract.ts';
import type { Condition, Span } from './filtering.ts';
import { all, filtersOf, spanOf } from './filtering.ts';
import { demand, ofFirm } from './rows.ts';
import { EACH } from './tree.ts';
import * as usage from './usage.ts';

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
const PAGE = 60;

const COLUMN: Record<FileSort, string> = { name: 'sort_key', modified: 'modified_at', size: 'file_size' };

/** Where a page ends: the last row's place in the order. */
interface Place {
  id: number;
  value: string | number;
}
interface Row extends Place {
  name: string;
}
interface Found {
  rows: Row[];
  /** Null when there are no more. */
  end: Place | null;
  total: number | null;
}

export interface FilesParts {
  db: Knex;
  index: SearchIndex;
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
}

/**
 * All files of the firm in one list, a page at a time.
 * @throws {AppError} 403, 422 for a cursor that is not of this list.
 */
export async function listFiles(
  { db, index, views }: FilesParts,
  actor: Actor,
  query: FilesQuery,
): Promise<FilesPage> {
  demand(actor, 'documents.read');
  const { sort = 'modified', direction = 'desc', limit = PAGE, search = '' } = query;
  const after = query.cursor === undefined ? null : decode(query.cursor, sort, direction);
  const found = search.trim() === '' ? undefined : index.lookFor(actor.firmId, search);
  if (found === null) return { items: [], next_cursor: null, total: 0 };
  const { narrow, wide } = filtersOf(query, actor.firmId);
  const filters = [...narrow, ...wide];
  const likely = found ? [found.likely] : [];
  const column = COLUMN[sort];
  const beyond = direction === 'asc' ? '>' : '<';

  /** A condition that leads to few enough files, by one index. */
  async function fewest(): Promise<Condition | null> {
    const most = found ? FEW_NAMED : FEW;
    const count = async (some: Condition): Promise<number> => {
      const [row]: { files: number }[] = await db.raw(
        `SELECT count(*) AS files FROM (${some.sql})`,
        some.bindings,
      );
      return row!.files;
    };
    for (const { indexed } of narrow) {
      const passed = await count({
        sql: `SELECT 1 FROM items WHERE ${indexed.sql} LIMIT ${PASSED + 1}`,
        bindings: indexed.bindings,
      });
      if (passed <= most) return indexed;
      const matching = all([indexed, ...filters]);
      const some = { ...matching, sql: `SELECT 1 FROM items WHERE ${matching.sql}` };
      if (passed <= PASSED && filters.length > 1 && (await count(some)) <= most) return indexed;
    }
    if (!found) return null;
    const [named]: { files: number; ids: string | null }[] = await db.raw(
      `SELECT count(*) AS files, group_concat(rowid) AS ids FROM (${found.sql} LIMIT ${FEW_NAMED + 1})`,
      found.bindings,
    );
    if (named!.files > FEW_NAMED) return null;
    return { sql: `id IN (${EACH})`, bindings: [`[${named!.ids ?? ''}]`] };
  }

  async function readFew(driver: Condition): Promise<Found> {
    const where = all([
      driver,
      ...filters,
      { sql: `${ofFirm('items')} AND +file_type IS NOT NULL`, bindings: [actor.firmId] },
      ...likely,
    ]);
    const select = `SELECT id, name, ${column} AS value`;
    const order = `ORDER BY +${column} ${direction}, +id ${direction}`;
    if (!found) {
      const rest = after ? `(+${column}, +id) ${beyond} (?, ?)` : 'true';
      const page: (Row & { total: number })[] = await db.raw(
        `${select}, count(*) OVER () AS total FROM items WHERE ${where.sql} AND ${rest} ${order} LIMIT ${limit + 1}`,
        [...where.bindings, ...(after ? [after.value, after.id] : [])],
      );
      return { ...cut(page), total: after ? null : (page[0]?.total ?? 0) };
    }
    // Whether a name matches is known only here, so all that may match are fetched.
    const matched: Row[] = await db.raw(`${select} FROM items WHERE ${where.sql} ${order}`, where.bindings);
    const kept = matched.filter(({ name }) => found.matches(name));
    const start = after ? kept.findIndex((row) => isBeyond(row, after, direction)) : 0;
    return { ...cut(start < 0 ? [] : kept.slice(start, start + limit + 1)), total: kept.length };
  }

  /** One row more than a page says that there is another. */
  function cut(page: Row[]): { rows: Row[]; end: Place | null } {
    return { rows: page.slice(0, limit), end: page.length > limit ? page[limit - 1]! : null };
  }

  async function readInOrder(): Promise<Found> {
    const span = sort === 'modified' ? spanOf(query) : null;
    const inner = all([
      { sql: `firm_id = ? AND type = 'file'`, bindings: [actor.firmId] },
      reach(column, direction, after, span),
    ]);
    const rest = all(filters);
    const passed = found && filters.length === 0 ? PASSED_NAMED : PASSED;
    const from = `FROM items WHERE ${inner.sql} ORDER BY ${column} ${direction}, id ${direction} LIMIT`;
    const window = `SELECT id, ${column} AS value, file_type, client_id, owner_id, modified_at ${from} ${passed}`;
    const filtered = `SELECT id, value FROM (${window}) AS looked WHERE ${rest.sql}`;
    const name = all(likely);
    const page: Row[] = await db.raw(
      found
        ? `SELECT f.id, f.value, i.name FROM (${filtered}) AS f CROSS JOIN items i
           WHERE i.id = f.id AND ${name.sql} LIMIT ${limit + 1}`
        : `${filtered} LIMIT ${limit + 1}`,
      [...inner.bindings, ...rest.bindings, ...name.bindings],
    );
    const { rows, end } = cut(page);
    const kept = found ? rows.filter((row) => found.matches(row.name)) : rows;
    if (end) return { rows: kept, end, total: null };
    const [last]: Place[] = await db.raw(
      `SELECT id, ${column} AS value ${from} 1 OFFSET ${passed - 1}`,
      inner.bindings,
    );
    return { rows: kept, end: last ?? null, total: after || last ? null : kept.length };
  }

  const few = await fewest();
  const { rows, end, total } = await (few ? readFew(few) : readInOrder());
  const unfiltered = filters.length === 0 && !found;
  return {
    items: await views(
      actor,
      rows.map(({ id }) => id),
    ),
    next_cursor: end && encode([sort, direction, end.value, end.id]),
    total: unfiltered && !after ? await usage.files(db, actor.firmId) : total,
  };
}

/**
 * The part of an order that lies behind a place and, by date, within a span. Only the nearer of the two is asked for
 * at the side where reading begins: SQLite would begin at one and pass by all that the other leaves out.
 */
function reach(column: string, direction: Direction, after: Place | null, span: Span | null): Condition {
  const up = direction === 'asc';
  const outside = after && span && (up ? after.value < span.from : after.value >= span.to);
  const parts: Condition[] = [];
  if (after && !outside)
    parts.push({ sql: `(${column}, id) ${up ? '>' : '<'} (?, ?)`, bindings: [after.value, after.id] });
  if (span && (up || !after || outside)) parts.push({ sql: `${column} < ?`, bindings: [span.to] });
  if (span && (!up || !after || outside)) parts.push({ sql: `${column} >= ?`, bindings: [span.from] });
  return all(parts);
}

function isBeyond(row: Place, after: Place, direction: Direction): boolean {
  const side = row.value === after.value ? row.id - after.id : compare(row.value, after.value);
  return direction === 'asc' ? side > 0 : side < 0;
}

/** As SQLite and PostgreSQL's "C" compare. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const encode = (place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

function decode(cursor: string, sort: FileSort, direction: string): Place {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  const [ofSort, ofDirection, value, id] = Array.isArray(parts) ? (parts as unknown[]) : [];
  const typed = sort === 'size' ? Number.isSafeInteger(value) : typeof value === 'string';
  if (ofSort !== sort || ofDirection !== direction || !typed || !Number.isSafeInteger(id))
    throw invalid({ cursor: [BAD_CURSOR] });
  return { value: value as string | number, id: id as number };
}
