import type { Knex } from 'knex';
import type { FilesQuery } from '../server/documents/contract.ts';
import type { FilledFirm } from './full-database.ts';

/** The queries of the documents screen: each filter, and combinations of them. */
const groups: FilesQuery[] = [{}, { group: 'pdf' }, { group: 'archive' }, { group: 'drawing' }];
const days: FilesQuery[] = [
  {},
  { from: '2024-04-01', to: '2025-03-31' },
  { from: '2024-05-01', to: '2024-05-02' },
];
const searches: FilesQuery[] = [{}, { search: 'gst' }, { search: 'form 16 0001' }];
const COLUMNS = { name: 'sort_key', modified: 'modified_at', size: 'file_size' } as const;
type Order = { sort: keyof typeof COLUMNS; direction: 'asc' | 'desc' };
const orders = (Object.keys(COLUMNS) as Order['sort'][]).flatMap((sort): Order[] => [
  { sort, direction: 'asc' },
  { sort, direction: 'desc' },
]);
/** The position of the page, as a fraction of the list. */
const DEPTHS = [0, 0.5, 0.98];

/** The queries of every combination of filter, order and depth. */
export async function documentQueries(
  db: Knex,
  { actor: { firmId, userId }, base, size }: FilledFirm,
): Promise<FilesQuery[]> {
  const clients: FilesQuery[] = [{}, { client_id: base + 17 }, { client_id: 'none' }];
  const owners: FilesQuery[] = [{}, { owner_id: userId }];
  const filters = [groups, clients, owners, days, searches].reduce<FilesQuery[]>(
    (queries, choices) => queries.flatMap((query) => choices.map((choice) => ({ ...query, ...choice }))),
    [{}],
  );
  const queries: FilesQuery[] = [];
  for (const { sort, direction } of orders) {
    const column = COLUMNS[sort];
    for (const depth of DEPTHS) {
      const [place]: { id: number; value: unknown }[] = await db.raw(
        `SELECT id, ${column} AS value FROM items WHERE firm_id = ? AND type = 'file'
         ORDER BY ${column} ${direction}, id ${direction} LIMIT 1 OFFSET ?`,
        [firmId, Math.floor(size.files * depth)],
      );
      // The cursor of a position depends on the order only, not on the filter.
      const mark = JSON.stringify([sort, direction, place!.value, place!.id]);
      const cursor = depth > 0 ? { cursor: Buffer.from(mark).toString('base64url') } : {};
      for (const filter of filters) queries.push({ ...filter, sort, direction, ...cursor, limit: 60 });
    }
  }
  return queries;
}
