import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { conflict, invalid } from '#server/http/errors.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { addItem } from './changes/add-item.ts';
import { quotaExceeded, refusal } from './changes/add.ts';
import { compareFiles } from './lists/name-conflicts.ts';
import { givenName, renameItem } from './changes/rename.ts';
import type { Filing } from './changes/set-client.ts';
import { setClientOfItems, previewFiling } from './changes/set-client.ts';
import type {
  Activity,
  Breadcrumb,
  BulkResult,
  CompareFiles,
  Conflict,
  CreateFolder,
  FilesPage,
  FilesQuery,
  FolderListing,
  FolderQuery,
  ItemView,
  LinkPreview,
  LinkResult,
  MoveResult,
  RecentView,
  RenameItem,
  Seen,
  LinkItem,
  LinkItems,
  Taken,
} from './contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from './contract.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { Links } from '../links/links.ts';
import { listFiles } from './lists/files.ts';
import { abandonStaged } from '#server/records/hidden.ts';
import { addReservation, release } from '../records/reservations.ts';
import { listFolder } from './lists/folder.ts';
import type { MoveRequest } from './changes/move.ts';
import { createMerging } from './changes/merge.ts';
import { moveItems } from './changes/move.ts';
import type { Tree } from './staging/stage.ts';
import { revealTree, stageTree } from './staging/stage.ts';
import { repairName } from '../text/names.ts';
import type { FileRef, OpenedFile } from './open.ts';
import { openFile } from './open.ts';
import { originalDate } from './original-date.ts';
import { removeItems } from './changes/remove.ts';
import { goneError } from './changes/meanwhile.ts';
import { sealsOfClient } from './seals/guard.ts';
import { demand, findItem } from './rows.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import { activityOf, recordRecent, recordRecentTree, untouched } from './lists/recents.ts';
import { lineages, paths } from './tree.ts';
import * as usage from '../records/usage.ts';
import { asOfNow } from '#server/visibility/as-of-now.ts';
import { recentOf, viewOf, viewsOf } from './views.ts';
import { countFiles, traverseAll, traverseClient, traverseItems } from './lists/traversal.ts';

export interface DocumentParts extends Filing {
  links: Pick<Links, 'sign'>;
  daily: Pick<DailyLimit, 'demand'>;
  /** For what reading leaves behind, which a full disk must not forbid. */
  deferred: Pick<DeferredWrites, 'write'>;
}

/** Stored bytes that are to become a file. */
interface NewFile {
  name: string;
  parent_id: number | null;
  client_id: number | null;
  blob: StoredBlob;
  conflict?: Conflict;
  /** When it was last changed where it came from; what cannot be true is left out. */
  original_at?: string | null;
}

export type { FileRef, OpenedFile };
export type { Step } from './lists/traversal.ts';

