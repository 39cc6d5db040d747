import type { Knex } from 'knex';
import { BOUND_IDS, boundTupleRows, bindList, numberOf, queryRows, textOf } from '#server/db/sql.ts';
import type { ScopeTotal } from '#server/records/scope-usage.ts';
import type * as usage from '#server/records/usage.ts';

/** The folders among some items, and those inside them. Only folders have no type, so no file is read. */
const FOLDERS = `WITH RECURSIVE folders(root, id, scope) AS (
    SELECT id, id, scope_client_id FROM items WHERE id IN (${BOUND_IDS}) AND file_type IS NULL
    UNION ALL
    SELECT folders.root, i.id, i.scope_client_id FROM folders CROSS JOIN items i
    WHERE i.parent_id = folders.id AND i.file_type IS NULL
  ) SELECT root, id, scope FROM folders`;

/** An item that is moved to or restored from Trash, with its contents. */
export interface Top {
  id: number;
  file_type: string | null;
  file_size: number | null;
  client_id: number | null;
  parent_id: number | null;
  name: string;
  sort_key: string;
  scope_client_id: number;
}

/** Totals of one type in a top, or in a folder inside it; folders under ''. */
interface Weight extends usage.TypeTotal {
  root: number;
  least: number | null;
  most: number | null;
  /** Client of all of these; null if they have different ones. */
  scope: number | null;
  /** The parent folder; null for the top itself. */
  folder: number | null;
}

/** A top, or a folder inside it. */
export interface Folder {
  root: number;
  id: number;
  scope: number;
}

/** Columns of a `Top`. */
export const TOP = 'id, parent_id, name, sort_key, scope_client_id, client_id, file_type, file_size';

/** The folders among these items, and those inside them. */
export const foldersIn = (trx: Knex.Transaction, tops: readonly Top[]): Promise<Folder[]> =>
  queryRows(trx, FOLDERS, [bindList(tops.map(({ id }) => id))]);

/** Totals of each top and its contents by type, read from an index alone; folders under ''. */
export async function weigh(
  trx: Knex.Transaction,
  tops: readonly Top[],
  folders: readonly Folder[],
): Promise<Weight[]> {
  const weights = tops.map(({ id, file_type, file_size, client_id, scope_client_id }): Weight => {
    const total = { file_type: file_type ?? '', files: 1, bytes: file_size ?? 0 };
    return { root: id, ...total, least: client_id, most: client_id, scope: scope_client_id, folder: null };
  });
  if (folders.length === 0) return weights;
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const inside = await queryRows<
    Omit<Weight, 'root' | 'scope' | 'folder'> & { parent_id: number; tied: number }
  >(
    trx,
    `SELECT parent_id, coalesce(file_type, '') AS file_type, count(*) AS files, coalesce(sum(file_size), 0) AS bytes,
       min(client_id) AS least, max(client_id) AS most, count(client_id) AS tied
     FROM items WHERE parent_id IN (${BOUND_IDS}) GROUP BY parent_id, items.file_type`,
    [bindList(byId.keys())],
  );
  return [
    ...weights,
    ...inside.map(({ parent_id, tied, ...weight }): Weight => {
      const { root, scope: inherited } = byId.get(parent_id)!;
      // An item without a client of its own belongs to the client of its folder.
      const scope =
        tied === 0 ? inherited : tied === weight.files && weight.least === weight.most ? weight.least : null;
      return { ...weight, root, scope, folder: parent_id };
    }),
  ];
}

/** Totals by client. Single files are read only in folders with files of several clients. */
export async function byScope(trx: Knex.Transaction, weights: readonly Weight[]): Promise<ScopeTotal[]> {
  const files = weights.filter(({ file_type }) => file_type !== '');
  const plain = files.flatMap(({ scope, file_type, files, bytes }) =>
    scope === null ? [] : [{ scope_client_id: scope, file_type, files, bytes }],
  );
  const mixed = files.filter(({ scope }) => scope === null);
  if (mixed.length === 0) return sumByScope(plain);
  const [folder, type] = [numberOf('m.value', 0), textOf('m.value', 1)];
  const looked = await queryRows<ScopeTotal>(
    trx,
    `SELECT i.scope_client_id, i.file_type, count(*) AS files, coalesce(sum(i.file_size), 0) AS bytes
     FROM ${boundTupleRows('m')} CROSS JOIN items i WHERE i.parent_id = ${folder} AND i.file_type = ${type} GROUP BY 1, 2`,
    [bindList(mixed.map((weight) => [weight.folder, weight.file_type]))],
  );
  return sumByScope([...plain, ...looked]);
}

function sumByScope(parts: readonly ScopeTotal[]): ScopeTotal[] {
  const sums = new Map<string, ScopeTotal>();
  for (const part of parts) {
    const key = `${part.scope_client_id} ${part.file_type}`;
    const { files, bytes } = sums.get(key) ?? { files: 0, bytes: 0 };
    sums.set(key, { ...part, files: files + part.files, bytes: bytes + part.bytes });
  }
  return [...sums.values()];
}

export function sumByType(parts: readonly usage.TypeTotal[]): usage.TypeTotal[] {
  const sums = new Map<string, usage.TypeTotal>();
  for (const { file_type, files, bytes } of parts) {
    const sum = sums.get(file_type) ?? { file_type, files: 0, bytes: 0 };
    sums.set(file_type, { file_type, files: sum.files + files, bytes: sum.bytes + bytes });
  }
  return [...sums.values()];
}
