import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, forbidden, invalid } from '#server/http/errors.ts';
import { renameItem } from './changes/rename.ts';
import { renameItems } from './changes/rename-many.ts';
import type { AdditionDependencies } from './changes/additions.ts';
import { createAdditions } from './changes/additions.ts';
import { setClientOfItems, previewFiling } from './changes/set-client.ts';
import type {
  BulkResult,
  ItemView,
  LinkPreview,
  LinkResult,
  MovePreview,
  MoveResult,
  RenameItem,
  RenameItems,
  Seen,
  LinkItem,
  LinkItems,
  DeletionPreview,
  UndoMove,
} from './contract.ts';
import { aboutItem } from './contract.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { Links } from '../links/links.ts';
import type { MoveRequest } from './changes/move.ts';
import { createFolderMerging } from './changes/merge-folders.ts';
import { moveItems } from './changes/move.ts';
import { previewMove } from './changes/moved-clients.ts';
import { moveBack } from './changes/move-back.ts';
import { dateItem, relocateItem } from './changes/relocate.ts';
import type { FileRef, OpenedFile } from './open.ts';
import { openFile } from './open.ts';
import { removeEmptyFolders } from './changes/remove-empty-folders.ts';
import { previewRemoval, removeItems } from './changes/remove.ts';
import { goneError } from './changes/concurrent-edits.ts';
import { requirePermission, findItem } from './rows.ts';
import { restoreItems } from './trash/restore.ts';
import { recordRecent } from './lists/recents.ts';
import { viewOf } from './views.ts';
import { countFiles, traverseItems } from './lists/traversal.ts';
import type { SearchDependencies } from './lists/folder.ts';
import type { FiledItem } from './changes/file-document.ts';
import { fileItem } from './changes/file-document.ts';
import { createListing } from './lists/listing.ts';

export interface DocumentDependencies extends AdditionDependencies {
  /** The full-text and label searches that filter lists. */
  searches: SearchDependencies;
  links: Pick<Links, 'sign'>;
  daily: Pick<DailyLimit, 'requireLeft'>;
  /** Rejects when nobody may open the blob for now, as when it has a virus. */
  requireClean: (blobId: string) => Promise<void>;
}

export type { FileRef, FiledItem, OpenedFile };
export type { ClientFolder } from './lists/client-folders.ts';
export type { Step } from './lists/traversal.ts';

