import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, badRequest, conflict, notFound, tooLarge } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { Processes } from '#server/db/processes.ts';
import type { Records } from '#server/records/service.ts';
import type { BlobPart, BlobStore, StoredBlob } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import type { Scan } from './admit.ts';
import type { Arrival } from './answer.ts';
import type { Admitted, Announced, Beginning } from './announce.ts';
import { admitted, demandFresh, demandSession, noted } from './announce.ts';
import { LOST, NO_UPLOAD, TOO_MANY_PARTS, uploadFields } from './contract.ts';
import { notSaved } from './failures.ts';
import { createEndings, taking } from './one-ending.ts';
import { createLocks } from './locks.ts';
import type { PartLimits } from './parts.ts';
import { storeParts } from './parts.ts';
import type { Row } from './upload-row.ts';
import { expiry, UPLOAD_LIFETIME } from './upload-row.ts';
import { createUploadSums } from './upload-sums.ts';

/** Bounds the rows of one upload; 32 MB each, or 20 s each on a slow line, are far fewer. */
const PARTS_MAX = 20_000;
const SWEPT = 100;

/** A file of which every byte has come, before it has a place. */
export interface Whole {
  name: string;
  /** As they came with the upload. */
  fields: Record<string, string>;
  blob: StoredBlob;
}

/** How far an upload has come. */
export interface Progress {
  id: string;
  name: string;
  /** Bytes announced, and bytes that are safe. */
  size: number;
  received: number;
  /** Milliseconds until it is given up, unless more comes. */
  left: number;
}

/**
 * Uploads in several requests. What has come is kept as sealed blobs, one for each part, each with a key of its own:
 * a part is written once, like every blob, so a range that is sent again never meets a key that sealed it before. At the
 * end the parts are joined into the blob of the file, without being copied.
 */
