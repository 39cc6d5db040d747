import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { buffer } from 'node:stream/consumers';
import { repairName } from '#server/text/names.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { actorOf } from './actor.ts';
import type { Door, Taken } from './contract.ts';
import { PHOTOS_MAX } from './contract.ts';
import { cannotReceive, closedDoor, fileTooLarge, notPaper, refused, tooMany } from './errors.ts';
import type { Kinds } from './kinds.ts';
import type { Look } from './detect-type.ts';
import { HEAD_BYTES, isPaper, look, TAIL_BYTES } from './detect-type.ts';
import type { ArrivalRow } from './model.ts';
import { toView } from './model.ts';
import { PHOTO_BYTES_MAX } from '#server/uploads/pages-to-pdf/photos-to-pdf.ts';
import type { CollectingParts } from './parts.ts';

/** A file of which all bytes have come, with what its sender says of it. */
export interface Incoming {
  name: string;
  blob: StoredBlob;
  slot: number | null;
  /** Photographs that belong together bear one mark. */
  batch: string | null;
  position: number;
  upload_id: string | null;
  original_at: string | null;
}

/** What was noted of it, and whether it can go into the drive at once. */
export interface Noted extends Taken {
  /** To be filed now; null for a photograph that waits for the others, and for what had come before. */
  ready: number | null;
}

/** Takes in what comes by the links of any kind: safe first, in the drive afterwards. */
export function createIntake(parts: CollectingParts, kinds: Kinds) {
  const { db, clock, blobs, documents, records } = parts;

  async function read(id: string, start: number, end: number): Promise<Buffer> {
    return end < start ? Buffer.alloc(0) : buffer(await blobs.get(id, { start, end }));
  }
  async function seen(name: string, { id, size }: StoredBlob): Promise<Exclude<Look, { refused: unknown }>> {
    const head = await read(id, 0, Math.min(HEAD_BYTES, size) - 1);
    const tail = await read(id, Math.max(0, size - TAIL_BYTES), size - 1);
    const found = look(repairName(name), size, head, tail);
    if ('refused' in found) throw refused(found.refused);
    return found;
  }

  /** What is on its way by the link in several requests, and has its room already. */
  async function underWay(db: Knex, door: Door): Promise<{ files: number; bytes: number }> {
    const row = await db('resumable_uploads')
      .where({ door: door.key, finished_at: null })
      .count({ files: '*' })
      .sum({ bytes: 'size' })
      .first<{ files: number; bytes: number | null }>();
    return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  /**
   * Whether a file of so many bytes may come by the link.
   * @param besides what is to come by it, and is not noted yet.
   * @returns bytes that may come after it. @throws {AppError} 404, 422.
   */
  async function admit(
    db: Knex,
    door: Door,
    slot: number | null,
    bytes: number,
    besides = { files: 0, bytes: 0 },
  ): Promise<number> {
    if (!(await kinds.of(door.key).takes(db, kinds.idOf(door.key), slot))) throw closedDoor();
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

  /** Room for the file, until the drive has it. @throws {AppError} 422 that does not tell how full the vault is. */
  async function reserve(trx: Knex.Transaction, door: Door, bytes: number): Promise<number> {
    try {
      return await documents.reserve(trx, actorOf(door, ''), bytes, { lasting: true });
    } catch (error) {
      throw untold(error);
    }
  }

  return {
    admit,
    underWay,

    /**
     * Looks at what has come. @returns what notes it, in a transaction; until that has committed, the blob is the
     * caller's. @throws {AppError} 422 for what is not kept.
     */
    async look(key: string, incoming: Incoming): Promise<(trx: Knex.Transaction) => Promise<Noted>> {
      const { blob, slot, upload_id, position, original_at } = incoming;
      const { name, isPhoto, locked } = await seen(incoming.name, blob);
      const paged = isPhoto && blob.size <= PHOTO_BYTES_MAX;
      return async (trx) => {
        const door = await kinds.find(trx, key);
        if (!door) throw closedDoor();
        if (door.allows.papers && !isPaper(name)) throw notPaper();
        const same: ArrivalRow | undefined = await trx('arrivals')
          .where({ door: key, slot, sha256: blob.sha256, superseded: 0 })
          .whereIn('state', ['staged', 'held', 'filed'])
          .where((of) => of.whereNotNull('item_id').orWhereNot('state', 'filed'))
          .first();
        if (same) {
          await records.discard(trx, [blob.id], clock());
          return { arrival: toView(same), again: true, ready: null };
        }
        await admit(trx, door, slot, blob.size);
        let batch = paged ? incoming.batch : null;
        if (batch !== null) {
          const [{ n } = { n: 0 }] = await trx('arrivals')
            .where({ door: key, slot, batch, state: 'staged' })
            .count({ n: '*' });
          if (Number(n) >= PHOTOS_MAX) batch = null;
        }
        const now = clock().toISOString();
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

    /** What an upload in several requests has become; null while it has not. */
    async byUpload(upload_id: string): Promise<ArrivalRow | null> {
      return (await db('arrivals').where({ upload_id }).first()) ?? null;
    },
  };
}
/** A full vault is told without its figures. */
export const untold = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'quota_exceeded' ? cannotReceive() : error;
