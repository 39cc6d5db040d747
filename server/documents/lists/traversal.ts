import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import type { ItemType } from '../contract.ts';
import { createUniqueNames } from '../../text/file-names.ts';
import { findItems } from '../changes/remove.ts';
import { isAtRoot, isVisible, only } from '#server/visibility/visible.ts';
import { OF_CLIENT, requirePermission, ofFirm, topOfClient } from '../rows.ts';
import { placeholders } from '../../db/sql.ts';
import { SEPARATOR, paths } from '../tree.ts';

/** A file or folder of a traversal. `blob_id`, `size` and `sha256` are null for a folder. */
export interface Step {
  id: number;
  /** Names from the top of the traversal down to this item. */
  path: string[];
  type: ItemType;
  blob_id: string | null;
  size: number | null;
  sha256: string | null;
  file_type: string | null;
  /** Null for a folder, and for bytes stored by an early release that did not compute it. */
  crc32: number | null;
  modified_at: string;
  original_at: string | null;
}

type StepRow = Omit<Step, 'path'> & {
  parent_id: number | null;
  name: string;
  sort_key: string;
};

const COLUMNS = [
  'id',
  'parent_id',
  'name',
  'type',
  'blob_id',
  'file_size as size',
  'sha256',
  'file_type',
  'crc32',
  'modified_at',
  'original_at',
  'sort_key',
];
const PAGE = 2000;

/**
 * Yields `ids` and everything below them in listing order, each folder before its contents. Reads page by page without
 * locks, so concurrent changes may or may not be seen.
 * @throws {AppError} 404 if one of the ids does not exist.
 */
export async function* traverseItems(db: Knex, actor: Actor, ids: readonly number[]): AsyncGenerator<Step> {
  requirePermission(actor, 'documents.read');
  const { items, failed } = await findItems(db, actor, ids);
  if (failed.length > 0) throw notFound('item');
  yield* traverseTops(db, actor, [...items.keys()], createUniqueNames());
}

/**
 * Those of the items that are still there.
 * @param uniqueName names those at the top: items from different folders may have the same name.
 */
async function* traverseTops(
  db: Knex,
  actor: Actor,
  ids: readonly number[],
  uniqueName: (name: string) => string,
): AsyncGenerator<Step> {
  const tops: StepRow[] = await steps(db, actor)
    .whereRaw(`id IN (${placeholders(ids)})`, ids)
    .orderByRaw('type DESC, sort_key, id');
  for (const top of tops) yield* traverseFrom(db, actor, { ...top, name: uniqueName(top.name) }, []);
}

/** Top-level items traversed per query. */
const TOPS_PER_QUERY = 1000;

/** Like `traverseItems`, for everything in the actor's 'My Drive'; what is deleted meanwhile is left out. */
export async function* traverseAll(db: Knex, actor: Actor): AsyncGenerator<Step> {
  requirePermission(actor, 'documents.read');
  const tops: number[] = await db('items')
    .where({ firm_id: actor.firmId })
    .whereRaw(isAtRoot(actor, 'items'))
    .orderByRaw('type DESC, sort_key, id')
    .pluck('id');
  const uniqueName = createUniqueNames();
  for (let start = 0; start < tops.length; start += TOPS_PER_QUERY)
    yield* traverseTops(db, actor, tops.slice(start, start + TOPS_PER_QUERY), uniqueName);
}

/**
 * Yields every item of a client, with the path of its folders. Those folders are yielded themselves only if they belong
 * to the client.
 */
export async function* traverseClient(db: Knex, actor: Actor, clientId: number): AsyncGenerator<Step> {
  requirePermission(actor, 'documents.read');
  const tops = () =>
    steps(db, actor)
      .whereRaw(`items.${OF_CLIENT}`, [clientId, actor.firmId])
      .whereRaw(ofFirm('items'), [actor.firmId])
      .whereRaw(topOfClient('items'), [clientId]);
  for await (const page of pages(tops)) {
    const parentPaths = await paths(
      db,
      actor,
      page.map(({ parent_id }) => parent_id),
    );
    for (const top of page) {
      const folders = parentPaths.get(top.parent_id ?? 0)?.split(SEPARATOR) ?? [];
      yield* traverseFrom(db, actor, top, folders, clientId);
    }
  }
}

async function* traverseFrom(
  db: Knex,
  actor: Actor,
  row: StepRow,
  parentPath: string[],
  clientId?: number,
): AsyncGenerator<Step> {
  const step = stepOf(row, parentPath);
  yield step;
  if (row.type !== 'folder') return;
  const inside = { parent_id: row.id, firm_id: actor.firmId, ...(clientId && { client_id: clientId }) };
  for await (const page of pages(() => steps(db, actor).where(inside))) {
    for (const child of page) {
      if (child.type === 'folder') yield* traverseFrom(db, actor, child, step.path, clientId);
      else yield stepOf(child, step.path);
    }
  }
}

function stepOf(
  { id, name, type, blob_id, size, sha256, file_type, crc32, modified_at, original_at }: StepRow,
  parentPath: string[],
): Step {
  const path = [...parentPath, name];
  return { id, path, type, blob_id, size, sha256, file_type, crc32, modified_at, original_at };
}

const steps = (db: Knex, actor: Actor) => only(db('items'), isVisible(actor)).select<StepRow[]>(COLUMNS);

/** The rows of a query in listing order, in pages. */
async function* pages(rows: () => ReturnType<typeof steps>): AsyncGenerator<StepRow[]> {
  let after: StepRow | undefined;
  do {
    const next = rows().orderByRaw('type DESC, sort_key, id').limit(PAGE);
    if (after) {
      const { type, sort_key, id } = after;
      next.whereRaw('(type < ? OR (type = ? AND (sort_key, id) > (?, ?)))', [type, type, sort_key, id]);
    }
    const page: StepRow[] = await next;
    yield page;
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after);
}

export async function countFiles(steps: AsyncIterable<Step>): Promise<number> {
  let files = 0;
  for await (const { type } of steps) if (type === 'file') files += 1;
  return files;
}
