import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { addItem, saveOver } from './add-item.ts';
import { quotaExceeded, refusal } from './add.ts';
import { compareFiles } from '../lists/name-conflicts.ts';
import { givenName } from './rename.ts';
import type { Filing } from './set-client.ts';
import type { CompareFiles, Conflict, CreateFolder, ItemView, Taken } from '../contract.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '../contract.ts';
import { abandonStaged } from '#server/records/hidden.ts';
import { addReservation, release } from '../../records/reservations.ts';
import type { Tree } from '../staging/stage.ts';
import { revealTree, stageTree } from '../staging/stage.ts';
import { repairName } from '../../text/names.ts';
import { originalDate } from '../original-date.ts';
import { removeItems } from './remove.ts';
import { demand, findItem } from '../rows.ts';
import type { DeferredWrites } from '../../db/deferred-writes.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import { recordRecentTree } from '../lists/recents.ts';
import * as usage from '../../records/usage.ts';
import { asOfNow } from '#server/visibility/as-of-now.ts';
import { viewOf } from '../views.ts';

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

export interface Adding extends Filing {
  /** For what must be written in the end, although the disk is full or the database away just now. */
  deferred: Pick<DeferredWrites, 'write'>;
}

/** What brings folders and files into the drive, and asks whether they may come. */
export function createAdding(parts: Adding) {
  const { db, clock, deferred, limits } = parts;
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

  return {
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
     * @param around does the saving, and in the same transaction what belongs to it; it may refuse only before that.
     * @throws {AppError} as `checkUpload`, and 422 on `file` for a type that is not allowed; what `around` throws.
     */
    async addFile(
      actor: Actor,
      file: NewFile,
      around: (trx: Knex.Transaction, save: () => Promise<ItemView>) => Promise<ItemView> = (_, save) =>
        save(),
    ): Promise<ItemView> {
      const save = saving(actor, file);
      return together((trx) => around(trx, () => save(trx)));
    },

    /** As `saveOver`, with a date that is left out when it cannot be true. @throws {AppError} as that. */
    async saveOver(
      actor: Actor,
      id: number,
      { blob, original_at }: Pick<NewFile, 'blob' | 'original_at'>,
    ): Promise<ItemView> {
      demand(actor, 'documents.write');
      const now = clock();
      const dated = originalDate(original_at, now);
      return db.transaction(async (trx) => {
        const content = { blob, original_at: dated, now: now.toISOString() };
        return saveOver(parts, trx, actor, id, { ...content, limits: await limits(trx, actor.firmId) });
      });
    },

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
            // What a retention rule or a legal hold keeps stays beside what it held.
            if (failed[0] && failed[0].code !== 'kept' && failed[0].code !== 'held')
              throw invalid({ file: [failed[0].message] }, failed[0].code);
          }
          await revealTree(parts, trx, actor, parent_id, staged);
          const folder = await viewOf(trx, actor, staged.id);
          await recordRecentTree(trx, actor, staged, clock());
          await settle(trx, folder);
          return folder;
        });
      } catch (error) {
        await deferred.write(() => db.transaction((trx) => abandonStaged(trx, staged.id)));
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
  };
}
