import type { Knex } from 'knex';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import type { Direction, ItemType, Sort } from '../contract.ts';
import type { ItemRow } from '../model.ts';

export const ORDER_BY: Record<Sort, string> = {
  name: 'i.sort_key',
  owner: 'lower(u.name)',
  modified: 'i.modified_at',
  size: 'coalesce(i.file_size, -1)',
};

/** A row with its sort values. */
export type SortedRow = ItemRow & { sort_key: string; sort_value: string | number };

const itemType = (part: unknown): part is ItemType => part === 'folder' || part === 'file';

export interface Order {
  sort: Sort;
  direction: Direction;
}

export interface PageQuery {
  order: Order;
  cursor: string | undefined;
  /** Number of rows to fetch. */
  size: number;
}

export type Rows = Knex.QueryBuilder;

/** Items as `i`, joined with owners as `u` if the order needs them. */
export function itemsFor(db: Knex, { sort }: Order): Rows {
  const items: Rows = db('items as i');
  if (sort === 'owner') items.join('users as u', 'u.id', 'i.owner_id');
  return items;
}

/** Ids of one page of the rows, in order. @throws {AppError} 422 for a cursor of another list. */
export const pageOf = (rows: Rows, { order, cursor, size }: PageQuery, type?: string): Promise<number[]> =>
  inOrder(rows, order, cursor, type).limit(size).pluck('i.id');

/**
 * Sorts rows of `i` (and of their owners `u` if needed) after the cursor.
 * @param type the type column, or an expression for it that keeps the planner off its index.
 * @throws {AppError} 422 for a cursor of another list.
 */
export function inOrder<R extends Rows>(
  rows: R,
  { sort, direction }: Order,
  cursor?: string,
  type = 'i.type',
): R {
  const sortColumn = ORDER_BY[sort];
  const comparison = direction === 'asc' ? '>' : '<';
  // 'folder' sorts after 'file', so folders first means descending.
  const order =
    sort === 'name'
      ? `i.sort_key ${direction}, i.id ${direction}`
      : `${sortColumn} ${direction}, i.sort_key, i.id`;
  rows.orderByRaw(`${type} DESC, ${order}`);
  if (cursor === undefined) return rows;
  const sorted = sort === 'size' ? whole : text;
  const cursorParts = [sort, direction, itemType, sorted, text, whole] as const;
  const [, , last, value, sortKey, id] = decodeCursor(cursor, cursorParts);
  const [sql, bindings] =
    sort === 'name'
      ? [`(i.sort_key, i.id) ${comparison} (?, ?)`, [sortKey, id]]
      : [
          `(${sortColumn} ${comparison} ? OR (${sortColumn} = ? AND (i.sort_key, i.id) > (?, ?)))`,
          [value, value, sortKey, id],
        ];
  // After a file come only files, which an index supports.
  if (last === 'file') rows.whereRaw(`${type} = 'file' AND ${sql}`, bindings);
  else rows.whereRaw(`(${type} = 'file' OR (${type} = 'folder' AND ${sql}))`, bindings);
  return rows;
}

export function cursorOf(row: ItemRow, { sort, direction }: Order): string {
  const { sort_value, sort_key } = row as SortedRow;
  return encodeCursor([sort, direction, row.type, sort_value, sort_key, row.id]);
}
