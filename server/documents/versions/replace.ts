import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { discard } from '#server/records/blobs.ts';
import { countVersions } from '#server/records/versions.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import type { Item } from '../model.ts';
import { isSavedAgain, saveAgain, storeContent } from './saves.ts';
import { requireUnsealed } from '../seals/guard.ts';

/** The content that replaces a file's present one. */
export interface NewContent {
  blob: Pick<StoredBlob, 'id' | 'size' | 'sha256'> & { crc32: number | null };
  original_at: string | null;
  /** Whether the sender has not seen what the content replaces, which then always becomes a version. */
  copied?: boolean;
  /** The name of the uploaded file, where the file that it replaces has another one. */
  uploaded_as?: string | null | undefined;
  /** For a restored version, when it had been uploaded. */
  restored_from?: string | null;
  kept_as?: string | null;
}

/** What the table `present_contents` records about a file's present content. */
interface Present {
  user_id: number;
  restored_from: string | null;
  kept_as: string | null;
  uploaded_as: string | null;
}

/** Who uploaded a file's present content and under which other name, and why it is kept. Without a record: the file's owner, and no reason. */
export async function presentOf(db: Knex, item: Pick<Item, 'id' | 'owner_id'>): Promise<Present> {
  const noted = await db('present_contents')
    .where({ item_id: item.id })
    .first('user_id', 'restored_from', 'kept_as', 'uploaded_as');
  return noted ?? { user_id: item.owner_id, restored_from: null, kept_as: null, uploaded_as: null };
}

/** Who uploaded the present content of these files, by file. */
export async function uploadersOf(db: Knex, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await queryRows<{ id: number; user_id: number }>(
    db,
    `SELECT i.id, coalesce(p.user_id, i.owner_id) AS user_id
     FROM items i LEFT JOIN present_contents p ON p.item_id = i.id WHERE i.id IN (${BOUND_IDS})`,
    [bindList(ids)],
  );
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

/** Whether a file has this content and no other: neither another one since nor earlier versions. */
export async function isOnlyContent(
  db: Knex,
  item: Pick<Item, 'id' | 'blob_id'>,
  blobId: string,
): Promise<boolean> {
  if (item.blob_id !== blobId) return false;
  return (await db('versions').where({ item_id: item.id }).first('id')) === undefined;
}

/**
 * Replaces a file's content; the present content becomes an earlier version. The file's id, name, folder, client,
 * owner, links and history stay. The caller must have checked the quota, and records the audit event.
 * @returns the id of the version that holds the content until now.
 * @throws {AppError} 422 `sealed`.
 */
export async function replaceContent(
  trx: Knex.Transaction,
  actor: Actor,
  item: Item,
  content: NewContent,
  now: Date,
): Promise<number> {
  await requireUnsealed(trx, actor, item.id);
  const { crc32 } = (await trx('item_rows').where({ id: item.id }).first('crc32')) as {
    crc32: number | null;
  };
  const before = await presentOf(trx, item);
  const version = {
    item_id: item.id,
    firm_id: item.firm_id,
    name: item.name,
    file_type: item.file_type,
    file_size: item.file_size,
    blob_id: item.blob_id,
    sha256: item.sha256,
    crc32,
    original_at: item.original_at,
    ...before,
    created_at: item.modified_at,
    day: dayInIndia(new Date(item.modified_at)),
    replaced_at: now.toISOString(),
    // Other versions with this content have 0 bytes: until now it was counted as the file's.
    bytes: item.file_size,
  };
  const [replaced] = (await trx('versions').insert(version).returning('id')) as { id: number }[];
  await storeContent(trx, actor, item, content, now);
  await countVersions(trx, item.firm_id, item.file_size!);
  return replaced!.id;
}

/**
 * Replaces a file by an upload with the same name. When the content is identical, no version is created and the uploaded
 * blob is discarded.
 * @returns the id of the version that holds the content until now; null where none was created.
 */
export async function uploadOver(
  { audit, clock }: Pick<ChangeDependencies, 'audit' | 'clock'>,
  trx: Knex.Transaction,
  actor: Actor,
  item: Item,
  content: NewContent,
): Promise<number | null> {
  const { blob, uploaded_as } = content;
  // Never discards the bytes that the file has already.
  if (blob.id === item.blob_id) return null;
  if (blob.sha256 === item.sha256 && blob.size === item.file_size) {
    await discard(trx, [blob.id], clock());
    return null;
  }
  const now = clock();
  const again = await isSavedAgain(trx, actor, item, content, now);
  const replaced = await (again ? saveAgain : replaceContent)(trx, actor, item, content, now);
  await audit.record(trx, {
    actor,
    did: 'document.new_version',
    subject: `item:${item.id}`,
    detail: { name: item.name, bytes: blob.size, ...(typeof uploaded_as === 'string' && { uploaded_as }) },
    concerns: { parents: [item.parent_id] },
  });
  return replaced;
}
