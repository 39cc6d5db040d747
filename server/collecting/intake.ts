import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { buffer } from 'node:stream/consumers';
import { repairName } from '#server/text/file-names.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { senderActor } from './actor.ts';
import type { Door, Taken } from './contract.ts';
import { cannotReceive, doorClosed, fileTooLarge, notNeeded, notPaper, refused, tooMany } from './errors.ts';
import type { Kinds } from './kinds.ts';
import type { Look } from './detect-type.ts';
import { HEAD_BYTES, isPaper, look, TAIL_BYTES } from './detect-type.ts';
import type { ArrivalRow } from './model.ts';
import { toView } from './model.ts';
import { PAGE_MAX_BYTES } from '#server/uploads/contract.ts';
import type { CollectingDependencies } from './dependencies.ts';

/** A completely received file, with the sender's metadata. */
export interface ReceivedFile {
  name: string;
  blob: StoredBlob;
  slot: number | null;
  /** The id shared by photos that belong together. */
  batch: string | null;
  position: number;
  upload_id: string | null;
  original_at: string | null;
}

/** A recorded arrival, and whether it can be filed now. */
export interface RecordedArrival extends Taken {
  /** The arrival to file now; null for a photo that waits for its batch, and for a duplicate. */
  ready: number | null;
}

type Content = Pick<ArrivalRow, 'door' | 'slot' | 'sha256'>;