export function createResumable(
  use: Beginning & {
    db: Knex;
    clock: Clock;
    blobs: BlobStore;
    scan: Scan;
    documents: Pick<Documents, 'addFileWithin' | 'reserve' | 'item'>;
    records: Pick<Records, 'knownBlobs' | 'release' | 'discard' | 'noteParts'>;
    part?: PartLimits;
    /** Who else takes pieces of the same uploads. */
    processes: Pick<Processes, 'several' | 'tryLock' | 'publish' | 'subscribe'>;
  },
) {
  const { db, clock, blobs, documents, records, processes } = use;
  const sums = createUploadSums(blobs);
  const { inTurn, over } = createEndings(processes);
  /** What ends uploads in this process, whoever asks for it meanwhile. */
  const finishing = new Map<string, Promise<Arrival | null>>();

  async function find(actor: Actor, id: string): Promise<Row> {
    // What came by a link is that link's, and not its maker's.
    const door = actor.recipient?.door ?? null;
    const own = { id, firm_id: actor.firmId, user_id: actor.userId, door };
    const row = (await db('resumable_uploads').where(own).first()) as Row | undefined;
    if (!row || clock().getTime() >= expiry(row)) throw notFound(NO_UPLOAD);
    return row;
  }
  const partsOf = async (connection: Knex, id: string): Promise<BlobPart[]> =>
    (await connection('resumable_parts')
      .where({ upload_id: id })
      .orderBy('start')
      .select('blob_id as id', 'bytes as size')) as BlobPart[];

  /** The upload's claim on room, and its list of parts; `parts_of` is the blob that they belong to from now on. */
  async function release(
    trx: Knex.Transaction,
    { id, reservation_id }: Pick<Row, 'id' | 'reservation_id'>,
    parts_of?: string,
  ): Promise<void> {
    const parts = (await partsOf(trx, id)).map((part) => part.id).filter((part) => part !== parts_of);
    if (parts_of === undefined) await records.discard(trx, parts, clock());
    else await records.noteParts(trx, parts_of, parts);
    await trx('resumable_parts').where({ upload_id: id }).delete();
    if (reservation_id !== null) await records.release(trx, reservation_id);
  }
  async function abandon(row: Row): Promise<void> {
    await db.transaction(async (trx) => {
      await release(trx, row);
      await trx('resumable_uploads').where({ id: row.id }).delete();
    });
    sums.forget(row.id);
  }

  /** The blob of the whole file: its only part, or its parts joined. */
  async function assemble(row: Row): Promise<StoredBlob> {
    const parts = await partsOf(db, row.id);
    try {
      if (parts.length === 0) return await blobs.put(Readable.from([]));
      const total = await sums.of(
        row.id,
        row.size,
        parts.map(({ id }) => id),
      );
      return parts.length === 1 ? { ...parts[0]!, ...total } : await blobs.join(parts, total);
    } catch (error) {
      // After a database was put back from a backup, parts can be missing; there is nothing to go on with.
      if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw notSaved(error);
    }
    await abandon(row);
    throw new AppError(410, 'upload_lost', LOST);
  }

  /** @param take makes ready, and gives the file a place in the transaction that ends the upload. */
  async function finish<T>(
    actor: Actor,
    row: Row,
    take: (whole: Whole) => Promise<(trx: Knex.Transaction) => Promise<{ made: T; item_id: number | null }>>,
  ): Promise<T> {
    const blob = await assemble(row);
    try {
      await demandSession(use, actor);
      const place = await take({ name: row.name, fields: JSON.parse(row.fields), blob });
      const made = await db.transaction(async (trx) => {
        await release(trx, row, blob.id);
        const { made, item_id } = await place(trx);
        const now = clock().toISOString();
        const done = { item_id, finished_at: now, touched_at: now, reservation_id: null };
        const unfinished = trx('resumable_uploads').where({ id: row.id, finished_at: null });
        // Taken twice, it would be two files.
        if ((await unfinished.update(done)) === 0) throw taking();
        return made;
      });
      sums.forget(row.id);
      return made;
    } catch (error) {
      // An only part is still the upload's, and after a fault of ours a row may have come to hold the blob.
      if (!(await records.knownBlobs([blob.id])).has(blob.id)) await blobs.delete(blob.id);
      throw notSaved(error);
    }
  }

  async function toDrive(actor: Actor, row: Row): Promise<Arrival> {
    const { extract_zip, ...place } = parse(uploadFields, JSON.parse(row.fields));
    const item = await finish(actor, row, async ({ name, blob }) => {
      await use.scan(actor.firmId, blob, name, 'office');
      return async (trx) => {
        const made = await documents.addFileWithin(trx, actor, { name, ...place, blob });
        return { made, item_id: made.id };
      };
    });
    return { item, extractZip: extract_zip };
  }

  /** Notes an upload, and promises it the room. */
  async function note(
    actor: Actor,
    upload: Omit<Admitted, 'key'> & { id: string; key?: string | null },
  ): Promise<void> {
    const { key = null } = upload;
    await db.transaction(async (trx) => {
      await demandFresh(trx, actor, key);
      const reservation_id = await documents.reserve(trx, actor, upload.size, { lasting: true });
      await trx('resumable_uploads').insert({ ...noted(actor, { ...upload, key }, clock()), reservation_id });
    });
  }

  return {
    /**
     * Begins an upload of `size` bytes and promises it the room.
     * @throws {AppError} 403; 413; 422 on `file`, `parent_id`, `client_id`; 422 `quota_exceeded`.
     */
    async begin(actor: Actor, { id, ...announced }: Announced & { id: string }): Promise<void> {
      const { size } = announced;
      if (!Number.isSafeInteger(size) || size < 0) throw badRequest('Say how many bytes the file has.');
      if (size > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
      await note(actor, { id, ...(await admitted(use, actor, announced)) });
    },

    /**
     * As `begin`, where somebody else has asked whether and where the file may go, and takes it by `handOver`.
     * @throws {AppError} 422 `quota_exceeded`.
     */
    beginElsewhere: note,

    /** The upload that this person began with a key; null without one. */
    async known(actor: Actor, key: string): Promise<string | null> {
      const own = { user_id: actor.userId, firm_id: actor.firmId, upload_key: key.toLowerCase() };
      const row = (await db('resumable_uploads').where(own).first()) as Row | undefined;
      if (!row || clock().getTime() < expiry(row)) return row?.id ?? null;
      await abandon(row);
      return null;
    },

    /** @throws {AppError} 404 for what is not the actor's, was given up, or never was. */
    async progress(actor: Actor, id: string): Promise<Progress> {
      const row = await find(actor, id);
      const left = expiry(row) - clock().getTime();
      return { id, name: row.name, size: row.size, received: row.received, left };
    },

    /**
     * Takes what comes on from `offset`. What has come is kept even when the source breaks off; one caller at a time.
     * @returns the bytes that are safe now.
     * @throws {AppError} 401 once the session has ended; 404; 409 when another was faster; 503 when the disk is full.
     */
    async append(actor: Actor, id: string, offset: number, source: AsyncIterable<Buffer>): Promise<number> {
      await find(actor, id);
      let received = offset;
      const record = async ({ id: blob_id, size: bytes }: StoredBlob) => {
        await demandSession(use, actor);
        await db.transaction(async (trx) => {
          const change = { received: received + bytes, touched_at: clock().toISOString() };
          const moved = await trx('resumable_uploads')
            .where({ id, received, finished_at: null })
            .update(change);
          if (moved === 0) throw conflict('The upload has gone on elsewhere.', 'wrong_offset');
          const parts = await trx('resumable_parts').where({ upload_id: id }).count({ n: '*' }).first();
          if (Number(parts?.n) >= PARTS_MAX) throw badRequest(TOO_MANY_PARTS);
          await trx('resumable_parts').insert({ upload_id: id, start: received, bytes, blob_id });
        });
        received += bytes;
      };
      const keep = (part: Readable) =>
        sums.put(
          id,
          received,
          (running) => blobs.put(part, running),
          async (stored) => {
            await record(stored).catch(async (error: unknown) => {
              await blobs.delete(stored.id);
              throw error;
            });
          },
        );
      await storeParts(source, keep, use.part).catch((error: unknown) => {
        throw notSaved(error);
      });
      return received;
    },

    /**
     * Makes the file once all bytes are there; afterwards tells what was made. A refusal leaves the upload as it is,
     * to be finished later or given up.
     * @returns null while bytes are missing.
     * @throws {AppError} 401; 404; 410 when parts are lost; 422 as `addFile`; 503.
     */
    async settle(actor: Actor, id: string): Promise<Arrival | null> {
      const row = await find(actor, id);
      if (row.finished_at !== null) {
        if (row.item_id === null) throw notFound('file');
        const { extract_zip } = parse(uploadFields, JSON.parse(row.fields));
        const item = await documents.item(actor, row.item_id);
        return { item, extractZip: extract_zip, extractionId: row.extraction_id, fresh: false };
      }
      if (row.received < row.size) return null;
      const underway = finishing.get(id);
      if (underway) {
        const arrival: Arrival | null = await underway;
        return arrival ? { ...arrival, fresh: false } : this.settle(actor, id);
      }
      const work = inTurn(id, () => toDrive(actor, row)).finally(() => finishing.delete(id));
      finishing.set(id, work);
      const arrival = await work;
      if (arrival) return arrival;
      await over(id);
      return this.settle(actor, id);
    },

    /**
     * Once all bytes are there, gives the file to whoever is to have it. What `take` refuses leaves the upload as it is.
     * @returns null while bytes are missing, and for what was taken before.
     * @throws {AppError} 404; 410 when parts are lost; 409 while it is being taken; what `take` throws; 503.
     */
    async handOver<T>(
      actor: Actor,
      id: string,
      take: (whole: Whole) => Promise<(trx: Knex.Transaction) => Promise<T>>,
    ): Promise<T | null> {
      const row = await find(actor, id);
      if (row.finished_at !== null || row.received < row.size) return null;
      const taken = await inTurn(id, async () => ({
        made: await finish(actor, row, async (whole) => {
          const place = await take(whole);
          return async (trx) => ({ made: await place(trx), item_id: null });
        }),
      }));
      if (!taken) throw taking();
      return taken.made;
    },

    /** Notes the unpacking that followed, for whoever asks again. */
    async noteExtraction(id: string, extraction_id: number): Promise<void> {
      await db('resumable_uploads').where({ id }).update({ extraction_id });
    },

    /** Gives an upload up; a finished one only forgets how it came. @throws {AppError} 404. */
    async cancel(actor: Actor, id: string): Promise<void> {
      const row = await find(actor, id);
      await inTurn(id, () => abandon(row));
    },

    /** Gives up all that a user has not finished; what is being finished finds its session ended. */
    async cancelAllOf(userId: number): Promise<void> {
      const own = { user_id: userId, finished_at: null, door: null };
      const rows = (await db('resumable_uploads').where(own)) as Row[];
      for (const row of rows) await inTurn(row.id, () => abandon(row));
    },

    /** Gives up what nobody went on with. @returns how many. */
    async sweep(): Promise<number> {
      const now = clock();
      const touched_at = now.toISOString();
      // Later than now only where the clock was set back; then an upload would hold its room for as long as that.
      await db('resumable_uploads').where('touched_at', '>', touched_at).update({ touched_at });
      const before = new Date(now.getTime() - UPLOAD_LIFETIME).toISOString();
      const old = (await db('resumable_uploads').where('touched_at', '<=', before).limit(SWEPT)) as Row[];
      for (const row of old) await inTurn(row.id, () => abandon(row));
      return old.length;
    },

    /** One request at a time for each upload. */
    locker: createLocks(processes),

    /** Lets go of what is under way; every upload can be gone on with later. */
    stop: sums.stop,
  };
}
export type Resumable = ReturnType<typeof createResumable>;
