import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { searchIndex } from '#server/search/index.ts';
import { SEPARATOR } from '../tree.ts';
import type { FoundInside } from './contract.ts';

/** Search matches inside a folder in Trash. */
interface Found {
  id: number;
  name: string;
  parent_id: number;
  count: number;
}

/** The newest match and the number of matches, by deleted folder. */
export async function findInside(db: Knex, firmId: number, search: string): Promise<Map<number, Found>> {
  const found = new Map<number, Found>();
  for (const { root, id, name, parent_id } of await searchIndex.inTrash(db, firmId, search)) {
    const first = found.get(root);
    if (first) first.count += 1;
    else found.set(root, { id, name, parent_id, count: 1 });
  }
  return found;
}

/** Adds to the matches of one page their paths inside the folders. */
export async function placesInside(
  db: Knex,
  found: ReadonlyMap<number, Found>,
  roots: readonly number[],
): Promise<Map<number, FoundInside>> {
  const shown = roots.flatMap((root) => {
    const entry = found.get(root);
    return entry ? [[root, entry] as const] : [];
  });
  if (shown.length === 0) return new Map();
  const rows = await queryRows<{ start: number; name: string }>(
    db,
    `WITH RECURSIVE up(start, root, id, name, parent_id, height) AS (
       SELECT i.id, h.trash, i.id, i.name, i.parent_id, 0
       FROM item_rows i CROSS JOIN hidden_items h ON h.item_id = i.id WHERE i.id IN (${BOUND_IDS})
       UNION ALL
       SELECT start, root, p.id, p.name, p.parent_id, height + 1
       FROM up CROSS JOIN item_rows p ON p.id = up.parent_id WHERE up.parent_id <> up.root
     ) SELECT start, name FROM up WHERE height > 0 ORDER BY start, height DESC`,
    [bindList(shown.map(([, { id }]) => id))],
  );
  const ways = Map.groupBy(rows, ({ start }) => start);
  return new Map(
    shown.map(([root, { id, name, count }]) => {
      const path = (ways.get(id) ?? []).map((folder) => folder.name).join(SEPARATOR);
      return [root, { name, path, count }];
    }),
  );
}
