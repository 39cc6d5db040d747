import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkAll, invalid } from '#server/http/errors.ts';
import type { Limits } from '#server/subscription/contract.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { addItem, overwriteFile } from './add-item.ts';
import type { VersionOf } from './add-version.ts';
import { addVersion, requireVersionable } from './add-version.ts';
import { placementError, roomError } from './insert-item.ts';
import { sealOfFolder, sealedError } from '../seals/guard.ts';
import { compareFiles } from '../lists/name-conflicts.ts';
import { validName } from './rename.ts';
import type { LinkingDependencies } from './set-client.ts';
import type { CompareFiles, Conflict, CreateFolder, ExpectedContent, ItemView, Taken } from '../contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, FOLDER_NAME, unsupported } from '../contract.ts';
import { addReservation, release } from '../../records/reservations.ts';
import { addCopy } from '../staging/copy.ts';
import type { Staged, Tree } from '../staging/stage.ts';
import { addStaged, revealTree } from '../staging/stage.ts';
import { repairName } from '../../text/file-names.ts';
import { isOnlyContent } from '../versions/replace.ts';
import { originalDate } from '../original-date.ts';
import { removeItems } from './remove.ts';
import { requirePermission, findItem } from '../rows.ts';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import { recordRecentTree } from '../lists/recents.ts';
import * as usage from '../../records/usage.ts';
import { refreshActor } from '#server/visibility/refresh-actor.ts';
import { viewOf } from '../views.ts';

/** A file to add, whose bytes are stored already. */
interface NewFile {
  name: string;
  parent_id: number | null;
  client_id: number | null;
  blob: StoredBlob;
  conflict?: Conflict;
  /** With `replace`: the file to replace, whatever its name is; without it, the one of the name. */
  item_id?: number | null;
  /** The file of which this one becomes a new version, wherever that is; folder, client and `conflict` then do not matter. */
  version_of?: number | null;
  /** Modification time on the sender's disk; an implausible date is ignored. */
  original_at?: string | null;
  /** Whether the sender has not seen what the content replaces, as of a copy of another document: it always becomes a version. */
  copied?: boolean;
  /** Whether a name that is taken is refused, whatever has it; else the file gets a number. */
  only_new?: boolean;
}

export interface AdditionDependencies extends LinkingDependencies {
  /** Writes that must succeed eventually, although the disk is full or the database is unreachable now. */
  deferred: Pick<DeferredWrites, 'write'>;
}

/**
 * Which file an upload replaces. People are shown the file of that name and choose; a program that watches a folder
 * cannot tell whose it is, and replaces only a document that it names because it made it; `addItem` checks that it did.
 */
const replaceable = (actor: Actor, id: number | null): 'name' | number | null =>
  id ?? (actor.program ? null : 'name');

