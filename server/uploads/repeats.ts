import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { newUploadRow, requireUnusedKey } from './new-upload.ts';

/** A file that a request asks for. */
interface KeyedFile {
  key: string;
  name: string;
  blob: Pick<StoredBlob, 'size'>;
}

function orNull(error: unknown): null {
  if (error instanceof AppError && error.status === 404) return null;
  throw error;
}

/**
 * Requests for a file by their key. A browser that never got the response asks again with the same key, and gets the file
 * that was saved the first time. The keys are those of other uploads.
 */
export function createRepeats({
  db,
  clock,
  documents,
}: {
  db: Knex;
  clock: Clock;
  documents: Pick<Documents, 'item'>;
}) {
  async function find(
    actor: Actor,
    key: string | undefined,
    isMeant: (item: ItemView, saved: { finished_at: string }) => boolean = () => true,
  ): Promise<ItemView | null> {
    if (key === undefined) return null;
    const own = { user_id: actor.userId, firm_id: actor.firmId, upload_key: key };
    const row = await db('resumable_uploads')
      .where(own)
      .whereNotNull('finished_at')
      .first('id', 'item_id', 'finished_at');
    if (!row) return null;
    const item = row.item_id === null ? null : await documents.item(actor, row.item_id).catch(orNull);
    if (item && isMeant(item, row)) return item;
    await db('resumable_uploads').where({ id: row.id }).delete();
    return null;
  }

  return {
    /** The file that this user has saved with a key; null if there is none. The key of one that was deleted since is free again. */
    find: (actor: Actor, key: string | undefined): Promise<ItemView | null> => find(actor, key),

    /** Like `find`, but null also for a file whose content was replaced since, and the key is free then too. */
    findUnchanged: (actor: Actor, key: string): Promise<ItemView | null> =>
      find(actor, key, ({ modified_at }, { finished_at }) => modified_at <= finished_at),

    /**
     * Saves the file and its key in one transaction.
     * @throws {AppError} 409 `upload_begun` if another request with this key was faster.
     */
    async record(
      trx: Knex.Transaction,
      actor: Actor,
      { key, name, blob }: KeyedFile,
      save: () => Promise<ItemView>,
    ): Promise<ItemView> {
      await requireUnusedKey(trx, actor, key);
      const item = await save();
      const now = clock();
      const { size } = blob;
      await trx('resumable_uploads').insert({
        ...newUploadRow(actor, { id: randomBytes(16).toString('hex'), name, size, fields: {}, key }, now),
        received: size,
        item_id: item.id,
        finished_at: now.toISOString(),
      });
      return item;
    },
  };
}
export type Repeats = ReturnType<typeof createRepeats>;
