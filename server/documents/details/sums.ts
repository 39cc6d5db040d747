import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import * as usage from '#server/records/usage.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { visibleItems } from '#server/visibility/visible.ts';
import { joinSpellings } from '../file-types/spellings.ts';
import { CLIENTS_NAMED, COUNTED_MOST } from './contract.ts';
import type { Sums } from './contract.ts';

interface Group {
  /** '' for folders. */
  file_type: string;
  /** 0 for no client. */
  client_id: number;
  items: number;
  bytes: number;
}

/** Totals of these items of the firm and their descendants that the actor sees. */
export async function sumsOf(db: Knex, actor: Actor, ids: readonly number[]): Promise<Sums> {
  const items = visibleItems(actor);
  // UNION drops duplicates: an item may be chosen together with a folder above it.
  const groups = await queryRows<Group>(
    db,
    `WITH RECURSIVE held(id, file_type, file_size, scope) AS (
       SELECT id, file_type, file_size, scope_client_id FROM ${items} top WHERE id IN (${BOUND_IDS}) AND firm_id = ?
       UNION
       SELECT i.id, i.file_type, i.file_size, i.scope_client_id FROM held CROSS JOIN ${items} i ON i.parent_id = held.id
     ) SELECT coalesce(file_type, '') AS file_type, scope AS client_id, count(*) AS items,
         coalesce(sum(file_size), 0) AS bytes
       FROM (SELECT * FROM held LIMIT ?) AS held GROUP BY 1, 2`,
    [bindList(ids), actor.firmId, COUNTED_MOST + 1],
  );
  const all = groups.reduce((sum, group) => sum + group.items, 0);
  const folders = groups.reduce((sum, group) => sum + (group.file_type === '' ? group.items : 0), 0);
  const types = totalsBy(
    groups.filter(({ file_type }) => file_type !== ''),
    'file_type',
  ).map(([file_type, { files, bytes }]) => ({ file_type, files, bytes }));
  const byClient = totalsBy(groups, 'client_id');
  const names = await namesOf(
    db,
    actor,
    byClient.map(([id]) => id),
  );
  // A deleted client's id is removed from its items in batches; until then they count as items of no client.
  const clients = new Map<number | null, { items: number; files: number }>();
  for (const [id, sum] of byClient) {
    const known = names.has(id) ? id : null;
    const { items: count, files } = clients.get(known) ?? { items: 0, files: 0 };
    clients.set(known, { items: count + sum.items, files: files + sum.files });
  }
  const sorted = [...clients].toSorted(([, a], [, b]) => b.items - a.items);
  const listed = sorted.filter(([id], at) => at < CLIENTS_NAMED || id === null);
  return {
    ...sumOfTypes(types),
    folders,
    clients: listed.map(([id, sum]) => ({ id, name: id === null ? null : names.get(id)!, ...sum })),
    client_count: sorted.length,
    more: all > COUNTED_MOST,
  };
}

/** Totals of all files that the actor sees, from the running counters. */
export async function sumsOfAll(db: Knex, actor: Actor): Promise<Sums> {
  const types = await usage.totals(db, actor);
  return { ...sumOfTypes(types), folders: null, clients: null, client_count: 0, more: false };
}

function sumOfTypes(types: Sums['types']): Pick<Sums, 'files' | 'bytes' | 'formatted_bytes' | 'types'> {
  const files = types.reduce((sum, type) => sum + type.files, 0);
  const bytes = types.reduce((sum, type) => sum + type.bytes, 0);
  return { files, bytes, formatted_bytes: formatBytes(bytes), types: joinSpellings(types) };
}

/** Adds up the groups by one of their columns. */
function totalsBy<Key extends 'file_type' | 'client_id'>(groups: readonly Group[], key: Key) {
  const sums = new Map<Group[Key], Pick<Group, 'items' | 'bytes'> & { files: number }>();
  for (const group of groups) {
    const { items, files, bytes } = sums.get(group[key]) ?? { items: 0, files: 0, bytes: 0 };
    const more = group.file_type === '' ? 0 : group.items;
    sums.set(group[key], { items: items + group.items, files: files + more, bytes: bytes + group.bytes });
  }
  return [...sums];
}

async function namesOf(db: Knex, { firmId }: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await queryRows<{ id: number; name: string }>(
    db,
    `SELECT id, name FROM clients WHERE id IN (${BOUND_IDS}) AND firm_id = ?`,
    [bindList(ids), firmId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