/** Adds folders and files to the drive, and checks beforehand whether they may be added. */
export function createAdditions(dependencies: AdditionDependencies) {
  const { db, clock, limits } = dependencies;
  const groupCommit = createGroupCommit(db);

  /**
   * Checks what can be checked outside a transaction.
   * @param known the limits of the firm, where they were just read; else they are read in the transaction.
   * @returns a function that adds the file within one.
   */
  function prepareSave(
    actor: Actor,
    file: NewFile,
    known?: Limits,
  ): (trx: Knex.Transaction) => Promise<ItemView> {
    requirePermission(actor, 'documents.write');
    const name = repairName(file.name);
    const file_type = extensionOf(name);
    if (!ALLOWED_EXTENSIONS.has(file_type)) throw invalid({ file: [unsupported(file_type)] });
    const now = clock().toISOString();
    const { parent_id, client_id, blob, copied = false, only_new = false, version_of = null } = file;
    const original_at = originalDate(file.original_at, new Date(now));
    const replace =
      !only_new && file.conflict === 'replace' ? replaceable(actor, file.item_id ?? null) : null;
    return async (trx) => {
      const room = known ?? (await limits(trx, actor.firmId));
      const content = { file_type, blob, limits: room, original_at, copied };
      if (version_of !== null)
        return addVersion(dependencies, trx, actor, { id: version_of, name }, { ...content, now });
      const item = { name, parent_id, client_id, file: content, replace, now };
      return addItem(dependencies, trx, actor, item, { keepBoth: !only_new });
    };
  }

  /** The name of a new folder. @throws {AppError} 422 on `name`, and on `parent_id` and `client_id` where they are wrong too. */
  async function folderName(
    actor: Actor,
    text: string,
    place: { parent_id: number | null; client_id: number | null },
  ): Promise<string> {
    try {
      return validName(text, FOLDER_NAME);
    } catch (error) {
      const misplaced = await placementError(db, actor, place);
      await checkAll(
        () => Promise.reject(error),
        () => misplaced && Promise.reject(misplaced),
      );
      throw error;
    }
  }

  /** The folder and client of an item, and the actor with present permissions. @throws {AppError} 404, 403, 422 `sealed`. */
  async function placeBeside(connection: Knex, actor: Actor, id: number) {
    const current = await refreshActor(connection, actor);
    const { parent_id, client_id } = await findItem(connection, current, id, 'documents.write');
    // Here, since a seal tells why only to those who see its folder.
    const seal = await sealOfFolder(connection, current, parent_id);
    if (seal) throw sealedError(seal, 'parent_id');
    // The actor sees the item, but may not see its folder.
    return { place: { parent_id, client_id }, adder: { ...current, clientScope: 'all' as const } };
  }

  return {
    /** @throws {AppError} 422 on `name` (impossible or taken), `parent_id`, `client_id`. */
    async createFolder(actor: Actor, { name: text, parent_id, client_id }: CreateFolder): Promise<ItemView> {
      requirePermission(actor, 'documents.write');
      const name = await folderName(actor, text, { parent_id, client_id });
      const item = { name, parent_id, client_id, file: null, now: clock().toISOString() };
      return db.transaction((trx) => addItem(dependencies, trx, actor, item));
    },

    /** Like `createFolder`, for names from other systems: an invalid name is repaired, a taken name numbered. */
    async addFolder(actor: Actor, { name: text, parent_id, client_id }: CreateFolder): Promise<ItemView> {
      requirePermission(actor, 'documents.write');
      const name = repairName(text);
      const item = { name, parent_id, client_id, file: null, now: clock().toISOString() };
      return db.transaction((trx) => addItem(dependencies, trx, actor, item, { keepBoth: true }));
    },

    /**
     * Checks whether an upload may start. Call it before reading its bytes.
     * @throws {AppError} 403; 422 on `parent_id`, `client_id`; 422 `quota_exceeded`.
     */
    async checkUpload(
      actor: Actor,
      { bytes, ...place }: { parent_id: number | null; client_id: number | null; bytes?: number | undefined },
    ): Promise<void> {
      requirePermission(actor, 'documents.write');
      const room = { bytes: bytes ?? 0, limits: await limits(db, actor.firmId) };
      const why = await placementError(db, actor, place, room);
      if (why) throw why;
    },

    /** `checkUpload` for files that `addBeside` shall add. @throws {AppError} 404, 403; 422 on `parent_id`, `quota_exceeded`. */
    async checkBeside(actor: Actor, beside: number, bytes: number): Promise<void> {
      requirePermission(actor, 'documents.write');
      const { place, adder } = await placeBeside(db, actor, beside);
      const why = await placementError(db, adder, place, { bytes, limits: await limits(db, actor.firmId) });
      if (why) throw why;
    },

    /**
     * Adds files whose bytes are stored, in the folder of the item `beside` and with its client. `work` adds them with `add`, in one
     * transaction; a taken name gets a number. On rejection nothing is written, and the caller has to delete the blobs.
     * @throws {AppError} like `checkBeside`; 422 on `file`; whatever `work` throws.
     */
    async addBeside(
      actor: Actor,
      beside: number,
      work: (
        trx: Knex.Transaction,
        add: (file: Pick<NewFile, 'name' | 'blob'>) => Promise<ItemView>,
      ) => Promise<void>,
    ): Promise<void> {
      requirePermission(actor, 'documents.write');
      await db.transaction(async (trx) => {
        const { place, adder } = await placeBeside(trx, actor, beside);
        await work(trx, (file) => prepareSave(adder, { ...file, ...place })(trx));
      });
    },

    /** Like `checkUpload`, for a new version of a file. @throws {AppError} like `requireVersionable`; 422 `quota_exceeded`. */
    async checkVersion(actor: Actor, of: VersionOf & { bytes: number }): Promise<void> {
      await requireVersionable(dependencies, db, actor, of);
      const why = await roomError(db, actor, { bytes: of.bytes, limits: await limits(db, actor.firmId) });
      if (why) throw why;
    },

    /**
     * Adds a file whose bytes are stored. On rejection nothing is written, and the caller has to delete the blob.
     * @param around wraps the saving in the same transaction; it may reject only before it calls `save`.
     * @throws {AppError} like `checkUpload`; 422 on `file` for a type that is not allowed, with `only_new` 422 on `name`;
     * whatever `around` throws.
     */
    async addFile(
      actor: Actor,
      file: NewFile,
      around: (trx: Knex.Transaction, save: () => Promise<ItemView>) => Promise<ItemView> = (_, save) =>
        save(),
    ): Promise<ItemView> {
      requirePermission(actor, 'documents.write');
      // Not in the transaction, for which all other writers wait.
      const save = prepareSave(actor, file, await limits(db, actor.firmId));
      return groupCommit((trx) => around(trx, () => save(trx)));
    },

    /** Like `addFile`, after `first` in the same transaction: what either of them throws undoes both. */
    async addFileAfter(
      actor: Actor,
      file: NewFile,
      first: (trx: Knex.Transaction) => Promise<void>,
    ): Promise<ItemView> {
      const save = prepareSave(actor, file);
      return db.transaction(async (trx) => {
        await first(trx);
        return save(trx);
      });
    },

    /**
     * Replaces the content of a file, after `first` in the same transaction.
     * @throws {AppError} 404 also for a folder, 403, 412 for another content than the one expected, 422 `quota_exceeded`,
     * `sealed`; whatever `first` throws.
     */
    async overwriteFile(
      actor: Actor,
      id: number,
      {
        blob,
        original_at,
        copied = false,
        expected,
      }: Pick<NewFile, 'blob' | 'original_at' | 'copied'> & { expected?: ExpectedContent | undefined },
      first: (trx: Knex.Transaction) => Promise<void> = async () => {},
    ): Promise<ItemView> {
      requirePermission(actor, 'documents.write');
      const now = clock();
      const dated = originalDate(original_at, now);
      return db.transaction(async (trx) => {
        const content = { blob, original_at: dated, copied, expected, now: now.toISOString() };
        await first(trx);
        return overwriteFile(dependencies, trx, actor, id, {
          ...content,
          limits: await limits(trx, actor.firmId),
        });
      });
    },

    /** Like `addFile`, in the caller's transaction. */
    addFileWithin: async (trx: Knex.Transaction, actor: Actor, file: NewFile): Promise<ItemView> =>
      prepareSave(actor, file)(trx),

    /** The existing items whose names these files have. @throws {AppError} 403; 422 on `parent_id`. */
    compare: (actor: Actor, request: CompareFiles): Promise<Taken[]> => compareFiles(db, actor, request),

    /**
     * Adds a folder tree whose bytes are stored, in the folder of the item `beside` and with its client. It becomes
     * visible in one transaction, in which `settle` runs. `replace` is the id of the blob that the tree was unpacked from:
     * the item is deleted for good if that is all there is of it, and `settle` is told whether it was; null keeps it. On
     * rejection the caller has to delete the blobs.
     * @throws {AppError} 403; 404 if the item does not exist any more; 422 `quota_exceeded`; the signal's reason.
     */
    async addTree(
      actor: Actor,
      place: { beside: number; replace: string | null; reservation: number },
      tree: Tree,
      signal: AbortSignal,
      settle: (trx: Knex.Transaction, folder: ItemView, removed: boolean) => Promise<void>,
    ): Promise<ItemView> {
      requirePermission(actor, 'documents.write');
      const beside = async (db: Knex) =>
        findItem(db, await refreshActor(db, actor), place.beside, 'documents.write');
      const { client_id } = await beside(db);
      const repaired = { ...tree, name: repairName(tree.name) };
      return addStaged(dependencies, actor, { tree: repaired, client_id, signal }, async (trx, staged) => {
        const archive = await beside(trx);
        await release(trx, place.reservation);
        let removed = false;
        // Nothing of the archive is lost if the tree has its only content; deleting it frees its storage.
        if (place.replace !== null && (await isOnlyContent(trx, archive, place.replace))) {
          const chosen = { ids: [place.beside] };
          const { failed } = await removeItems(dependencies, trx, actor, chosen, { forGood: true });
          // An archive under a retention rule or a legal hold stays beside its contents.
          if (failed[0] && failed[0].code !== 'kept' && failed[0].code !== 'held')
            throw invalid({ file: [failed[0].message] }, failed[0].code);
          removed = failed.length === 0;
        }
        // The actor sees the archive, but may not see its folder.
        await revealTree(dependencies, trx, { ...actor, clientScope: 'all' }, archive.parent_id, staged);
        const folder = await viewOf(trx, actor, staged.id);
        await recordRecentTree(trx, actor, staged, clock());
        await settle(trx, folder, removed);
        return folder;
      });
    },

    /** See `addCopy`. */
    addCopy: (
      actor: Actor,
      place: { parent_id: number | null; replaced: number | null },
      tree: Tree,
      settle: (trx: Knex.Transaction, copy: Staged) => Promise<void>,
    ): Promise<void> => addCopy(dependencies, actor, place, tree, settle),

    /**
     * Reserves storage of the firm. A `lasting` reservation survives the end of the process.
     * @returns the reservation's id; the caller has to release it.
     * @throws {AppError} 403; 422 `quota_exceeded`.
     */
    async reserve(
      trx: Knex.Transaction,
      actor: Actor,
      bytes: number,
      { lasting = false } = {},
    ): Promise<number> {
      requirePermission(actor, 'documents.write');
      const why = await roomError(trx, actor, { bytes, limits: await limits(trx, actor.firmId) });
      if (why) throw why;
      return addReservation(trx, { firm_id: actor.firmId, bytes, lasting, made_at: clock().toISOString() });
    },

    /** Bytes of the firm's storage that are neither used nor reserved; 0 if it is full. */
    async free(db: Knex, firmId: number): Promise<number> {
      const { bytes } = await limits(db, firmId);
      return Math.max(0, bytes - (await usage.taken(db, firmId)));
    },
  };
}
