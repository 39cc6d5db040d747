import { setImmediate as turn } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import type { SearchIndex } from '#server/search/index.ts';
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
  /** Each after the one it lies in, whose index is `parent`; -1 is the folder itself. */
  folders: readonly { name: string; parent: number }[];
  files: readonly { name: string; type: string; folder: number; blob: StoredBlob }[];
}

/** A row before it is known where it lies: what takes time to compute is computed. */
interface Seedling {
  name: string;
  name_key: string;
  sort_key: string;
  grams: string;
  parent: number;
  file?: { type: string; blob: StoredBlob };
}

/** A tree that is ready to be written. */
export interface Seedlings {
  name: string;
  /** Level by level from the top. */
  folders: { at: number; seedling: Seedling }[][];
  files: Seedling[];
  totals: usage.TypeTotal[];
}

const ROWS = 400;

/** Computes all that rows need, in steps, so that the transaction that writes them is short. */
export async function prepareTree(index: SearchIndex, firmId: number, tree: Tree): Promise<Seedlings> {
  const seedling = (name: string, parent: number): Seedling => {
    return {
      name,
      parent,
      name_key: nameKey(name),
      sort_key: sortKey(name),
      grams: index.gramsOf(firmId, name),
    };
  };
  let made = 0;
  const step = () => ((made += 1) % ROWS === 0 ? turn() : undefined);

  const folders: Seedlings['folders'] = [];
  const depths: number[] = [];
  for (const [at, { name, parent }] of tree.folders.entries()) {
    const depth = parent < 0 ? 0 : depths[parent]! + 1;
    depths.push(depth);
    (folders[depth] ??= []).push({ at, seedling: seedling(name, parent) });
    await step();
  }
  const files: Seedling[] = [];
  const totals = new Map<string, usage.TypeTotal>();
  for (const { name, type, folder, blob } of tree.files) {
    files.push({ ...seedling(name, folder), file: { type, blob } });
    const total = totals.get(type) ?? { file_type: type, files: 0, bytes: 0 };
    totals.set(type, { file_type: type, files: total.files + 1, bytes: total.bytes + blob.size });
    await step();
  }
  return { name: tree.name, folders, files, totals: [...totals.values()] };
}

type Add = (trx: Knex, actor: Actor, item: NewItem, keepBoth: boolean) => Promise<ItemView>;

/**
 * Writes a whole tree of rows, in a transaction that shows all of it at once. The blobs are on the disk already.
 * @throws {AppError} 422 `quota_exceeded`, and what `add` throws for the place.
 */
export async function plantTree(
  { index, limits, clock, add }: Writing & { add: Add },
  trx: Knex,
  actor: Actor,
  place: { parent_id: number | null; client_id: number | null },
  { name, folders, files, totals }: Seedlings,
): Promise<ItemView> {
  const now = clock().toISOString();
  const bytes = totals.reduce((sum, total) => sum + total.bytes, 0);
  const why = await refusal(trx, actor, place, { bytes, limits: await limits(actor.firmId, trx) });
  if (why) throw why;
  const top = await add(trx, actor, { name, ...place, file: null, now }, true);

  const shared = [actor.firmId, top.client_id, actor.userId, now, now];
  const ids: number[] = [];
  const idOf = (folder: number): number => (folder < 0 ? top.id : ids[folder]!);
  /** @returns ids by parent and name: an answer need not keep the order of what was asked. */
  async function insert(batch: readonly Seedling[]): Promise<Map<string, number>> {
    const rows = batch.map(({ parent, name, name_key, sort_key, file }) => {
      const { type = null, blob = null } = file ?? {};
      const content = [type, blob?.size ?? null, blob?.id ?? null, blob?.sha256 ?? null];
      return [...shared, idOf(parent), file ? 'file' : 'folder', name, name_key, sort_key, ...content];
    });
    const places = rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    const made: { id: number; parent_id: number; name: string }[] = await trx.raw(
      `INSERT INTO items (firm_id, client_id, owner_id, created_at, modified_at, parent_id, type, name, name_key, sort_key,
         file_type, file_size, blob_id, sha256) VALUES ${places} RETURNING id, parent_id, name`,
      rows.flat() as Knex.RawBinding[],
    );
    const found = new Map(made.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
    const indexed = batch.map(({ parent, name, grams }) => ({
      id: found.get(`${idOf(parent)}/${name}`)!,
      grams,
    }));
    await index.addAll(trx, indexed);
    return found;
  }

  for (const level of folders) {
    for (const batch of batches(level)) {
      const found = await insert(batch.map(({ seedling }) => seedling));
      for (const { at, seedling } of batch) ids[at] = found.get(`${idOf(seedling.parent)}/${seedling.name}`)!;
    }
  }
  for (const batch of batches(files)) await insert(batch);
  for (const total of totals) await usage.count(trx, actor.firmId, total);
  const children = (folders[0]?.length ?? 0) + files.filter(({ parent }) => parent < 0).length;
  return { ...top, children_count: children };
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}