/** Accepts files from links of every kind: first stores them, then files them into the drive. */
export function createIntake(dependencies: CollectingDependencies, kinds: Kinds) {
  const { db, clock, blobs, documents, records } = dependencies;

  async function read(id: string, start: number, end: number): Promise<Buffer> {
    return end < start ? Buffer.alloc(0) : buffer(await blobs.get(id, { start, end }));
  }
  async function detectType(
    name: string,
    { id, size }: StoredBlob,
  ): Promise<Exclude<Look, { refused: unknown }>> {
    const head = await read(id, 0, Math.min(HEAD_BYTES, size) - 1);
    const tail = await read(id, Math.max(0, size - TAIL_BYTES), size - 1);
    const found = look(repairName(name), size, head, tail);
    if ('refused' in found) throw refused(found.refused);
    return found;
  }

  /** Unfinished resumable uploads of a link, for which room is already reserved. */
  async function uploadsInProgress(db: Knex, door: Door): Promise<{ files: number; bytes: number }> {
    const row = await db('resumable_uploads')
      .where({ door: door.key, finished_at: null })
      .count({ files: '*' })
      .sum({ bytes: 'size' })
      .first<{ files: number; bytes: number | null }>();
    return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  /**
   * Checks that the link has room for a file of this size.
   * @param besides pending files that are not recorded yet.
   * @returns the remaining bytes after it. @throws {AppError} 422.
   */
  async function requireRoom(
    db: Knex,
    door: Door,
    bytes: number,
    besides = { files: 0, bytes: 0 },
  ): Promise<number> {
    if (bytes > door.allows.file) throw fileTooLarge(Math.floor(door.allows.file / (1024 * 1024)));
    const row = await db('arrivals')
      .where({ door: door.key })
      .whereNot({ state: 'refused' })
      .count({ files: '*' })
      .sum({ bytes: 'size' })
      .first<{ files: number; bytes: number | null }>();
    const left = door.allows.bytes - Number(row?.bytes ?? 0) - besides.bytes - bytes;
    if (left < 0 || Number(row?.files ?? 0) + besides.files >= door.allows.files) throw tooMany();
    return left;
  }

  /** `requireRoom` for a slot that takes files. @throws {AppError} 404, 422. */
  async function admit(
    db: Knex,
    door: Door,
    slot: number | null,
    ...size: [bytes: number, besides?: { files: number; bytes: number }]
  ): Promise<number> {
    if (!(await kinds.of(door.key).takes(db, kinds.idOf(door.key), slot))) throw notNeeded();
    return requireRoom(db, door, ...size);
  }

  /** Reserves room until the file is in the drive. @throws {AppError} 422 that does not reveal how full the vault is. */
  async function reserve(trx: Knex.Transaction, door: Door, bytes: number): Promise<number> {
    try {
      return await documents.reserve(trx, senderActor(door, ''), bytes, { lasting: true });
    } catch (error) {
      throw hideQuota(error);
    }
  }

  const sameContent = (
    db: Knex,
    { door, slot, sha256 }: Content,
  ): Knex.QueryBuilder<ArrivalRow, ArrivalRow[]> =>
    // What was sent back counts as new when it is sent again.
    db('arrivals').where({ door, slot, sha256, superseded: 0 });

  /** Of the same content that is not filed yet: blobs that are missing from the store, which are awaited for days, and here they come again. */
  async function awaitedBlobs(content: Content): Promise<Set<string>> {
    const unfiled = await sameContent(db, content).whereIn('state', ['staged', 'held']);
    const missing = new Set<string>();
    for (const { blob_id } of unfiled) if (!(await blobs.has(blob_id!))) missing.add(blob_id!);
    return missing;
  }

  /**
   * An arrival of the same content by the same link that is still kept. One that is in the drive no more does not count: the sender is asked
   * for that file again, and would be told that it was received while Trash purges the only copy.
   */
  async function duplicateOf(
    trx: Knex.Transaction,
    content: Content,
    awaited: ReadonlySet<string>,
  ): Promise<ArrivalRow | undefined> {
    for (const row of await sameContent(trx, content).whereIn('state', ['staged', 'held', 'filed'])) {
      if (row.state !== 'filed') {
        if (!awaited.has(row.blob_id!)) return row;
        continue;
      }
      // A photo is a page of its PDF, which has another checksum.
      const sha256 = row.batch === null ? row.sha256 : null;
      if (row.item_id !== null && (await documents.isInDrive(trx, row.item_id, sha256))) return row;
    }
    return undefined;
  }

  /**
   * Moves a photo that waits in another batch to the one with which it was sent again: its sender has loaded the page anew and has chosen
   * all pages once more, of which the document is made.
   */
  async function moveToBatch(
    trx: Knex.Transaction,
    row: ArrivalRow,
    place: Pick<ArrivalRow, 'batch' | 'position' | 'touched_at'>,
  ): Promise<ArrivalRow> {
    const isElsewhere = row.state !== 'filed' && row.batch !== null && row.batch !== place.batch;
    if (!isElsewhere || place.batch === null) return row;
    await trx('arrivals').where({ id: row.id }).update(place);
    return { ...row, ...place };
  }

  return {
    admit,
    requireRoom,
    uploadsInProgress,

    /**
     * Inspects a received file. @returns a function that records it in a transaction; until that commits, the caller
     * owns the blob.
     * @throws {AppError} 422 for a refused file.
     */
    async look(
      key: string,
      incoming: ReceivedFile,
    ): Promise<(trx: Knex.Transaction) => Promise<RecordedArrival>> {
      const { blob, slot, upload_id, position, original_at } = incoming;
      const { name, isPhoto, locked } = await detectType(incoming.name, blob);
      const mayBatch = isPhoto && blob.size <= PAGE_MAX_BYTES;
      const content = { door: key, slot, sha256: blob.sha256 };
      // The store may be far away: it is asked before the database is locked.
      const awaited = await awaitedBlobs(content);
      return async (trx) => {
        const door = await kinds.find(trx, key);
        if (!door) throw doorClosed();
        if (door.allows.papers && !isPaper(name)) throw notPaper();
        const now = clock().toISOString();
        const batch = mayBatch ? incoming.batch : null;
        const duplicate = await duplicateOf(trx, content, awaited);
        if (duplicate) {
          await records.discard(trx, [blob.id], clock());
          const place = { batch, position, touched_at: now };
          return { arrival: toView(await moveToBatch(trx, duplicate, place)), again: true, ready: null };
        }
        await admit(trx, door, slot, blob.size);
        const [row] = (await trx('arrivals')
          .insert({
            firm_id: door.firmId,
            door: key,
            slot,
            batch,
            position,
            upload_id,
            name,
            size: blob.size,
            sha256: blob.sha256,
            crc32: blob.crc32,
            original_at,
            state: 'staged',
            reason: locked ? 'locked' : null,
            blob_id: blob.id,
            reservation_id: await reserve(trx, door, blob.size),
            sender: door.sender,
            created_at: now,
            touched_at: now,
          })
          .returning('*')) as ArrivalRow[];
        return { arrival: toView(row!), again: false, ready: batch === null ? row!.id : null };
      };
    },

    /** The arrival of a resumable upload; null while it is unfinished. */
    async byUpload(upload_id: string): Promise<ArrivalRow | null> {
      return (await db('arrivals').where({ upload_id }).first()) ?? null;
    },
  };
}
/** Hides the figures of a full vault from the sender. */
export const hideQuota = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'quota_exceeded' ? cannotReceive() : error;
