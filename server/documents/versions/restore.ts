import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { conflict } from '#server/http/errors.ts';
import { ago } from '#server/text/ago.ts';
import { countVersions } from '#server/records/versions.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import { goneError } from '../changes/concurrent-edits.ts';
import type { Item } from '../model.ts';
import { requireUnsealed } from '../seals/guard.ts';
import { recordRecent } from '../lists/recents.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { presentOf, replaceContent } from './replace.ts';
import type { VersionRef } from './contract.ts';
import type { Version } from './rows.ts';
import { findVersion } from './rows.ts';

const DAMAGED =
  'This version cannot be restored: its stored content is damaged. The file stays as it is. ' +
  'Tell the administrator of this server, who can bring it back from a backup.';
const replacedAgain = (who: string, when: string): string =>
  `${who} stored a newer version ${when}. The earlier content stays in the list of versions.`;
const SAME = 'This version has the same content as the file has now, so there is nothing to restore.';

/**
 * An upload is undone only while nothing has replaced what it stored. A series of saves by a program replaces content without a
 * version, so the time of the content tells as well.
 * @throws {AppError} 409 `replaced_again`.
 */
async function requireLastReplaced(
  { db, clock }: Pick<ChangeDependencies, 'db' | 'clock'>,
  item: Item,
  version: Version,
): Promise<void> {
  const last = await db('versions').where({ item_id: item.id }).max({ id: 'id' }).first();
  if (Number(last?.id) === version.id && item.modified_at === version.replaced_at) return;
  const { user_id } = await presentOf(db, item);
  const person = await db('users').where({ id: user_id }).first('name');
  throw conflict(replacedAgain(person.name, ago(item.modified_at, clock())), 'replaced_again');
}

/** Reads the whole blob. @throws {AppError} 409 `damaged` unless every byte is as it was stored. */
async function requireSound(blobs: Pick<BlobStore, 'get'>, version: Version): Promise<void> {
  try {
    let read = 0;
    for await (const piece of await blobs.get(version.blob_id)) read += (piece as Buffer).length;
    if (read !== version.file_size) throw conflict(DAMAGED, 'damaged');
  } catch (error) {
    if (error instanceof BlobMissing || error instanceof BlobCorrupt) throw conflict(DAMAGED, 'damaged');
    throw error;
  }
}

/**
 * Makes an earlier version the file's present content again. The content until now becomes an earlier version, and the
 * restored version stays in the list. Both share one blob, so that restoring uses no storage.
 * @param undo restores only what the present content has replaced.
 * @throws {AppError} 404, 403; 409 `damaged`, `same_content`, `replaced_again`; 422 `sealed`.
 */
export async function restoreVersion(
  dependencies: Pick<ChangeDependencies, 'db' | 'audit' | 'clock'> & { blobs: Pick<BlobStore, 'get'> },
  actor: Actor,
  ref: VersionRef,
  { undo = false } = {},
): Promise<void> {
  const { db, audit, clock, blobs } = dependencies;
  const restorable = async (within: Knex): Promise<{ item: Item; version: Version }> => {
    const found = await findVersion(within, actor, ref, 'documents.write').catch(async (error: unknown) => {
      throw await goneError(dependencies, within, actor, error, ref.item);
    });
    if (found.version.sha256 === found.item.sha256) throw conflict(SAME, 'same_content');
    if (undo) await requireLastReplaced({ db: within, clock }, found.item, found.version);
    return found;
  };
  const found = await restorable(db);
  await requireUnsealed(db, actor, ref.item);
  // Outside the transaction, since reading may take long. Blobs are immutable: the result stays valid.
  await requireSound(blobs, found.version);
  await db.transaction(async (trx) => {
    const { item, version } = await restorable(trx);
    const { blob_id, file_size: size, sha256, crc32, original_at, created_at: restored_from } = version;
    const now = clock();
    await countNoBytes(trx, version);
    const blob = { id: blob_id, size, sha256, crc32 };
    await replaceContent(
      trx,
      actor,
      item,
      { blob, original_at, restored_from, uploaded_as: version.uploaded_as },
      now,
    );
    await recordRecent(trx, actor, [item.id], now.toISOString());
    await audit.record(trx, {
      actor,
      did: 'document.restore_version',
      subject: `item:${item.id}`,
      detail: { name: item.name, version_of: restored_from, bytes: size },
      concerns: { parents: [item.parent_id] },
    });
  });
}

/** From now on the blob is counted as the file's: sets the bytes of all versions that share it to 0. */
async function countNoBytes(trx: Knex.Transaction, { item_id, firm_id, blob_id }: Version): Promise<void> {
  const same = { item_id, blob_id };
  const row = await trx('versions').where(same).sum({ bytes: 'bytes' }).first();
  await countVersions(trx, firm_id, -Number(row?.bytes ?? 0));
  await trx('versions').where(same).update({ bytes: 0 });
}
