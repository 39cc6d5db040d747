import type { Knex } from 'knex';
import { EACH, list, placeholders, queryRows } from '../db/sql.ts';
import type { FirmViewer, Viewer } from '#server/visibility/visible.ts';
import { rootedItems, visibleItems, UNRESTRICTED } from '#server/visibility/visible.ts';
import type { Breadcrumb } from './contract.ts';

/** No name holds a slash, so a joined path can be taken apart again. */
export const SEPARATOR = ' / ';

/** The folder and those above it as far as they are seen, root first. */
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

/** For each of these folders its own and its ancestors' names as far as they are seen, joined; what is not there is left out. */
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
       SELECT id, name, parent_id FROM ${items} f WHERE id IN (${EACH})
       UNION ALL
       SELECT start, i.name || '${SEPARATOR}' || path, i.parent_id FROM ${items} i JOIN up ON i.id = up.parent_id
     ) SELECT start, path FROM up WHERE parent_id IS NULL`,
    [list(ids)],
  );
  return new Map(rows.map(({ start, path }) => [start, path]));
}

/** The way to each of these items of the actor's firm from the root, as far as it is seen, itself last. */
export async function lineages(
  db: Knex,
  viewer: FirmViewer,
  ids: readonly number[],
): Promise<Map<number, Breadcrumb[]>> {
  const items = rootedItems(viewer);
  const rows = await queryRows<Breadcrumb & { start: number }>(
    db,
    `WITH RECURSIVE up(start, id, name, parent_id, height) AS (
       SELECT id, id, name, parent_id, 0 FROM ${items} f WHERE id IN (${EACH}) AND firm_id = ?
       UNION ALL
       SELECT start, i.id, i.name, i.parent_id, height + 1 FROM ${items} i JOIN up ON i.id = up.parent_id
     ) SELECT start, id, name FROM up ORDER BY start, height DESC`,
    [list(new Set(ids)), viewer.firmId],
  );
  const lines = Map.groupBy(rows, ({ start }) => start);
  return new Map([...lines].map(([start, line]) => [start, line.map(({ id, name }) => ({ id, name }))]));
}

/**
 * A `WITH` clause that names `below(id, file_type, file_size)`: the items and everything under them that is seen, each
 * once.
 * @returns SQL to put before a statement, and its bindings.
 */
export function below(
  ids: readonly number[],
  viewer: Viewer = UNRESTRICTED,
): { sql: string; bindings: number[] } {
  const items = visibleItems(viewer);
  // UNION drops what is reached twice: an item chosen together with a folder above it.
  const sql = `WITH RECURSIVE below(id, file_type, file_size) AS (
       SELECT id, file_type, file_size FROM ${items} t WHERE id IN (${placeholders(ids)})
       UNION
       SELECT i.id, i.file_type, i.file_size FROM ${items} i JOIN below ON i.parent_id = below.id
     )`;
  return { sql, bindings: [...ids] };
}
