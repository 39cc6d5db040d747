import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { freeName, placementError } from '../changes/insert-item.ts';
import { nameTakenError } from '../changes/rename.ts';
import { abandonStaged, hideStaged, show } from '#server/records/hidden.ts';
import { nameKey } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { originalDate } from '../original-date.ts';
import { createAdaptiveBatches } from '../../db/adaptive-batches.ts';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import type * as usage from '../../records/usage.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { sealOfFolder, sealedError } from '../seals/guard.ts';
import { queryRows } from '#server/db/sql.ts';
import { searchIndex } from '#server/search/index.ts';

/** A folder and its contents to be created. Names are valid, and unique within each folder. */
export interface Tree {
  /** The folder's name, valid; numbered when it is taken. */
  name: string;
  /** Parents come before their children. `parent` is an index in this array; -1 is the top folder. */
  folders: readonly { name: string; parent: number }[];
  files: readonly {
    name: string;
    type: string;
    folder: number;
    blob: StoredBlob;
    original_at?: string | null;
  }[];
}

/** A tree whose rows are inserted and hidden. */
export interface Staged {
  /** The top folder. */
  id: number;
  name: string;
  /** Ids, in the order of the tree. */
  folders: readonly number[];
  files: readonly number[];
  totals: usage.TypeTotal[];
}

interface Row {
  name: string;
  parent: number | null;
  /** The `name_key`; by default derived from the name. */
  key?: string;
  type?: string;
  blob?: StoredBlob;
  original_at?: string | null;
}

type StagingDependencies = Pick<ChangeDependencies, 'db' | 'clock'> & {
  deferred: Pick<DeferredWrites, 'write'>;
};

/**
 * Stages a tree, and shows it in one transaction. @param reveal calls `revealTree` in it; when it rejects, nothing of the tree is
 * ever seen.
 */
export async function addStaged<T>(
  dependencies: StagingDependencies,
  actor: Actor,
  { tree, client_id, signal }: { tree: Tree; client_id: number | null; signal: AbortSignal },
  reveal: (trx: Knex.Transaction, staged: Staged) => Promise<T>,
): Promise<T> {
  const { db, deferred } = dependencies;
  const staged = await stageTree(dependencies, actor, tree, client_id, signal);
  try {
    return await db.transaction(async (trx) => {
      signal.throwIfAborted();
      return reveal(trx, staged);
    });
  } catch (error) {
    await deferred.write(() => db.transaction((trx) => abandonStaged(trx, staged.id)));
    throw error;
  }
}

/**
 * Inserts the rows of a tree and their search entries in short transactions, so that a large tree does not block other
 * writers. The rows stay hidden until `revealTree`; on failure they are marked for purging.
 * @throws the signal's reason when it is aborted.
 */
