import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { invalid } from '#server/http/errors.ts';
import type { SearchIndex } from '#server/search/index.ts';
import type { FilesPage, FilesQuery, FileSort, ItemView } from './contract.ts';
import { BAD_CURSOR, FILE_GROUPS } from './contract.ts';
import { OF_CLIENT, OF_NO_CLIENT, demand, ofFirm } from './rows.ts';
import { places } from './tree.ts';
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
/** Offices count days in India. */
const ZONE = '+05:30';

const COLUMN: Record<FileSort, string> = { name: 'sort_key', modified: 'modified_at', size: 'file_size' };

interface Condition {
  sql: string;
  bindings: Knex.RawBinding[];
}
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

const dayStart = (day: string, add = 0): string =>
  new Date(Date.parse(`${day}T00:00:00${ZONE}`) + add * 86_400_000).toISOString();

/** What the filters ask of a row; those that an index answers come first. */
function filters(
  { firmId }: Actor,
  { client_id, owner_id, group, from, to }: FilesQuery,
): { narrow: Condition[]; wide: Condition[] } {
  const narrow: Condition[] = [];
  const wide: Condition[] = [];
  if (client_id === 'none') wide.push({ sql: OF_NO_CLIENT, bindings: [] });
  else if (client_id !== undefined) narrow.push({ sql: OF_CLIENT, bindings: [client_id, firmId] });
  if (owner_id !== undefined) narrow.push({ sql: 'owner_id = ?', bindings: [owner_id] });
  if (group !== undefined) {
    const types = FILE_GROUPS[group].split(' ');
    narrow.push({ sql: `file_type IN (${places(types)})`, bindings: types });
  }
  if (from !== undefined || to !== undefined) {
    const dates: Condition = { sql: 'modified_at >= ? AND modified_at < ?', bindings: [] };
    dates.bindings.push(from ? dayStart(from) : '', to ? dayStart(to, 1) : '9');
    narrow.push(dates);
  }
  return { narrow, wide };
}

/** The condition under which an index alone finds a filter's rows. */
function probe(actor: Actor, { sql, bindings }: Condition): Condition {
  // A client or an owner is of one firm: which one is seen when the rows are read.
  if (/^(?:client_id|owner_id) /.test(sql)) return { sql: `${sql} AND file_type IS NOT NULL`, bindings };
  const type = sql.startsWith('modified_at') ? `type = 'file'` : 'file_type IS NOT NULL';
  return { sql: `${sql} AND items.firm_id = ? AND ${type}`, bindings: [...bindings, actor.firmId] };
}

const all = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND ') || 'true',
  bindings: conditions.flatMap(({ bindings }) => bindings),
});

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
  const { narrow, wide } = filters(actor, query);
  const likely = found ? [found.likely] : [];
  const few = await fewest();

  /** A condition that names the files one by one, if one filter leads to few enough. */
  async function fewest(): Promise<Condition | null> {
    const asked = all([...narrow, ...wide]);
    // The bounds also keep the planner from reading another filter's index, of all firms, instead.
    const some = (sql: string, most: number): string =>
      `(SELECT id, file_type, client_id, owner_id, modified_at FROM items WHERE ${sql} LIMIT ${most + 1}) AS some`;
    if (found) {
      const rows: { rowid: number }[] = await db.raw(`${found.sql} LIMIT ${FEW_NAMED + 1}`, found.bindings);
      // Looking for them again would be most of the work.
      const named = `id IN (${rows.map(({ rowid }) => rowid).join(',')})`;
      if (rows.length <= FEW_NAMED)
        return {
          sql: `id IN (SELECT id FROM ${some(named, FEW_NAMED)} WHERE ${asked.sql})`,
          bindings: asked.bindings,
        };
    }
    for (const filter of narrow) {
      const { sql, bindings } = probe(actor, filter);
      const [row]: { passed: number; files: number }[] = await db.raw(
        `SELECT count(*) AS passed, coalesce(sum(CASE WHEN ${asked.sql} THEN 1 END), 0) AS files FROM ${some(sql, PASSED)}`,
        [...asked.bindings, ...bindings],
      );
      if (row!.passed <= PASSED && row!.files <= (found ? FEW_NAMED : FEW))
        return {
          sql: `id IN (SELECT id FROM ${some(sql, PASSED)} WHERE ${asked.sql})`,
          bindings: [...bindings, ...asked.bindings],
        };
    }
    return null;
  }

  const column = COLUMN[sort];
  const order = `ORDER BY ${column} ${direction}, id ${direction}`;
  const beyond: Condition[] = after
    ? [
        {
          sql: `(${column}, id) ${direction === 'asc' ? '>' : '<'} (?, ?)`,
          bindings: [after.value, after.id],
        },
      ]
    : [];
  const isBeyond = (value: string | number, id: number): boolean => {
    const side = value === after!.value ? id - after!.id : compare(value, after!.value);
    return direction === 'asc' ? side > 0 : side < 0;
  };

  async function readFew(driver: Condition): Promise<Found> {
    const where = all([
      driver,
      { sql: `${ofFirm('items')} AND file_type IS NOT NULL`, bindings: [actor.firmId] },
      ...likely,
    ]);
    const select = `SELECT id, name, ${column} AS value`;
    if (!found) {
      const rest = all(beyond);
      const page: (Row & { total: number })[] = await db.raw(
        `${select}, count(*) OVER () AS total FROM items WHERE ${where.sql} AND ${rest.sql} ${order} LIMIT ${limit + 1}`,
        [...where.bindings, ...rest.bindings],
      );
      return { ...cut(page), total: after ? null : (page[0]?.total ?? 0) };
    }
    // Whether a name matches is known only here, so all that may match are fetched.
    const matched: Row[] = await db.raw(`${select} FROM items WHERE ${where.sql} ${order}`, where.bindings);
    const kept = matched.filter(({ name }) => found.matches(name));
    const start = after ? kept.findIndex(({ id, value }) => isBeyond(value, id)) : 0;
    return { ...cut(start < 0 ? [] : kept.slice(start, start + limit + 1)), total: kept.length };
  }

  /** One row more than a page says that there is another. */
  function cut(page: Row[]): { rows: Row[]; end: Place | null } {
    return { rows: page.slice(0, limit), end: page.length > limit ? page[limit - 1]! : null };
  }

  async function readInOrder(): Promise<Found> {
    // By date, the dates asked for are where the index is entered; otherwise they are a filter like the others.
    const dates = narrow.filter(({ sql }) => sort === 'modified' && sql.startsWith('modified_at'));
    const others = [...narrow.filter((filter) => !dates.includes(filter)), ...wide];
    const rest = all(others);
    const passed = found && others.length === 0 ? PASSED_NAMED : PASSED;
    const inner = all([
      { sql: `firm_id = ? AND type = 'file'`, bindings: [actor.firmId] },
      ...dates,
      ...beyond,
    ]);
    const from = `FROM items WHERE ${inner.sql} ${order} LIMIT`;
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
    return { rows: kept, end: last ?? null, total: null };
  }

  const { rows, end, total } = await (few ? readFew(few) : readInOrder());
  const unfiltered = narrow.length + wide.length === 0 && !found;
  return {
    items: await views(
      actor,
      rows.map(({ id }) => id),
    ),
    next_cursor: end && encode([sort, direction, end.value, end.id]),
    total: unfiltered && !after ? await usage.files(db, actor.firmId) : total,
  };
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
