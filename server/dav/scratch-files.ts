import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { badRequest, notFound } from '#server/http/errors.ts';
import { nameKey } from '#server/text/file-names.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { isMark, isScratch } from './scratch-names.ts';

/** A program's temporary file, which is not a document. */
export interface ScratchFile {
  name: string;
  folder: number | null;
  appId: number;
  /** ISO 8601, UTC. */
  at: string;
  /** Its bytes; null for a document that a program has moved aside while saving. */
  blob: Pick<StoredBlob, 'id' | 'size' | 'sha256' | 'crc32'> | null;
  /** Id of the document that was moved aside under this name. */
  aside?: number;
  /** Id of the document of which it is a copy: only users who see that document see the file. */
  source?: number;
}

/** @throws {AppError} 400 for a document that its program has moved aside while saving: it is read under its own name. */
export function bytesOfScratch({ blob }: ScratchFile): NonNullable<ScratchFile['blob']> {
  if (!blob) throw badRequest('This file is being saved.');
  return blob;
}

const HOUR = 60 * 60_000;
/** Lifetime in ms of a file, and of a document moved aside; after that its program has forgotten it. */
const LIFETIME_MS = { file: 12 * HOUR, aside: HOUR / 6 };
/** Limits per firm. */
const LIMITS = { files: 2000, bytes: 1024 ** 3 };

interface Row {
  firm_id: number;
  place: string;
  folder_id: number | null;
  name: string;
  app_password_id: number;
  blob: string | null;
  size: number;
  aside: number | null;
  source: number | null;
  at: string;
}

const fileOf = ({ folder_id, name, app_password_id, blob, aside, source, at }: Row): ScratchFile => ({
  name,
  folder: folder_id,
  appId: app_password_id,
  at,
  blob: blob === null ? null : (JSON.parse(blob) as ScratchFile['blob']),
  ...(aside !== null && { aside }),
  ...(source !== null && { source }),
});

/**
 * Temporary files that programs store next to documents. They are in the database, because the requests of one
 * program may reach different processes. Their bytes are sealed like all others, belong to no document, and are
 * deleted after half a day.
 *
 * They belong to their user, since no rights say who else may see them. Only marks of open documents are for
 * colleagues too: for those who see the folder, or in 'My Drive', which each user sees differently, for those who see
 * everything.
 */
