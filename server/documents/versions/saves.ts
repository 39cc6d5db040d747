import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { discardUnused } from '#server/records/versions.ts';
import { findUnderLegalHold } from '../legal-holds/guard.ts';
import type { Item } from '../model.ts';
import { keptAmong } from '../retention/guard.ts';
import { requireUnsealed } from '../seals/guard.ts';
import type { NewContent } from './replace.ts';

/** Saves by one program within this time make one version. */
const SERIES_MS = 10 * 60_000;

/**
 * Whether a save overwrites the previous save of the same program (app password) instead of making a version of it:
 * editors save repeatedly, and some write an empty file first. Empty content never becomes a version, unless it is kept
 * forever or was restored. The content before the first save of a series, content of anybody else, and content under a
 * legal hold or retention rule always do, and so does what empty content or another document's replaces: what follows
 * the empty content may never arrive, and a copy has nothing of the document that it is put over.
 */
export async function isSavedAgain(
  trx: Knex.Transaction,
  actor: Actor,
  item: Item,
  { blob, copied = false }: NewContent,
  now: Date,
): Promise<boolean> {
  if (!actor.app) return false;
  if (item.file_size !== 0 && (copied || blob.size === 0)) return false;
  const present = await trx('present_contents')
    .where({ item_id: item.id })
    .first('app_password_id', 'restored_from', 'kept_as');
  if (present?.kept_as || present?.restored_from) return false;
  const first = await trx('versions').where({ item_id: item.id }).max({ at: 'replaced_at' }).first();
  const began = typeof first?.at === 'string' ? Date.parse(first.at) : -Infinity;
  const again = present?.app_password_id === actor.app.id && Math.abs(now.getTime() - began) < SERIES_MS;
  if (!again && item.file_size !== 0) return false;
  if ((await findUnderLegalHold(trx, item.firm_id, [item.id])).size > 0) return item.file_size === 0;
  return (await keptAmong(trx, item.firm_id, [item.id], now)).size === 0 || item.file_size === 0;
}

/** Makes this the file's present content, and records whose it is. */
export async function storeContent(
  trx: Knex.Transaction,
  actor: Actor,
  { id }: Item,
  { blob, original_at, restored_from = null, kept_as = null, uploaded_as = null }: NewContent,
  now: Date,
): Promise<void> {
  await trx('item_rows').where({ id }).update({
    file_size: blob.size,
    blob_id: blob.id,
    sha256: blob.sha256,
    crc32: blob.crc32,
    original_at,
    modified_at: now.toISOString(),
  });
  const present = {
    item_id: id,
    user_id: actor.userId,
    restored_from,
    kept_as,
    uploaded_as,
    app_password_id: actor.app?.id ?? null,
  };
  await trx('present_contents').insert(present).onConflict('item_id').merge();
}

/** Replaces the content without making a version; the previous blob is discarded unless something else uses it. @throws {AppError} 422 `sealed`. */
export async function saveAgain(
  trx: Knex.Transaction,
  actor: Actor,
  item: Item,
  content: NewContent,
  now: Date,
): Promise<null> {
  await requireUnsealed(trx, actor, item.id);
  await storeContent(trx, actor, item, content, now);
  await discardUnused(trx, [{ firm_id: item.firm_id, blob_id: item.blob_id!, sha256: item.sha256! }], now);
  return null;
}
