import { invalid } from '#server/http/errors.ts';
import type { Direction, ItemType, Sort } from './contract.ts';
import { BAD_CURSOR } from './contract.ts';

/** Where a page ended: the last item's place in the order. */
export interface Place {
  sort: Sort;
  direction: Direction;
  type: ItemType;
  /** What it is sorted by; the sort key itself when that is the name. */
  value: string | number;
  sortKey: string;
  id: number;
}

export function encodeCursor({ sort, direction, type, value, sortKey, id }: Place): string {
  return Buffer.from(JSON.stringify([sort, direction, type, value, sortKey, id])).toString('base64url');
}

/**
 * A cursor is not a secret and opens nothing: it is only a place in a list that the actor may read anyway.
 * @throws {AppError} 422 when it is not one of ours, or belongs to another order.
 */
export function decodeCursor(text: string, order: { sort: Sort; direction: Direction }): Place {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    parts = null;
  }
  if (!Array.isArray(parts) || parts.length !== 6) throw invalid({ cursor: [BAD_CURSOR] });
  const [sort, direction, type, value, sortKey, id] = parts as unknown[];
  const good =
    sort === order.sort &&
    direction === order.direction &&
    (type === 'folder' || type === 'file') &&
    (typeof value === 'string' || Number.isSafeInteger(value)) &&
    typeof sortKey === 'string' &&
    Number.isSafeInteger(id);
  if (!good) throw invalid({ cursor: [BAD_CURSOR] });
  return { ...order, type, value: value as string | number, sortKey, id: id as number };
}
