import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { notFound } from '#server/http/errors.ts';
import type { ItemType } from './contract.ts';
import { keepBoth, nameKey } from './names.ts';
import { ownItems } from './removing.ts';
import { demand } from './rows.ts';
import { places } from './tree.ts';

/** One file or folder of a walk. The bytes' fields are null for a folder. */
export interface Step {
  /** Names from the walk's top down to this item. */
  path: string[];
  type: ItemType;
  blob_id: string | null;
  size: number | null;
  sha256: string | null;
  /** Null for a folder, and where nobody has counted it yet. */
  crc32: number | null;
  modified_at: string;
}

type StepRow = Omit<Step, 'path'> & { id: number; name: string; sort_key: string };

const COLUMNS = [
  'id',
  'name',
  'type',
  'items.blob_id',
  'file_size as size',
  'sha256',
  'crc32',
  'modified_at',
  'sort_key',
];
const PAGE = 500;

/**
 * Every item below and including `ids`, a folder before what it holds, in listing order. Reads a page at a time, so
 * what changes meanwhile may or may not be seen; nothing is held locked between pages.
 * @throws {AppError} 404 when one of the ids is not the firm's.
 */
export async function* walkItems(db: Knex, actor: Actor, ids: readonly number[]): AsyncGenerator<Step> {
  demand(actor, 'documents.read');
  const { items, failed } = await ownItems(db, actor, ids);
  if (failed.length > 0) throw notFound('item');
  const chosen = [...items.keys()];
  const tops: StepRow[] = await steps(db)
    .whereRaw(`id IN (${places(chosen)})`, chosen)
    .orderByRaw('type DESC, sort_key, id');
  // Chosen from several folders, two may have the same name.
  const taken = new Set<string>();
  for (const top of tops) {
    const name = keepBoth(top.name, taken);
    taken.add(nameKey(name));
    yield* walkFrom(db, actor, { ...top, name }, []);
  }
}

async function* walkFrom(db: Knex, actor: Actor, row: StepRow, above: string[]): AsyncGenerator<Step> {
  const { name, type, blob_id, size, sha256, crc32, modified_at } = row;
  const path = [...above, name];
  yield { path, type, blob_id, size, sha256, crc32, modified_at };
  if (type !== 'folder') return;
  let after: StepRow | undefined;
  do {
    const page = await children(db, actor, row.id, after);
    for (const child of page) yield* walkFrom(db, actor, child, path);
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after);
}

const steps = (db: Knex) =>
  db('items').leftJoin('checksums', 'checksums.blob_id', 'items.blob_id').select<StepRow[]>(COLUMNS);

function children(db: Knex, actor: Actor, folderId: number, after: StepRow | undefined): Promise<StepRow[]> {
  const rows = steps(db).where({ parent_id: folderId, firm_id: actor.firmId });
  if (after) {
    rows.whereRaw('(type < ? OR (type = ? AND (sort_key, id) > (?, ?)))', [
      after.type,
      after.type,
      after.sort_key,
      after.id,
    ]);
  }
  return rows.orderByRaw('type DESC, sort_key, id').limit(PAGE);
}
