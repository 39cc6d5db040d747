import type { Knex } from 'knex';
import { BOUND_IDS, bindList, placeholders, queryRows } from '../db/sql.ts';
import type { FirmViewer, Viewer } from '#server/visibility/visible.ts';
import { rootedItems, visibleItems, UNRESTRICTED } from '#server/visibility/visible.ts';
import type { Breadcrumb } from './contract.ts';

/** Names contain no slash, so a joined path can be split again. */
export const SEPARATOR = ' / ';

/** A folder and its ancestors that the viewer sees, root first. */
export async function breadcrumbs(db: Knex, viewer: Viewer, folderId: number): Promise<Breadcrumb[]> {
  const items = rootedItems(viewer);
  const rows = await queryRows<Breadcrumb>(
    db,
    `WITH RECURSIVE up(id, name, parent_id, height) AS (
       SELECT id, name, parent_id, 0 FROM ${items} f WHERE id = ?
       UNION ALL
       SELECT i.id, i.name, i.parent_id, height + 1 FROM ${items} i JOIN up ON i.id = up.parent_id
     ) SELECT id, name FROM up ORDER BY height DESC`,
    [folderId],
  );
  return rows;
}

/** The path of each folder: the names of the ancestors that the viewer sees, and its own, joined. Missing folders are left out. */
export async function paths(
  db: Knex,
  viewer: Viewer,
  folderIds: Iterable<number | null>,
): Promise<Map<number, string>> {
  const ids = [...new Set(folderIds)].filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const items = rootedItems(viewer);
  const rows = await queryRows<{ start: number; path: string }>(
    db,
    `WITH RECURSIVE up(start, path, parent_id) AS (
       SELECT id, name, parent_id FROM ${items} f WHERE id IN (${BOUND_IDS})
       UNION ALL
       SELECT start, i.name || '${SEPARATOR}' || path, i.parent_id FROM ${items} i JOIN up ON i.id = up.parent_id
     ) SELECT start, path FROM up WHERE parent_id IS NULL`,
    [bindList(ids)],
  );
  return new Map(rows.map(({ start, path }) => [start, path]));
}

/** The ancestors of each item of the viewer's firm that the viewer sees, root first, with the item itself last. */
export async function lineages(
  db: Knex,
  viewer: FirmViewer,
  ids: readonly number[],
): Promise<Map<number, Breadcrumb[]>> {
  const items = rootedItems(viewer);
  const rows = await queryRows<Breadcrumb & { start: number }>(
    db,
    `WITH RECURSIVE up(start, id, name, parent_id, height) AS (
       SELECT id, id, name, parent_id, 0 FROM ${items} f WHERE id IN (${BOUND_IDS}) AND firm_id = ?
       UNION ALL
       SELECT start, i.id, i.name, i.parent_id, height + 1 FROM ${items} i JOIN up ON i.id = up.parent_id
     ) SELECT start, id, name FROM up ORDER BY start, height DESC`,
    [bindList(new Set(ids)), viewer.firmId],
  );
  const lines = Map.groupBy(rows, ({ start }) => start);
  return new Map([...lines].map(([start, line]) => [start, line.map(({ id, name }) => ({ id, name }))]));
}

/**
 * A `WITH` clause that defines `below(id, file_type, file_size)`: the items and all descendants that the viewer sees,
 * without duplicates.
 * @returns SQL to prepend to a statement, and its bindings.
 */
export function below(
  ids: readonly number[],
  viewer: Viewer = UNRESTRICTED,
): { sql: string; bindings: number[] } {
  const items = visibleItems(viewer);
  // UNION drops duplicates: an item may be chosen together with a folder above it.
  const sql = `WITH RECURSIVE below(id, file_type, file_size) AS (
       SELECT id, file_type, file_size FROM ${items} t WHERE id IN (${placeholders(ids)})
       UNION
       SELECT i.id, i.file_type, i.file_size FROM ${items} i JOIN below ON i.parent_id = below.id
     )`;
  return { sql, bindings: [...ids] };
}
