import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { freeName, placementError } from '../changes/insert-item.ts';
import { abandonStaged, hideStaged, show } from '#server/records/hidden.ts';
import { nameKey } from '../../text/names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { originalDate } from '../original-date.ts';
import { createAdaptiveBatches } from '../../db/adaptive-batches.ts';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import * as usage from '../../records/usage.ts';
import type { ChangeParts } from '../changes/parts.ts';
import { sealOfFolder, sealedError } from '../seals/guard.ts';
import { queryRows } from '#server/db/sql.ts';
import { searchIndex } from '#server/search/index.ts';

/** A folder with all it will hold. Names are clean, and differ within each folder. */
export interface Tree {
  /** Of the folder itself; repaired, and numbered when taken. */
  name: string;
  /** Each after the one it lies in, whose index is `parent`; -1 is the folder itself. */
  folders: readonly { name: string; parent: number }[];
  files: readonly {
    name: string;
    type: string;
    folder: number;
    blob: StoredBlob;
    original_at?: string | null;
  }[];
}

/** A tree whose rows are there and hidden. */
export interface Staged {
  /** The folder itself. */
  id: number;
  name: string;
  /** The first of its files. */
  files: readonly number[];
  totals: usage.TypeTotal[];
}

interface Row {
  name: string;
  parent: number | null;
  /** The key by which names are compared; worked out from the name when left out. */
  key?: string;
  type?: string;
  blob?: StoredBlob;
  original_at?: string | null;
}

/**
 * Writes the rows of a tree, and their search entries, in short transactions: however many they are, nobody waits for
 * long. They stay hidden until `revealTree`; what fails before leaves them to be purged.
 * @throws the signal's reason.
 */
export async function stageTree(
  { db, clock, deferred }: Pick<ChangeParts, 'db' | 'clock'> & { deferred: Pick<DeferredWrites, 'write'> },
  actor: Actor,
  { name, folders, files }: Tree,
  clientId: number | null,
  signal: AbortSignal,
): Promise<Staged> {
  const now = clock().toISOString();
  const shared = [actor.firmId, actor.userId, now, now, clientId, actor.firmId];
  // The client may be deleted meanwhile.
  const places =
    '(?, ?, ?, ?, (SELECT id FROM clients WHERE id = ? AND firm_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

  /** @returns ids by parent and name: an answer need not keep the order of what was asked. */
  async function insert(rows: readonly Row[], top?: number): Promise<Map<string, number>> {
    signal.throwIfAborted();
    const values = rows.flatMap(
      ({ name, parent, key = nameKey(name), type = null, blob = null, original_at = null }) => {
        const { size = null, id = null, sha256 = null, crc32 = null } = blob ?? {};
        const content = [type, size, id, sha256, crc32, originalDate(original_at, new Date(now))];
        return [...shared, parent, blob ? 'file' : 'folder', name, key, sortKey(name), ...content];
      },
    );
    const grams = new Map(
      rows.map(({ name, parent }) => [`${parent}/${name}`, searchIndex.gramsOf(actor.firmId, name)]),
    );
    return db.transaction(async (trx) => {
      const made = await queryRows<{ id: number; parent_id: number | null; name: string }>(
        trx,
        `INSERT INTO item_rows (firm_id, owner_id, created_at, modified_at, client_id, parent_id, type, name, name_key,
           sort_key, file_type, file_size, blob_id, sha256, crc32, original_at)
         VALUES ${rows.map(() => places).join(', ')} RETURNING id, parent_id, name`,
        values as Knex.RawBinding[],
      );
      const found = new Map(made.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
      const ids = [...found.values()];
      await hideStaged(trx, top ?? ids[0]!, ids);
      // The folder itself may be numbered yet: its name goes into the index at the end.
      if (top !== undefined)
        await searchIndex.addAll(
          trx,
          Array.from(found, ([place, id]) => ({ id, grams: grams.get(place)! })),
        );
      return found;
    });
  }

  const paced = createAdaptiveBatches();
  async function inBatches<T>(all: readonly T[], write: (batch: T[]) => Promise<void>): Promise<void> {
    for (let at = 0; at < all.length;) await paced((rows) => write(all.slice(at, (at += rows))));
  }

  const [top] = (await insert([{ name, parent: null, key: `/${randomUUID()}` }])).values() as unknown as [
    number,
  ];
  try {
    const ids: number[] = [];
    const idOf = (folder: number): number => (folder < 0 ? top : ids[folder]!);
    for (const level of levels(folders)) {
      await inBatches(level, async (batch) => {
        const rows = batch.map((at) => ({ name: folders[at]!.name, parent: idOf(folders[at]!.parent) }));
        const found = await insert(rows, top);
        for (const [n, { parent, name }] of rows.entries()) ids[batch[n]!] = found.get(`${parent}/${name}`)!;
      });
    }
    let first: number[] = [];
    await inBatches(files, async (batch) => {
      const rows = batch.map(({ folder, ...file }) => ({ ...file, parent: idOf(folder) }));
      const found = await insert(rows, top);
      if (first.length === 0) first = [...found.values()];
    });
    return { id: top, name, files: first, totals: totalsOf(files) };
  } catch (error) {
    await deferred.write(() => db.transaction((trx) => abandonStaged(trx, top)));
    throw error;
  }
}

/**
 * Shows a staged tree in a folder, all of it at once, under its name or the next free one.
 * @throws {AppError} 422 on `parent_id`; 422 `quota_exceeded`; 422 `sealed`.
 */
export async function revealTree(
  { limits }: Pick<ChangeParts, 'limits'>,
  trx: Knex.Transaction,
  actor: Actor,
  parent_id: number | null,
  staged: Staged,
): Promise<void> {
  const { firmId } = actor;
  const bytes = staged.totals.reduce((sum, total) => sum + total.bytes, 0);
  const room = { bytes, limits: await limits(trx, firmId) };
  // Beside what the actor sees, in whatever folder that lies.
  const place = { parent_id, client_id: null };
  const seal = await sealOfFolder(trx, actor, parent_id);
  if (seal) throw sealedError(seal, 'parent_id');
  const why = await placementError(trx, { ...actor, clientScope: 'all' }, place, room);
  if (why) throw why;
  const taken = await trx('items')
    .where({ firm_id: firmId, name_key: nameKey(staged.name) })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .first('id');
  const name = taken ? await freeName(trx, firmId, parent_id, staged.name) : staged.name;
  const own = { name, name_key: nameKey(name), sort_key: sortKey(name), parent_id };
  await trx('item_rows').where({ id: staged.id }).update(own);
  await searchIndex.add(trx, { id: staged.id, firm_id: firmId, name });
  for (const total of staged.totals) await usage.count(trx, firmId, total);
  await show(trx, staged.id);
}

/** Indexes of the folders, those at the top first, level by level. */
function levels(folders: Tree['folders']): number[][] {
  const found: number[][] = [];
  const depths: number[] = [];
  for (const [at, { parent }] of folders.entries()) {
    const depth = parent < 0 ? 0 : depths[parent]! + 1;
    depths.push(depth);
    (found[depth] ??= []).push(at);
  }
  return found;
}

function totalsOf(files: Tree['files']): usage.TypeTotal[] {
  const totals = new Map<string, usage.TypeTotal>();
  for (const { type, blob } of files) {
    const total = totals.get(type) ?? { file_type: type, files: 0, bytes: 0 };
    totals.set(type, { file_type: type, files: total.files + 1, bytes: total.bytes + blob.size });
  }
  return [...totals.values()];
}