export function createScratchFiles({ db, blobs, clock }: { db: Knex; blobs: BlobStore; clock: Clock }) {
  const isShared = (actor: Actor, folder: number | null, name: string): boolean =>
    isMark(name) && (folder !== null || seesAll(actor));
  const placeOf = (actor: Actor, folder: number | null, name: string): string =>
    `${folder ?? 0}/${isShared(actor, folder, name) ? '' : `${actor.userId}/`}${nameKey(name)}`;
  const before = (ms: number): string => new Date(clock().getTime() - ms).toISOString();
  const unexpired = (): Knex.QueryBuilder<Row, Row[]> =>
    db('dav_scratch').where((row) =>
      row
        .where((file) => file.whereNull('aside').andWhere('at', '>=', before(LIFETIME_MS.file)))
        .orWhere((aside) => aside.whereNotNull('aside').andWhere('at', '>=', before(LIFETIME_MS.aside))),
    );

  /** The files to delete so that `incoming` more bytes fit: expired ones of any firm, and this firm's oldest. */
  async function filesToEvict(trx: Knex.Transaction, firmId: number, incoming: number): Promise<Row[]> {
    const evicted: Row[] = await trx('dav_scratch').where('at', '<', before(LIFETIME_MS.file));
    const files: Row[] = await trx('dav_scratch')
      .where({ firm_id: firmId })
      .where('at', '>=', before(LIFETIME_MS.file))
      .orderBy('at', 'desc')
      .orderBy('place');
    let [count, bytes] = [1, incoming];
    for (const file of files) {
      count += 1;
      bytes += file.size;
      const over = file.aside !== null && file.at < before(LIFETIME_MS.aside);
      if (over || count > LIMITS.files || bytes > LIMITS.bytes) evicted.push(file);
    }
    return evicted;
  }

  async function forget(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
    for (const { firm_id, place } of rows) await trx('dav_scratch').where({ firm_id, place }).delete();
  }

  const bytesOf = (rows: readonly Row[]): string[] => rows.flatMap((row) => fileOf(row).blob?.id ?? []);

  /**
   * Forgets a file whose bytes get another owner in the same transaction.
   * @throws {AppError} 404 when another request was faster.
   */
  async function claim(trx: Knex.Transaction, actor: Actor, file: ScratchFile): Promise<void> {
    const fileRow = { firm_id: actor.firmId, place: placeOf(actor, file.folder, file.name) };
    const row: Row | undefined = await trx('dav_scratch').where(fileRow).first();
    const isSame = row && fileOf(row).blob?.id === file.blob?.id;
    if (!isSame || (await trx('dav_scratch').where(fileRow).delete()) === 0) throw notFound('file');
  }

  async function release(actor: Actor, { folder, name }: ScratchFile): Promise<boolean> {
    const fileRow = { firm_id: actor.firmId, place: placeOf(actor, folder, name) };
    return (await db('dav_scratch').where(fileRow).delete()) > 0;
  }

  return {
    isScratch,

    async find(actor: Actor, folder: number | null, name: string): Promise<ScratchFile | null> {
      if (!isScratch(name)) return null;
      const row: Row | undefined = await unexpired()
        .where({ firm_id: actor.firmId, place: placeOf(actor, folder, name) })
        .first();
      if (!row || (row.aside !== null && row.app_password_id !== actor.app?.id)) return null;
      return fileOf(row);
    },

    /** Files that this program has stored in a folder; it finds those of its user's other programs, and marks, only by name. */
    async own(actor: Actor, folder: number | null): Promise<ScratchFile[]> {
      const rows: Row[] = await unexpired()
        .where({ firm_id: actor.firmId, app_password_id: actor.app?.id ?? 0, folder_id: folder })
        .whereNotNull('blob')
        .orderBy('at');
      return rows.map(fileOf);
    },

    /** Documents that this program has moved aside: until it has finished, their names are free for it. */
    async asideOf(actor: Actor): Promise<ReadonlySet<number>> {
      const ids = (await unexpired()
        .where({ firm_id: actor.firmId, app_password_id: actor.app?.id ?? 0 })
        .whereNotNull('aside')
        .pluck('aside')) as number[];
      return new Set(ids);
    },

    /**
     * Stores a file; it replaces one of the same name.
     * @param from the file that gets this name, if it had another.
     * @throws {AppError} 404 when `from` is not there any more.
     */
    async put(
      actor: Actor,
      folder: number | null,
      name: string,
      { blob, aside, source }: Pick<ScratchFile, 'blob' | 'aside' | 'source'>,
      from?: ScratchFile,
    ): Promise<void> {
      const row: Row = {
        firm_id: actor.firmId,
        place: placeOf(actor, folder, name),
        folder_id: folder,
        name,
        app_password_id: actor.app?.id ?? 0,
        blob:
          blob && JSON.stringify({ id: blob.id, size: blob.size, sha256: blob.sha256, crc32: blob.crc32 }),
        size: blob?.size ?? 0,
        aside: aside ?? null,
        source: source ?? null,
        // A document that is moved aside under one more name is aside since it was the first time.
        at: aside !== undefined && from ? from.at : clock().toISOString(),
      };
      const deleted = await db.transaction(async (trx) => {
        if (from) await claim(trx, actor, from);
        const { firm_id, place } = row;
        const same: Row[] = await trx('dav_scratch').where({ firm_id, place });
        await forget(trx, same);
        const others = await filesToEvict(trx, firm_id, row.size);
        await forget(trx, others);
        await trx('dav_scratch').insert(row);
        return [...same, ...others];
      });
      for (const id of bytesOf(deleted)) if (id !== blob?.id) await blobs.delete(id);
    },

    async remove(actor: Actor, file: ScratchFile): Promise<void> {
      if ((await release(actor, file)) && file.blob) await blobs.delete(file.blob.id);
    },

    claim,

    /** Forgets a file, but not its bytes. @returns false when another request was faster. */
    release,
  };
}
export type ScratchFiles = ReturnType<typeof createScratchFiles>;