export function createDocuments(parts: DocumentParts) {
  const { db, clock, limits } = parts;
  const together = createGroupCommit(db);

  /** Checks what can be known of a file without its transaction. @returns what gives its bytes a name in that. */
  function saving(actor: Actor, file: NewFile): (trx: Knex.Transaction) => Promise<ItemView> {
    demand(actor, 'documents.write');
    const name = repairName(file.name);
    const file_type = extensionOf(name);
    if (!ALLOWED_EXTENSIONS.has(file_type)) throw invalid({ file: [unsupported(file_type)] });
    const now = clock().toISOString();
    const { parent_id, client_id, blob } = file;
    const original_at = originalDate(file.original_at, new Date(now));
    const replace = file.conflict === 'replace';
    return async (trx) => {
      const fact = { file_type, blob, limits: await limits(trx, actor.firmId), original_at };
      const item = { name, parent_id, client_id, file: fact, replace, now };
      return addItem(parts, trx, actor, item, { keepBoth: true });
    };
  }

  /** Items that a change was made to count as opened by the actor. */
  async function changeMany<R extends BulkResult>(
    actor: Actor,
    change: (trx: Knex.Transaction) => Promise<R>,
  ): Promise<R> {
    demand(actor, 'documents.write');
    return db.transaction(async (trx) => {
      const result = await change(trx);
      await recordRecent(trx, actor, result.done, clock().toISOString());
      return result;
    });
  }

  return {
    /**
     * A folder's items and the way to it; null is 'My Drive'.
     * @throws {AppError} 404 when it is not a folder of the firm; 422 for a cursor that belongs to another list.
     */
    folder: (actor: Actor, id: number | null, query?: FolderQuery): Promise<FolderListing> =>
      listFolder(db, actor, id, query),

    /** @throws {AppError} 422 on `name` (impossible or taken), `parent_id`, `client_id`. */
    async createFolder(actor: Actor, { name: text, parent_id, client_id }: CreateFolder): Promise<ItemView> {
      demand(actor, 'documents.write');
      const name = givenName(text);
      const item = { name, parent_id, client_id, file: null, now: clock().toISOString() };
      return db.transaction((trx) => addItem(parts, trx, actor, item));
    },

    /** As `createFolder`, for names that come from outside: repaired, and numbered when taken. */
    async addFolder(actor: Actor, { name: text, parent_id, client_id }: CreateFolder): Promise<ItemView> {
      demand(actor, 'documents.write');
      const name = repairName(text);
      const item = { name, parent_id, client_id, file: null, now: clock().toISOString() };
      return db.transaction((trx) => addItem(parts, trx, actor, item, { keepBoth: true }));
    },

    /**
     * Whether an upload may begin; asked before its bytes are read.
     * @throws {AppError} 403; 422 on `parent_id`, `client_id`; 422 `quota_exceeded`.
     */
    async checkUpload(
      actor: Actor,
      { bytes, ...place }: { parent_id: number | null; client_id: number | null; bytes?: number | undefined },
    ): Promise<void> {
      demand(actor, 'documents.write');
      const room = { bytes: bytes ?? 0, limits: await limits(db, actor.firmId) };
      const why = await refusal(db, actor, place, room);
      if (why) throw why;
    },

    /**
     * Names stored bytes: once this resolves, the file is saved. On rejection nothing is written, and the caller
     * still owns the blob and must delete it.
     * @throws {AppError} as `checkUpload`, and 422 on `file` for a type that is not allowed.
     */
    addFile: async (actor: Actor, file: NewFile): Promise<ItemView> => together(saving(actor, file)),

    /** As `addFile`, in a transaction of the caller's: the file is saved once that commits. */
    addFileWithin: async (trx: Knex.Transaction, actor: Actor, file: NewFile): Promise<ItemView> =>
      saving(actor, file)(trx),

    /** What stands where these files would go. @throws {AppError} 403; 422 on `parent_id`. */
    compare: (actor: Actor, request: CompareFiles): Promise<Taken[]> => compareFiles(db, actor, request),

    /**
     * Names a whole folder of stored bytes at once: beside an item, with its client, and with `replace` in that item's
     * place. `settle` runs in the transaction that shows it. On rejection the caller still owns the blobs.
     * @throws {AppError} 403; 404 when the item is gone; 422 `quota_exceeded`; the signal's reason.
     */
    async addTree(
      actor: Actor,
      place: { beside: number; replace: boolean; reservation: number },
      tree: Tree,
      signal: AbortSignal,
      settle: (trx: Knex.Transaction, folder: ItemView) => Promise<void>,
    ): Promise<ItemView> {
      demand(actor, 'documents.write');
      const beside = async (db: Knex) =>
        findItem(db, await asOfNow(db, actor), place.beside, 'documents.write');
      const { client_id } = await beside(db);
      const named = { ...tree, name: repairName(tree.name) };
      const staged = await stageTree(parts, actor, named, client_id, signal);
      try {
        return await db.transaction(async (trx) => {
          signal.throwIfAborted();
          const { parent_id } = await beside(trx);
          await release(trx, place.reservation);
          // All that it held is there now: it need not take the room a second time.
          if (place.replace) {
            const chosen = { ids: [place.beside] };
            const { failed } = await removeItems(parts, trx, actor, chosen, { forGood: true });
            if (failed[0]) throw invalid({ file: [failed[0].message] }, failed[0].code);
          }
          await revealTree(parts, trx, actor, parent_id, staged);
          const folder = await viewOf(trx, actor, staged.id);
          await recordRecentTree(trx, actor, staged, clock());
          await settle(trx, folder);
          return folder;
        });
      } catch (error) {
        await abandonStaged(db, staged.id);
        throw error;
      }
    },

    /**
     * Promises the firm's room to work that is to bring so many bytes. A `lasting` promise outlives the process.
     * @returns the reservation's id, to be released.
     * @throws {AppError} 403; 422 `quota_exceeded`.
     */
    async reserve(
      trx: Knex.Transaction,
      actor: Actor,
      bytes: number,
      { lasting = false } = {},
    ): Promise<number> {
      demand(actor, 'documents.write');
      const room = { bytes, limits: await limits(trx, actor.firmId) };
      const taken = (await usage.used(trx, actor.firmId)) + (await usage.reserved(trx, actor.firmId));
      if (taken + bytes > room.limits.bytes) throw await quotaExceeded(trx, actor, taken, room);
      return addReservation(trx, { firm_id: actor.firmId, bytes, lasting, made_at: clock().toISOString() });
    },

    /** @throws {AppError} 404, 403, 409 `item_changed`, 422 on `name`. */
    rename(actor: Actor, id: number, request: RenameItem): Promise<ItemView> {
      return db.transaction(async (trx) => {
        await renameItem(parts, trx, actor, id, request);
        await recordRecent(trx, actor, [id], clock().toISOString());
        return viewOf(trx, actor, id);
      });
    },

    /**
     * Links an item to a client, or to none; with a folder also what lies in it.
     * @throws {AppError} 404, 403, 409 `item_changed`, 422 on `client_id`.
     */
    setClient(actor: Actor, id: number, { seen, ...request }: LinkItem): Promise<ItemView> {
      return db.transaction(async (trx) => {
        await findItem(trx, actor, id, 'documents.write').catch(async (error: unknown) => {
          throw await goneError(parts, trx, actor, error, id);
        });
        const chosen = {
          contents: 'unlinked' as const,
          ...request,
          ids: [id],
          seen: seen && [{ ...seen, id }],
        };
        const [failed] = (await setClientOfItems(parts, trx, actor, chosen)).failed;
        if (failed?.code === 'changed') throw conflict(failed.message, 'item_changed');
        if (failed) throw invalid({ client_id: [failed.message] }, failed.code);
        await recordRecent(trx, actor, [id], clock().toISOString());
        return viewOf(trx, actor, id);
      });
    },

    /** As `setClient`, for many at once. @throws {AppError} 403, 422 on `client_id`. */
    setClientOfMany(actor: Actor, request: LinkItems): Promise<LinkResult> {
      return changeMany(actor, (trx) =>
        setClientOfItems(parts, trx, actor, { contents: 'unlinked', ...request }),
      );
    },

    /** What `setClientOfMany` would do to what lies in these. @throws {AppError} 403, 422 on `client_id`. */
    async previewFiling(
      actor: Actor,
      request: { ids: readonly number[]; client_id: number | null },
    ): Promise<LinkPreview> {
      demand(actor, 'documents.write');
      return previewFiling(db, actor, request);
    },

    /** @throws {AppError} 403; 422 on `parent_id`. */
    async move(actor: Actor, request: MoveRequest): Promise<MoveResult> {
      return changeMany(actor, (trx) => moveItems(parts, trx, actor, request));
    },

    /** Moves items with all they hold to Trash, or where there is none deletes them. @throws {AppError} 403. */
    async remove(actor: Actor, ids: readonly number[], seen: readonly Seen[] = []): Promise<BulkResult> {
      demand(actor, 'documents.delete');
      return db.transaction((trx) => removeItems(parts, trx, actor, { ids, seen }));
    },

    /** @throws {AppError} 404, 403. */
    async item(actor: Actor, id: number): Promise<ItemView> {
      const item = await findItem(db, actor, id, 'documents.read').catch(async (error: unknown) => {
        throw await goneError(parts, db, actor, error, id);
      });
      const view = await viewOf(db, actor, item.id);
      return {
        ...view,
        path: (await paths(db, actor, [item.seen_parent_id])).get(item.seen_parent_id ?? 0) ?? '',
      };
    },

    /** Views of the firm's items in the order of the ids, each with its path; what is not there is left out. */
    views: (actor: Actor, ids: readonly number[]): Promise<ItemView[]> => viewsOf(db, actor, ids),

    /** All files of the firm in one list. @throws {AppError} 403, 422 for a cursor that is not of this list. */
    files: (actor: Actor, query: FilesQuery): Promise<FilesPage> =>
      listFiles({ db, views: (who, ids) => viewsOf(db, who, ids) }, actor, query),

    /** Everybody who can own a file of the firm, by name. @throws {AppError} 403. */
    async owners(actor: Actor): Promise<{ value: number; label: string }[]> {
      demand(actor, 'documents.read');
      return db('users')
        .where('firm_id', actor.firmId)
        .orderBy('name')
        .select('id as value', 'name as label');
    },

    /** What the actor opened or changed last, the latest first. @throws {AppError} 403. */
    recent: (actor: Actor, limit: number): Promise<RecentView[]> => recentOf(db, actor, limit),

    /** Which of a client's items somebody of the firm opened or changed last, the latest first. @throws {AppError} 403. */
    async activityOf(actor: Actor, clientId: number, limit: number): Promise<Activity[]> {
      demand(actor, 'documents.read');
      return activityOf(db, actor, clientId, limit);
    },

    /** The files changed longest ago, of those that nobody has opened since; times in ISO 8601. @throws {AppError} 403. */
    async untouched(actor: Actor, since: string, limit: number): Promise<ItemView[]> {
      demand(actor, 'documents.read');
      return viewsOf(db, actor, await untouched(db, actor, since, limit));
    },

    /** An item's name and kind alone. @throws {AppError} 404, 403. */
    async brief(actor: Actor, id: number): Promise<Pick<ItemView, 'name' | 'type'>> {
      const { name, type } = await findItem(db, actor, id, 'documents.read');
      return { name, type };
    },

    /** The way to each of these from the root as far as it is seen, itself last; of what is not seen, nothing. @throws {AppError} 403. */
    async lineage(actor: Actor, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> {
      demand(actor, 'documents.read');
      return lineages(db, actor, ids);
    },

    /** @throws {AppError} 404 also for a folder, 403. */
    openFile: (actor: Actor, ref: FileRef): Promise<OpenedFile> => openFile(db, actor, ref),

    /** Remembers that the actor has looked at a file; on a full disk, later. */
    async noteOpened(actor: Actor, id: number): Promise<void> {
      // The user's own recent files tell what the user has opened.
      if (actor.recipient) return;
      const at = clock().toISOString();
      await parts.deferred.write(() => db.transaction((trx) => recordRecent(trx, actor, [id], at)));
    },

    /**
     * A link to one item's bytes (a folder's is its ZIP), good for this session and five minutes.
     * @param inline that it is wanted for a preview, which does not count as a download.
     * @throws {AppError} 404, 403; 429 `download_limit`.
     */
    async downloadUrl(actor: Actor, id: number, { inline = false } = {}): Promise<string> {
      const { name, type } = await findItem(db, actor, id, 'documents.read');
      const token = parts.links.sign(actor, `item:${id}`);
      const files = () => (type === 'file' ? Promise.resolve(1) : countFiles(traverseItems(db, actor, [id])));
      const about = { subject: `item:${id}`, detail: { name } };
      if (!inline || type === 'folder') await parts.daily.demand(actor, about, files);
      const at = clock().toISOString();
      await parts.deferred.write(() => db.transaction((trx) => recordRecent(trx, actor, [id], at)));
      return `/api/documents/${id}/content?token=${token}`;
    },

    countFiles,
    walk: (actor: Actor, ids: readonly number[]) => traverseItems(db, actor, ids),
    /** As `walk`, of all that the actor sees. */
    walkAll: (actor: Actor) => traverseAll(db, actor),
    traverseClient: (actor: Actor, clientId: number) => traverseClient(db, actor, clientId),

    /** How many files the actor sees, and their bytes. */
    total: (actor: Actor) => usage.total(db, actor),
    /** What of a client's is sealed, as the actor sees it, each seal once. */
    sealedOf: sealsOfClient,

    /** Of what the actor sees, per type, the largest first. */
    totals: (actor: Actor) => usage.totals(db, actor),

    ...createMerging(parts),
  };
}
export type Documents = ReturnType<typeof createDocuments>;