export async function stageTree(
  { db, clock, deferred }: StagingDependencies,
  actor: Actor,
  { name, folders, files }: Tree,
  clientId: number | null,
  signal: AbortSignal,
): Promise<Staged> {
  const now = clock().toISOString();
  const shared = [actor.firmId, actor.userId, now, now, clientId, actor.firmId];
  // The subquery yields null when the client has been deleted meanwhile.
  const rowPlaceholders =
    '(?, ?, ?, ?, (SELECT id FROM clients WHERE id = ? AND firm_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

  /** @returns ids by `parent/name`, since `RETURNING` does not guarantee the order of the inserted rows. */
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
      const inserted = await queryRows<{ id: number; parent_id: number | null; name: string }>(
        trx,
        `INSERT INTO item_rows (firm_id, owner_id, created_at, modified_at, client_id, parent_id, type, name, name_key,
           sort_key, file_type, file_size, blob_id, sha256, crc32, original_at)
         VALUES ${rows.map(() => rowPlaceholders).join(', ')} RETURNING id, parent_id, name`,
        values as Knex.RawBinding[],
      );
      const idsByPath = new Map(inserted.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
      const ids = [...idsByPath.values()];
      await hideStaged(trx, top ?? ids[0]!, ids);
      // The top folder gets its final name in `revealTree`, which then indexes it.
      if (top !== undefined)
        await searchIndex.addAll(
          trx,
          Array.from(idsByPath, ([path, id]) => ({ id, grams: grams.get(path)! })),
        );
      return idsByPath;
    });
  }

  const runBatch = createAdaptiveBatches();
  async function inBatches<T>(all: readonly T[], write: (batch: T[]) => Promise<void>): Promise<void> {
    for (let start = 0; start < all.length;)
      await runBatch((rows) => write(all.slice(start, (start += rows))));
  }

  const key = `/${randomUUID()}`;
  /** The connection may have broken after the commit: then the row is there although its id has never arrived. */
  async function abandonTop(): Promise<void> {
    await db.transaction(async (trx) => {
      const row = { firm_id: actor.firmId, name_key: key };
      const top = await trx('item_rows').where(row).whereRaw('coalesce(parent_id, 0) = 0').first('id');
      if (top) await abandonStaged(trx, top.id);
    });
  }

  const first = await insert([{ name, parent: null, key }]).catch(async (error: unknown) => {
    await deferred.write(abandonTop);
    throw error;
  });
  const [top] = first.values() as unknown as [number];
  try {
    const ids: number[] = [];
    const idOf = (folder: number): number => (folder < 0 ? top : ids[folder]!);
    for (const level of levels(folders)) {
      await inBatches(level, async (batch) => {
        const rows = batch.map((index) => ({
          name: folders[index]!.name,
          parent: idOf(folders[index]!.parent),
        }));
        const idsByPath = await insert(rows, top);
        for (const [n, { parent, name }] of rows.entries())
          ids[batch[n]!] = idsByPath.get(`${parent}/${name}`)!;
      });
    }
    const fileIds: number[] = [];
    await inBatches(files, async (batch) => {
      const rows = batch.map(({ folder, ...file }) => ({ ...file, parent: idOf(folder) }));
      const idsByPath = await insert(rows, top);
      for (const { parent, name } of rows) fileIds.push(idsByPath.get(`${parent}/${name}`)!);
    });
    return { id: top, name, folders: ids, files: fileIds, totals: totalsOf(files) };
  } catch (error) {
    await deferred.write(() => db.transaction((trx) => abandonStaged(trx, top)));
    throw error;
  }
}

/**
 * Moves a staged tree into a folder, under its name or the next free one, and makes all its rows visible together. `onlyNamed` refuses a
 * name that is taken.
 * @throws {AppError} 422 on `parent_id`; 422 on `name`; 422 `quota_exceeded`; 422 `sealed`.
 */
export async function revealTree(
  { limits }: Pick<ChangeDependencies, 'limits'>,
  trx: Knex.Transaction,
  actor: Actor,
  parent_id: number | null,
  staged: Staged,
  { onlyNamed = false } = {},
): Promise<void> {
  const { firmId } = actor;
  const bytes = staged.totals.reduce((sum, total) => sum + total.bytes, 0);
  const room = { bytes, limits: await limits(trx, firmId) };
  const place = { parent_id, client_id: null };
  const seal = await sealOfFolder(trx, actor, parent_id);
  if (seal) throw sealedError(seal, 'parent_id');
  const error = await placementError(trx, actor, place, room);
  if (error) throw error;
  const taken = await trx('items')
    .where({ firm_id: firmId, name_key: nameKey(staged.name) })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .first('id');
  if (taken && onlyNamed) throw await nameTakenError(trx, actor, parent_id, staged.name);
  const name = taken ? await freeName(trx, firmId, parent_id, staged.name) : staged.name;
  const columns = { name, name_key: nameKey(name), sort_key: sortKey(name), parent_id };
  await trx('item_rows').where({ id: staged.id }).update(columns);
  await searchIndex.add(trx, { id: staged.id, firm_id: firmId, name });
  await show(trx, staged.id);
}

/** Indexes of the folders, grouped by depth. */
function levels(folders: Tree['folders']): number[][] {
  const byDepth: number[][] = [];
  const depths: number[] = [];
  for (const [index, { parent }] of folders.entries()) {
    const depth = parent < 0 ? 0 : depths[parent]! + 1;
    depths.push(depth);
    (byDepth[depth] ??= []).push(index);
  }
  return byDepth;
}

function totalsOf(files: Tree['files']): usage.TypeTotal[] {
  const totals = new Map<string, usage.TypeTotal>();
  for (const { type, blob } of files) {
    const total = totals.get(type) ?? { file_type: type, files: 0, bytes: 0 };
    totals.set(type, { file_type: type, files: total.files + 1, bytes: total.bytes + blob.size });
  }
  return [...totals.values()];
}
