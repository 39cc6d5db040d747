import type { Actor } from '#server/actor.ts';
import type { BulkResult } from '../contract.ts';
import type { LinkingDependencies } from '../changes/set-client.ts';
import { requirePermission } from '../rows.ts';
import type { ForeverPreview, RestoreItems, RestoreResult, TrashPage, TrashQuery } from './contract.ts';
import { deleteForever, emptyTrash, previewForever } from './delete-forever.ts';
import { bytesInTrash, listTrash } from './list.ts';
import { restoreItems } from './restore.ts';

/** Items in Trash. Only for users who may delete. */
export function createTrash(dependencies: LinkingDependencies) {
  const { db, trashDays: days } = dependencies;
  return {
    /** Days that an item deleted now stays in Trash; 0: deletion is immediate. */
    days,

    /** @throws {AppError} 403; 422 for a cursor of another list. */
    async list(actor: Actor, query: TrashQuery = {}): Promise<TrashPage> {
      requirePermission(actor, 'documents.delete');
      return { ...(await listTrash(db, actor, query)), days };
    },

    /** Bytes of everything in Trash that the actor sees. */
    bytes: (actor: Actor): Promise<number> => bytesInTrash(db, actor),

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async restore(actor: Actor, request: RestoreItems): Promise<RestoreResult> {
      requirePermission(actor, 'documents.delete');
      if (request.parent_id !== undefined || request.conflicts === 'merge')
        requirePermission(actor, 'documents.write');
      if (request.ask && !request.conflicts) {
        const { failed, taken } = await restoreItems(dependencies, actor, request, { trial: true });
        if (taken.length > 0) return { done: [], failed, restored: [], remade: [], taken };
      }
      return restoreItems(dependencies, actor, request);
    },

    /** @throws {AppError} 403. */
    async remove(actor: Actor, ids: readonly number[]): Promise<BulkResult> {
      requirePermission(actor, 'documents.delete');
      return deleteForever(dependencies, actor, ids);
    },

    /** What `remove` (or `empty`, without ids) would leave in Trash, and why. @throws {AppError} 403. */
    async preview(actor: Actor, ids?: readonly number[]): Promise<ForeverPreview> {
      requirePermission(actor, 'documents.delete');
      return previewForever(dependencies, actor, ids);
    },

    /**
     * Deletes everything in Trash that the actor sees forever, except what a legal hold or a retention rule keeps.
     * @throws {AppError} 403.
     */
    async empty(actor: Actor): Promise<{ deleted: number; kept: number }> {
      requirePermission(actor, 'documents.delete');
      return emptyTrash(dependencies, actor);
    },
  };
}
export type Trash = ReturnType<typeof createTrash>;
