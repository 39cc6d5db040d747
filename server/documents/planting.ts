import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { freeName, refusal } from './adding.ts';
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

/** A tree whose rows are there and belong to nobody yet. */
export interface Staged {
  /** The folder itself. */
  id: number;
  name: string;
  /** Of itself and all it holds; a folder comes before what lies in it. */
  ids: number[];
  totals: usage.TypeTotal[];
}

/** Owner of rows that no firm sees. */
export const NOBODY = 0;
/** Of one statement, which keeps what it changes in memory until it has ended. */
const ROWS = 400;
/** Characters of names in one transaction: indexing them takes a few milliseconds, on the thread that answers requests. */
const CHARACTERS = 6000;

interface Row {
  name: string;
  parent: number;
  type?: string;
  blob?: StoredBlob;
}

/**
 * Writes the rows of a tree, and their search entries, in short transactions: however many they are, nobody waits for
 * long. They belong to nobody until `revealTree`; what fails before takes them away again.
 * @throws the signal's reason.
 */
export async function stageTree(
  { db, clock, index }: Pick<Writing, 'db' | 'clock' | 'index'>,
  actor: Actor,
  { name, folders, files }: Tree,
  signal: AbortSignal,
): Promise<Staged> {
  const now = clock().toISOString();
  const shared = [NOBODY, actor.userId, now, now];

  /** @returns ids by parent and name: an answer need not keep the order of what was asked. */
  async function insert(rows: readonly Row[]): Promise<Map<string, number>> {
    signal.throwIfAborted();
    const lines = rows.map(({ name, parent, type = null, blob = null }) => {
      const content = [type, blob?.size ?? null, blob?.id ?? null, blob?.sha256 ?? null];
      return [...shared, parent, blob ? 'file' : 'folder', name, nameKey(name), sortKey(name), ...content];
    });
    const grams = new Map(
      rows.map(({ name, parent }) => [`${parent}/${name}`, index.gramsOf(actor.firmId, name)]),
    );
    return db.transaction(async (trx) => {
      const made: { id: number; parent_id: number; name: string }[] = await trx.raw(
        `INSERT INTO items (firm_id, owner_id, created_at, modified_at, parent_id, type, name, name_key, sort_key,
           file_type, file_size, blob_id, sha256)
         VALUES ${lines.map((line) => `(${line.map(() => '?').join(', ')})`).join(', ')} RETURNING id, parent_id, name`,
        lines.flat() as Knex.RawBinding[],
      );
      const found = new Map(made.map(({ id, parent_id, name }) => [`${parent_id}/${name}`, id]));
      await index.addAll(
        trx,
        Array.from(found, ([place, id]) => ({ id, grams: grams.get(place)! })),
      );
      staged.ids.push(...found.values());
      return found;
    });
  }

  const hidden = randomUUID();
  const [top] = (await db('items')
    .insert({
      firm_id: NOBODY,
      owner_id: actor.userId,
      type: 'folder',
      name: hidden,
      name_key: hidden,
      sort_key: hidden,
      created_at: now,
      modified_at: now,
    })
    .returning('id')) as [{ id: number }];
  const staged: Staged = { id: top.id, name, ids: [top.id], totals: totalsOf(files) };
  try {
    const ids: number[] = [];
    const idOf = (folder: number): number => (folder < 0 ? top.id : ids[folder]!);
    for (const level of levels(folders)) {
      for (const batch of byNames(level, (at) => folders[at]!.name)) {
        const rows = batch.map((at) => ({ name: folders[at]!.name, parent: idOf(folders[at]!.parent) }));
        const found = await insert(rows);
        for (const [n, { parent, name }] of rows.entries()) ids[batch[n]!] = found.get(`${parent}/${name}`)!;
      }
    }
    for (const batch of byNames(files, ({ name }) => name)) {
      await insert(batch.map(({ name, type, folder, blob }) => ({ name, type, blob, parent: idOf(folder) })));
    }
    return staged;
  } catch (error) {
    await unstage({ db, index }, staged.ids);
    throw error;
  }
}

/**
 * Gives a staged tree to the actor's firm, all of it at once, under its name or the next free one.
 * @throws {AppError} 422 on `parent_id`; 422 `quota_exceeded`.
 */
export async function revealTree(
  { index, limits }: Pick<Writing, 'index' | 'limits'>,
  trx: Knex,
  actor: Actor,
  place: { parent_id: number | null; client_id: number | null },
  staged: Staged,
): Promise<number> {
  const { firmId } = actor;
  const { parent_id, client_id } = place;
  const bytes = staged.totals.reduce((sum, total) => sum + total.bytes, 0);
  const why = await refusal(trx, actor, place, { bytes, limits: await limits(firmId, trx) });
  if (why) throw why;
  const taken = await trx('items')
    .where({ firm_id: firmId, name_key: nameKey(staged.name) })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .first('id');
  const name = taken ? await freeName(trx, firmId, parent_id, staged.name) : staged.name;
  const given = client_id === null ? { firm_id: firmId } : { firm_id: firmId, client_id };
  for (const batch of batches(staged.ids)) await trx('items').whereIn('id', batch).update(given);
  const own = { name, name_key: nameKey(name), sort_key: sortKey(name), parent_id };
  await trx('items').where({ id: staged.id }).update(own);
  await index.add(trx, { id: staged.id, firm_id: firmId, name });
  for (const total of staged.totals) await usage.count(trx, firmId, total);
  return staged.id;
}

/** Takes away rows that belong to nobody, what lies in a folder before the folder. */
export async function unstage(
  { db, index }: Pick<Writing, 'db' | 'index'>,
  ids: readonly number[],
): Promise<void> {
  for (const batch of batches(ids.toReversed())) await removeRows({ db, index }, batch);
}

/** Takes away what a process that is no more had staged; its blobs are left to the sweep, which finds them listed. */
export async function unstageAll({
  db,
  clock,
  index,
}: Pick<Writing, 'db' | 'clock' | 'index'>): Promise<void> {
  // The newest first: a folder is older than what it holds.
  const rows = () =>
    db('items').where({ firm_id: NOBODY }).orderBy('id', 'desc').limit(ROWS).select('id', 'blob_id');
  for (let some = await rows(); some.length > 0; some = await rows()) {
    const blobs = some.filter(({ blob_id }) => blob_id !== null);
    const discarded_at = clock().toISOString();
    if (blobs.length > 0) {
      const listed = blobs.map(({ blob_id }: { blob_id: string }) => ({ blob_id, discarded_at }));
      for (const batch of batches(listed, 100))
        await db('discarded_blobs').insert(batch).onConflict().ignore();
    }
    await removeRows(
      { db, index },
      some.map(({ id }: { id: number }) => id),
    );
  }
}

async function removeRows(
  { db, index }: Pick<Writing, 'db' | 'index'>,
  ids: readonly number[],
): Promise<void> {
  await db.transaction(async (trx) => {
    const gone: number[] = await trx('items').where({ firm_id: NOBODY }).whereIn('id', ids).pluck('id');
    await index.removeAll(trx, gone);
    await trx('items').whereIn('id', gone).delete();
  });
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

function* batches<T>(all: readonly T[], size = ROWS): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/** Parts of no more rows, and hardly more characters of names, than one transaction takes. */
function* byNames<T>(all: readonly T[], nameOf: (one: T) => string): Generator<T[]> {
  let part: T[] = [];
  let characters = 0;
  for (const one of all) {
    part.push(one);
    characters += nameOf(one).length;
    if (part.length < ROWS && characters < CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}