export function createDocuments(dependencies: DocumentDependencies) {
  const { db, clock } = dependencies;

  /** Runs a change in a transaction and adds the changed items to the actor's recents. */
  async function changeMany<R extends BulkResult>(
    actor: Actor,
    change: (trx: Knex.Transaction) => Promise<R>,
  ): Promise<R> {
    requirePermission(actor, 'documents.write');
    return db.transaction(async (trx) => {
      const result = await change(trx);
      await recordRecent(trx, actor, result.done, clock().toISOString());
      return result;
    });
  }

  async function removeWithin(trx: Knex.Transaction, actor: Actor, id: number): Promise<void> {
    requirePermission(actor, 'documents.delete');
    const { failed } = await removeItems(dependencies, trx, actor, { ids: [id] });
    if (failed[0]) throw new AppError(403, failed[0].code ?? 'forbidden', failed[0].message);
  }

  return {
    ...createListing(dependencies),
    ...createAdditions(dependencies),
    ...createFolderMerging(dependencies),

    /** Runs `fileItem`, then `settle` in the same transaction. @returns what `settle` does. @throws {AppError} as `fileItem`. */
    file: <T>(
      actor: Actor,
      request: Parameters<typeof fileItem>[3],
      settle: (trx: Knex.Transaction, filed: FiledItem) => Promise<T>,
    ): Promise<T> =>
      db.transaction(async (trx) => settle(trx, await fileItem(dependencies, trx, actor, request))),

    /** See `removeEmptyFolders`. */
    removeEmptyFolders: (trx: Knex.Transaction, actor: Actor, ids: readonly number[]): Promise<void> =>
      removeEmptyFolders(dependencies, trx, actor, ids),

    /** See `relocateItem`. @param replaced an item that is deleted to make room, if all of it succeeds. */
    relocate: (
      actor: Actor,
      { replaced = null, ...request }: Parameters<typeof relocateItem>[3] & { replaced?: number | null },
    ): Promise<void> =>
      db.transaction(async (trx) => {
        if (replaced !== null) await removeWithin(trx, actor, replaced);
        await relocateItem(dependencies, trx, actor, request);
      }),

    /** `remove` for one item, in the caller's transaction. @throws {AppError} 403 with the reason why it may not be deleted. */
    removeWithin,

    /**
     * The same for a file that its sender takes back, which is never deleted at once.
     * @throws {AppError} 403, also on a server without Trash.
     */
    async takeBackWithin(trx: Knex.Transaction, actor: Actor, id: number): Promise<void> {
      if (dependencies.trashDays === 0) throw forbidden();
      await removeWithin(trx, actor, id);
    },

    /** See `dateItem`; `date` is ISO 8601. */
    date: (actor: Actor, id: number, date: string): Promise<void> =>
      db.transaction((trx) => dateItem(dependencies, trx, actor, id, date)),

    /** @throws {AppError} 404, 403, 409 `item_changed`, 422 on `name`. */
    rename(actor: Actor, id: number, request: RenameItem): Promise<ItemView> {
      return db.transaction(async (trx) => {
        await renameItem(dependencies, trx, actor, id, request);
        await recordRecent(trx, actor, [id], clock().toISOString());
        return viewOf(trx, actor, id);
      });
    },

    /** `rename` for many items, which may take each other's names. @throws {AppError} 403. */
    renameMany(actor: Actor, request: RenameItems): Promise<BulkResult> {
      return changeMany(actor, (trx) => renameItems(dependencies, trx, actor, request));
    },

    /**
     * Links an item to a client, or to none; a folder together with its contents that have no client yet, unless the
     * request says otherwise.
     * @throws {AppError} 404, 403, 409 `item_changed`, 422 on `client_id`.
     */
    setClient(actor: Actor, id: number, { seen, ...request }: LinkItem): Promise<ItemView> {
      return db.transaction(async (trx) => {
        await findItem(trx, actor, id, 'documents.write').catch(async (error: unknown) => {
          throw await goneError(dependencies, trx, actor, error, id);
        });
        const chosen = {
          contents: 'unlinked' as const,
          ...request,
          ids: [id],
          seen: seen && [{ ...seen, id }],
        };
        const [failed] = (await setClientOfItems(dependencies, trx, actor, chosen)).failed;
        if (failed?.code === 'changed') throw conflict(failed.message, 'item_changed');
        if (failed) throw invalid({ client_id: [failed.message] }, failed.code);
        await recordRecent(trx, actor, [id], clock().toISOString());
        return viewOf(trx, actor, id);
      });
    },

    /** `setClient` for many items. @throws {AppError} 403, 422 on `client_id`. */
    setClientOfMany(actor: Actor, request: LinkItems): Promise<LinkResult> {
      return changeMany(actor, (trx) =>
        setClientOfItems(dependencies, trx, actor, { contents: 'unlinked', ...request }),
      );
    },

    /** What `setClientOfMany` would do to the contents of these items. @throws {AppError} 403, 422 on `client_id`. */
    async previewFiling(
      actor: Actor,
      request: { ids: readonly number[]; client_id: number | null },
    ): Promise<LinkPreview> {
      requirePermission(actor, 'documents.write');
      return previewFiling(db, actor, request);
    },

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async move(actor: Actor, request: MoveRequest): Promise<MoveResult> {
      return changeMany(actor, (trx) => moveItems(dependencies, trx, actor, request));
    },

    /** See `previewMove`. @throws {AppError} 403. */
    async previewMove(
      actor: Actor,
      request: { ids: readonly number[]; parent_id: number | null },
    ): Promise<MovePreview> {
      requirePermission(actor, 'documents.write');
      return previewMove(db, actor, request);
    },

    /** See `moveBack`. Emptied folders are restored from Trash first. @throws {AppError} 403; 422 on `parent_id`, `client_id`. */
    async undoMove(actor: Actor, { merged, ...request }: UndoMove): Promise<BulkResult> {
      requirePermission(actor, 'documents.write');
      if (merged.length > 0) {
        requirePermission(actor, 'documents.delete');
        await restoreItems(dependencies, actor, { ids: merged, conflicts: 'keep' });
      }
      return changeMany(actor, (trx) => moveBack(dependencies, trx, actor, request));
    },

    /** Moves items with their contents to Trash, or deletes them when the server has no Trash. @throws {AppError} 403. */
    async remove(actor: Actor, ids: readonly number[], seen: readonly Seen[] = []): Promise<BulkResult> {
      requirePermission(actor, 'documents.delete');
      return db.transaction((trx) => removeItems(dependencies, trx, actor, { ids, seen }));
    },

    /** Which of these items `remove` would refuse to delete, and why. @throws {AppError} 403. */
    async previewRemoval(actor: Actor, ids: readonly number[]): Promise<DeletionPreview> {
      requirePermission(actor, 'documents.delete');
      return previewRemoval(dependencies, actor, ids);
    },

    /** @throws {AppError} 404 also for a folder, 403. */
    async openFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
      const file = await openFile(db, actor, ref);
      await dependencies.requireClean(file.blob_id);
      return file;
    },

    /** Adds a file to the actor's recents; when the disk is full, the write is deferred. */
    async noteOpened(actor: Actor, id: number): Promise<void> {
      // A recipient of a shared link acts as the user who shared it, whose recents must not change.
      if (actor.recipient) return;
      const now = clock().toISOString();
      await dependencies.deferred.write(() => db.transaction((trx) => recordRecent(trx, actor, [id], now)));
    },

    /**
     * A download link for an item (a folder as a ZIP), valid for five minutes and this session.
     * @param inline the link is for a preview; previewing a file does not count as a download.
     * @throws {AppError} 404, 403; 429 `download_limit`.
     */
    async downloadUrl(actor: Actor, id: number, { inline = false } = {}): Promise<string> {
      const { name, type } = await findItem(db, actor, id, 'documents.read');
      const token = dependencies.links.sign(actor, aboutItem({ id, type }));
      const files = () => (type === 'file' ? Promise.resolve(1) : countFiles(traverseItems(db, actor, [id])));
      const about = { subject: `item:${id}`, detail: { name } };
      if (!inline || type === 'folder') await dependencies.daily.requireLeft(actor, about, files);
      const now = clock().toISOString();
      await dependencies.deferred.write(() => db.transaction((trx) => recordRecent(trx, actor, [id], now)));
      return `/api/documents/${id}/content?token=${token}`;
    },
  };
}
export type Documents = ReturnType<typeof createDocuments>;
