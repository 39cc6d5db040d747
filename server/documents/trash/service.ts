import type { Actor } from '#server/actor.ts';
import type { BulkResult, Staying } from '../contract.ts';
import type { Filing } from '../changes/set-client.ts';
import { demand } from '../rows.ts';
import type { RestoreItems, RestoreResult, TrashPage, TrashQuery } from './contract.ts';
import { deleteForever, emptyTrash, previewForever } from './delete-forever.ts';
import { bytesInTrash, listTrash } from './list.ts';
import { restoreItems } from './restore.ts';

/** What was deleted and can be brought back. It is for those who may delete. */
export function createTrash(parts: Filing) {
  const { db, trashDays: days } = parts;
  return {
    /** For how many days something stays that is deleted now; 0 deletes it at once. */
    days,

    /** @throws {AppError} 403; 422 for a cursor that is not of this list. */
    async list(actor: Actor, query: TrashQuery = {}): Promise<TrashPage> {
      demand(actor, 'documents.delete');
      return { ...(await listTrash(db, actor, query)), days };
    },

    /** Bytes of all in Trash that the actor sees. */
    bytes: (actor: Actor): Promise<number> => bytesInTrash(db, actor),

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async restore(actor: Actor, request: RestoreItems): Promise<RestoreResult> {
      demand(actor, 'documents.delete');
      if (request.parent_id !== undefined) demand(actor, 'documents.write');
      return restoreItems(parts, actor, request);
    },

    /** @throws {AppError} 403. */
    async remove(actor: Actor, ids: readonly number[]): Promise<BulkResult> {
      demand(actor, 'documents.delete');
      return deleteForever(parts, actor, ids);
    },

    /** What of these, or left out of all, `remove` or `empty` would leave in Trash, and why. @throws {AppError} 403. */
    async preview(actor: Actor, ids?: readonly number[]): Promise<Staying> {
      demand(actor, 'documents.delete');
      return previewForever(parts, actor, ids);
    },

    /** Deletes all that the actor sees in Trash for ever, but what a legal hold keeps. @throws {AppError} 403. */
    async empty(actor: Actor): Promise<{ deleted: number; kept: number }> {
      demand(actor, 'documents.delete');
      return emptyTrash(parts, actor);
    },
  };
}
export type Trash = ReturnType<typeof createTrash>;
