import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import type { NewItem } from './adding.ts';
import { refusal } from './adding.ts';
import type { ItemView } from './contract.ts';
import { nameKey } from './names.ts';
import { sortKey } from './ordering.ts';
import * as usage from './usage.ts';
import type { Writing } from './writing.ts';

/** A folder with all it will hold. Names are clean, and differ within each folder. */
export interface Tree {
  /** Of the folder itself; repaired, and numbered when taken. */
  name: string;
  parent_id: number | null;
  client_id: number | null;
  /** Each after the one it lies in, whose index is `parent`; -1 is the folder itself. */
  folders: readonly { name: string; parent: number }[];
  files: readonly { name: string; type: string; folder: number; blob: StoredBlob }[];
}

const ROWS = 400;

type Row = Record<string, string | number | null>;
type Add = (trx: Knex, actor: Actor, item: NewItem, keepBoth: boolean) => Promise<ItemView>;

/**
 * Writes a whole tree of rows, in a transaction that shows all of it at once. The blobs are on the disk already.
 * @throws {AppError} 422 `quota_exceeded`, and what `add` throws for the place.
 */
export async function plantTree(
  { index, limits, clock, add }: Writing & { add: Add },
  trx: Knex,
  actor: Actor,
  { name, parent_id, client_id, folders, files }: Tree,
): Promise<ItemView> {
  const now = clock().toISOString();
  const bytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
  const room = { bytes, limits: await limits(actor.firmId, trx) };
  const why = await refusal(trx, actor, { parent_id, client_id }, room);
  if (why) throw why;
  const top = await add(trx, actor, { name, parent_id, client_id, file: null, now }, true);

  const shared = {
    firm_id: actor.firmId,
    client_id: top.client_id,
    owner_id: actor.userId,
    created_at: now,
    modified_at: now,
  };
  const row = (type: string, name: string, parent: number): Row => ({
    ...shared,
    type,
    parent_id: parent,
    name,
    name_key: nameKey(name),
    sort_key: sortKey(name),
  });
  const insert = async (rows: Row[]): Promise<{ id: number; parent_id: number; name: string }[]> => {
    const made = await trx('items').insert(rows).returning(['id', 'parent_id', 'name']);
    await index.addAll(trx, actor.firmId, made);
    return made;
  };

  const ids: number[] = [];
  const idOf = (folder: number): number => (folder < 0 ? top.id : ids[folder]!);
  for (const level of levels(folders)) {
    for (const batch of batches(level)) {
      const places = new Map(batch.map((n) => [`${idOf(folders[n]!.parent)}/${folders[n]!.name}`, n]));
      const made = await insert(batch.map((n) => row('folder', folders[n]!.name, idOf(folders[n]!.parent))));
      // An answer need not keep the order of what was asked.
      for (const { id, parent_id, name } of made) ids[places.get(`${parent_id}/${name}`)!] = id;
    }
  }
  for (const batch of batches(files)) {
    await insert(
      batch.map(({ name, type, folder, blob }) => ({
        ...row('file', name, idOf(folder)),
        file_type: type,
        file_size: blob.size,
        blob_id: blob.id,
        sha256: blob.sha256,
      })),
    );
  }
  for (const total of totals(files)) await usage.count(trx, actor.firmId, total);
  return {
    ...top,
    children_count: [...folders, ...files].filter((one) => ('parent' in one ? one.parent : one.folder) < 0)
      .length,
  };
}

/** Indexes of the folders, those at the top first, level by level. */
function levels(folders: Tree['folders']): number[][] {
  const found: number[][] = [];
  const depths: number[] = [];
  for (const [n, { parent }] of folders.entries()) {
    const depth = parent < 0 ? 0 : depths[parent]! + 1;
    depths.push(depth);
    (found[depth] ??= []).push(n);
  }
  return found;
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}

function totals(files: Tree['files']): usage.TypeTotal[] {
  const found = new Map<string, usage.TypeTotal>();
  for (const { type, blob } of files) {
    const total = found.get(type) ?? { file_type: type, files: 0, bytes: 0 };
    found.set(type, { ...total, files: total.files + 1, bytes: total.bytes + blob.size });
  }
  return [...found.values()];
}
