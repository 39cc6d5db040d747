import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { invalid } from '#server/http/errors.ts';
import type { SearchIndex } from '#server/search/index.ts';
import type { FilesPage, FilesQuery, FileSort, ItemView } from './contract.ts';
import { BAD_CURSOR, FILE_GROUPS } from './contract.ts';
import { demand, ofFirm } from './rows.ts';
import { places } from './tree.ts';
import * as usage from './usage.ts';

/**
 * Rows that one page may cost. A filter that fits no more files than this is read whole and sorted; otherwise the
 * files are read in their order until the page is full or so many were looked at, and the cursor tells how far.
 */
const BUDGET = 1500;
const PAGE = 60;
/** Offices count days in India. */
const ZONE = '+05:30';

const COLUMN: Record<FileSort, string> = { name: 'sort_key', modified: 'modified_at', size: 'file_size' };

interface Condition {
  sql: string;
  bindings: Knex.RawBinding[];
}
interface Row {
  id: number;
  name: string;
  value: string | number;
}

export interface FilesParts {
  db: Knex;
  index: SearchIndex;
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
}

const dayStart = (day: string, add = 0): string =>
  new Date(Date.parse(`${day}T00:00:00${ZONE}`) + add * 86_400_000).toISOString();

/** What the filters ask of a row; those that an index answers come first. */
function filters({ client_id, owner_id, group, from, to }: FilesQuery): {
  narrow: Condition[];
  wide: Condition[];
} {
  const narrow: Condition[] = [];
  const wide: Condition[] = [];
  if (client_id === 'none') wide.push({ sql: 'client_id IS NULL', bindings: [] });
  else if (client_id !== undefined) narrow.push({ sql: 'client_id = ?', bindings: [client_id] });
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

/** The condition under which an index finds a filter's rows, of one firm, without reading the others. */
function probe(actor: Actor, { sql, bindings }: Condition): Condition {
  const own = /^(?:client_id|owner_id) /.test(sql);
  const firm = own ? ofFirm('items') : 'items.firm_id = ?';
  const type = sql.startsWith('modified_at') ? `type = 'file'` : 'file_type IS NOT NULL';
  return { sql: `${sql} AND ${firm} AND ${type}`, bindings: [...bindings, actor.firmId] };
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
  const { narrow, wide } = filters(query);
  const named: Condition | null = found
    ? { sql: `id IN (${found.sql} LIMIT ${BUDGET + 1})`, bindings: found.bindings }
    : null;
  const few = await fewest();

  /** The first filter that fits few enough files to read them all. */
  async function fewest(): Promise<Condition | null> {
    const candidates = [...(named ? [named] : []), ...narrow.map((filter) => probe(actor, filter))];
    for (const { sql, bindings } of candidates) {
      const [row]: { n: number }[] = await db.raw(
        named?.sql === sql
          ? `SELECT count(*) AS n FROM (${found!.sql} LIMIT ${BUDGET + 1}) AS some`
          : `SELECT count(*) AS n FROM (SELECT 1 FROM items WHERE ${sql} LIMIT ${BUDGET + 1}) AS some`,
        bindings,
      );
      if (row!.n <= BUDGET) return { sql, bindings };
    }
    return null;
  }

  const column = COLUMN[sort];
  const beyond: Condition[] = after
    ? [
        {
          sql: `(${column}, id) ${direction === 'asc' ? '>' : '<'} (?, ?)`,
          bindings: [after.value, after.id],
        },
      ]
    : [];
  const order = `ORDER BY ${column} ${direction}, id ${direction}`;
  const isBeyond = (value: string | number, id: number): boolean => {
    const side = value === after!.value ? id - after!.id : compare(value, after!.value);
    return direction === 'asc' ? side > 0 : side < 0;
  };

  const rows = await (few ? readFew(few) : readInOrder());

  async function readFew(driver: Condition): Promise<{ rows: Row[]; end: Row | null; total: number | null }> {
    const here = driver.sql === named?.sql ? driver.sql : `id IN (SELECT id FROM items WHERE ${driver.sql})`;
    const where = all([
      { sql: here, bindings: driver.bindings },
      { sql: `${ofFirm('items')} AND file_type IS NOT NULL`, bindings: [actor.firmId] },
      ...narrow,
      ...wide,
    ]);
    const select = `SELECT id, name, ${column} AS value FROM items WHERE ${where.sql}`;
    if (!found) {
      const page: Row[] = await db.raw(`${select} AND ${all(beyond).sql} ${order} LIMIT ${limit + 1}`, [
        ...where.bindings,
        ...all(beyond).bindings,
      ]);
      return { ...cut(page), total: after ? null : await counted(where) };
    }
    // Whether a name matches is known only here, so all that may match are fetched.
    const matched: Row[] = await db.raw(`${select} ${order}`, where.bindings);
    const kept = matched.filter(({ name }) => found.matches(name));
    const start = after ? kept.findIndex(({ id, value }) => isBeyond(value, id)) : 0;
    return { ...cut(start < 0 ? [] : kept.slice(start, start + limit + 1)), total: kept.length };
  }

  /** One row more than a page says that there is another. */
  function cut(page: Row[]): { rows: Row[]; end: Row | null } {
    return { rows: page.slice(0, limit), end: page.length > limit ? page[limit - 1]! : null };
  }

  async function counted(where: Condition): Promise<number> {
    const [row]: { n: number }[] = await db.raw(
      `SELECT count(*) AS n FROM items WHERE ${where.sql}`,
      where.bindings,
    );
    return row!.n;
  }

  async function readInOrder(): Promise<{ rows: Row[]; end: Row | null; total: number | null }> {
    // By date, the dates asked for are where the index is entered; otherwise they are a filter like the others.
    const dates = narrow.filter(({ sql }) => sort === 'modified' && sql.startsWith('modified_at'));
    const rest = [...narrow.filter((filter) => !dates.includes(filter)), ...wide];
    const inner = all([
      { sql: `firm_id = ? AND type = 'file'`, bindings: [actor.firmId] },
      ...dates,
      ...beyond,
    ]);
    const window = `SELECT id, name, ${column} AS value, file_type, client_id, owner_id, modified_at
      FROM items WHERE ${inner.sql} ${order} LIMIT ${BUDGET}`;
    const outer = all(rest);
    const page: Row[] = await db.raw(
      `SELECT id, name, value FROM (${window}) AS looked WHERE ${outer.sql} LIMIT ${found ? BUDGET : limit + 1}`,
      [...inner.bindings, ...outer.bindings],
    );
    const kept = found ? page.filter(({ name }) => found.matches(name)).slice(0, limit + 1) : page;
    if (kept.length > limit) return { ...cut(kept), total: null };
    const [last]: Row[] = await db.raw(
      `SELECT id, name, ${column} AS value FROM items WHERE ${inner.sql} ${order} LIMIT 1 OFFSET ${BUDGET - 1}`,
      inner.bindings,
    );
    return { rows: kept, end: last ?? null, total: null };
  }

  const unfiltered = narrow.length + wide.length === 0 && !found;
  const total = unfiltered
    ? (await usage.totals(db, actor.firmId)).reduce((sum, { files }) => sum + files, 0)
    : rows.total;
  return {
    items: await views(
      actor,
      rows.rows.map(({ id }) => id),
    ),
    next_cursor: rows.end && encode([sort, direction, rows.end.value, rows.end.id]),
    total,
  };
}

/** As SQLite and PostgreSQL's "C" compare. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const encode = (place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

function decode(cursor: string, sort: FileSort, direction: string): { value: string | number; id: number } {
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
