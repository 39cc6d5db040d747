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
import type { UploadResult } from './upload-response.ts';
import type { AcceptedUpload, UploadRequest, NewUploadDependencies } from './new-upload.ts';
import { acceptUpload, requireUnusedKey, requireSession, requireTarget, newUploadRow } from './new-upload.ts';
import { LOST, NO_UPLOAD, TOO_MANY_PARTS, WRONG_OFFSET, uploadFields } from './contract.ts';
import { discardFailedUpload, toUploadError } from './failures.ts';
import { createCompletionLock, beingCompleted } from './completion-lock.ts';
import { createLocks } from './locks.ts';
import type { PartLimits } from './store-in-parts.ts';
import { storeParts } from './store-in-parts.ts';
import type { Outcome, UploadRow } from './upload-row.ts';
import { EMPTY_LIFETIME, expiry, UPLOAD_LIFETIME } from './upload-row.ts';
import { createUploadSums } from './upload-sums.ts';

/** Maximum number of parts of one upload. Parts of 32 MB, or of 20 s on a slow connection, are far fewer. */
const PARTS_MAX = 20_000;
const SWEEP_BATCH = 1000;

/** A file whose bytes are all received, but which has no item yet. */
interface CompleteFile {
  name: string;
  /** The fields from the client. */
  fields: Record<string, string>;
  blob: StoredBlob;
}

/** How far an upload has come. */
export interface Progress {
  id: string;
  name: string;
  /** Declared bytes, and bytes stored safely. */
  size: number;
  received: number;
  /** Milliseconds until the upload expires, unless more bytes arrive. */
  left: number;
}

/**
 * Uploads in several requests. Each received part is stored as an encrypted blob with a key of its own. Blobs are
 * written once, so a range that is sent twice is never encrypted twice under the same key. At the end the parts are
 * joined into the blob of the file without being copied.
 */
export function createResumable(
  dependencies: NewUploadDependencies & {
    db: Knex;
    clock: Clock;
    blobs: BlobStore;
    scan: Scan;
    documents: Pick<Documents, 'addFileWithin' | 'reserve' | 'item'>;
    records: Pick<Records, 'knownBlobs' | 'release' | 'discard' | 'noteParts'>;
    part?: PartLimits;
    /** Coordination with other processes that may receive parts of the same upload. */
    processes: Pick<Processes, 'several' | 'tryLock' | 'publish' | 'subscribe'>;
  },
) {
  const { db, clock, blobs, documents, records, processes } = dependencies;
  const sums = createUploadSums(blobs);
  const { runExclusive, waitUntilFree } = createCompletionLock(processes);
  /** Completions running in this process, by upload id; concurrent requests share them. */
  const finishing = new Map<string, Promise<UploadResult | null>>();

  async function find(actor: Actor, id: string): Promise<UploadRow> {
    // An upload through a door belongs to that door, not to the user who created the link.
    const door = actor.recipient?.door ?? null;
    const ownUpload = { id, firm_id: actor.firmId, user_id: actor.userId, door };
    const row = (await db('resumable_uploads').where(ownUpload).first()) as UploadRow | undefined;
    if (!row || clock().getTime() >= expiry(row)) throw notFound(NO_UPLOAD);
    return row;
  }
  const partsOf = async (connection: Knex, id: string): Promise<BlobPart[]> =>
    (await connection('resumable_parts')
      .where({ upload_id: id })
      .orderBy('start')
      .select('blob_id as id', 'bytes as size')) as BlobPart[];

  /**
   * Deletes the upload's reservation and its list of parts.
   * @param parts_of blob to which the parts belong now; without it they are discarded.
   */
  async function release(
    trx: Knex.Transaction,
    { id, reservation_id }: Pick<UploadRow, 'id' | 'reservation_id'>,
    parts_of?: string,
  ): Promise<void> {
    const parts = (await partsOf(trx, id)).map((part) => part.id).filter((part) => part !== parts_of);
    if (parts_of === undefined) await records.discard(trx, parts, clock());
    else await records.noteParts(trx, parts_of, parts);
    await trx('resumable_parts').where({ upload_id: id }).delete();
    if (reservation_id !== null) await records.release(trx, reservation_id);
  }
  async function abandon(row: UploadRow): Promise<void> {
    await db.transaction(async (trx) => {
      await release(trx, row);
      await trx('resumable_uploads').where({ id: row.id }).delete();
    });
    sums.forget(row.id);
  }

  /** The blob of the complete file: its only part, or its parts joined. */
  async function assemble(row: UploadRow): Promise<StoredBlob> {
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
      // After a restore of the database from a backup, parts can be missing; such an upload cannot be completed.
      if (!(error instanceof BlobMissing || error instanceof BlobCorrupt)) throw toUploadError(error);
    }
    await abandon(row);
    throw new AppError(410, 'upload_lost', LOST);
  }

  /**
   * Completes an upload.
   * @param take prepares the file, and returns a function that creates the item in the completing transaction.
   */
  async function finish<T>(
    actor: Actor,
    row: UploadRow,
    take: (whole: CompleteFile) => Promise<(trx: Knex.Transaction) => Promise<{ made: T } & Outcome>>,
  ): Promise<T> {
    const blob = await assemble(row);
    try {
      await requireSession(dependencies, actor);
      const place = await take({ name: row.name, fields: JSON.parse(row.fields), blob });
      const made = await db.transaction(async (trx) => {
        await release(trx, row, blob.id);
        const { made, ...outcome } = await place(trx);
        const now = clock().toISOString();
        const done = { ...outcome, finished_at: now, touched_at: now, reservation_id: null };
        const unfinished = trx('resumable_uploads').where({ id: row.id, finished_at: null });
        // A second completion would create a second file.
        if ((await unfinished.update(done)) === 0) throw beingCompleted();
        return made;
      });
      sums.forget(row.id);
      return made;
    } catch (error) {
      // A single part still belongs to the upload.
      await discardFailedUpload(dependencies, blob.id, error);
      throw toUploadError(error);
    }
  }

  async function addToDrive(actor: Actor, row: UploadRow): Promise<UploadResult> {
    const { extract_zip, ...place } = parse(uploadFields, JSON.parse(row.fields));
    const item = await finish(actor, row, async ({ name, blob }) => {
      await dependencies.scan(actor.firmId, blob, name, 'office');
      return async (trx) => {
        const made = await documents.addFileWithin(trx, actor, { name, ...place, blob });
        return { made, item_id: made.id, replaced_version: made.replaced_version };
      };
    });
    return { item, extractZip: extract_zip };
  }

  /** Inserts an upload and reserves storage for it. @param check throws in the inserting transaction unless it may begin. */
  async function insertUpload(
    actor: Actor,
    upload: Omit<AcceptedUpload, 'key'> & { id: string; key?: string | null },
    check?: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    const { key = null } = upload;
    await db.transaction(async (trx) => {
      await check?.(trx);
      await requireUnusedKey(trx, actor, key);
      const reservation_id = await documents.reserve(trx, actor, upload.size, { lasting: true });
      await trx('resumable_uploads').insert({
        ...newUploadRow(actor, { ...upload, key }, clock()),
        reservation_id,
      });
    });
  }

  async function cancelAll(of: { user_id?: number; door: string | null }): Promise<void> {
    const rows = (await db('resumable_uploads').where({ ...of, finished_at: null })) as UploadRow[];
    for (const row of rows) await runExclusive(row.id, () => abandon(row));
  }

  /** Expired uploads. */
  const expired = (now: Date) => {
    const before = (lifetime: number) => new Date(now.getTime() - lifetime).toISOString();
    return db('resumable_uploads')
      .where('touched_at', '<=', before(EMPTY_LIFETIME))
      .where((of) =>
        of
          .where('touched_at', '<=', before(UPLOAD_LIFETIME))
          .orWhere((empty) => empty.whereNotNull('door').where({ received: 0 })),
      );
  };

  return {
    /**
     * Starts an upload of `size` bytes and reserves storage for it.
     * @throws {AppError} 403; 413; 422 on `file`, `parent_id`, `client_id`; 422 `quota_exceeded`.
     */
    async begin(actor: Actor, { id, ...announced }: UploadRequest & { id: string }): Promise<void> {
      const { size } = announced;
      if (!Number.isSafeInteger(size) || size < 0) throw badRequest('Say how many bytes the file has.');
      if (size > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
      await insertUpload(actor, { id, ...(await acceptUpload(dependencies, actor, announced)) });
    },

    /**
     * Like `begin`, for a caller that has checked the target itself and takes the file by `handOver`.
     * @throws {AppError} 422 `quota_exceeded`; whatever its check in the transaction throws.
     */
    beginUnchecked: insertUpload,

    /**
     * Repeats the request that started an upload. Until the file is complete, it arrives where the last request said, since
     * the target may have been deleted, or another one chosen, while bytes were sent.
     * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`, `path`.
     */
    async beginAgain(actor: Actor, id: string, announced: Omit<UploadRequest, 'size'>): Promise<void> {
      const unfinished = { id, user_id: actor.userId, finished_at: null };
      if (!(await db('resumable_uploads').where(unfinished).first('id'))) return;
      // Storage for its bytes is reserved already.
      const accepted = await acceptUpload(dependencies, actor, { ...announced, size: 0 });
      const fields = JSON.stringify(accepted.fields);
      await runExclusive(id, () => db('resumable_uploads').where(unfinished).update({ fields }));
    },

    /** Id of the upload that this user started with a key; null without one. */
    async findByKey(actor: Actor, key: string): Promise<string | null> {
      const ownKey = { user_id: actor.userId, firm_id: actor.firmId, upload_key: key.toLowerCase() };
      const row = (await db('resumable_uploads').where(ownKey).first()) as UploadRow | undefined;
      if (!row || clock().getTime() < expiry(row)) return row?.id ?? null;
      await abandon(row);
      return null;
    },

    /** @throws {AppError} 404 for an upload that does not exist, has expired, or belongs to another user. */
    async progress(actor: Actor, id: string): Promise<Progress> {
      const row = await find(actor, id);
      const left = expiry(row) - clock().getTime();
      return { id, name: row.name, size: row.size, received: row.received, left };
    },

    /**
     * Receives bytes from `offset` on. Bytes received before the source fails are kept. One caller at a time per upload.
     * @returns the new offset.
     * @throws {AppError} 401 once the session has ended; 403 and 422 if the target is lost, before any byte is read; 404; 409
     * if another request was faster; 503 if the disk is full.
     */
    async append(actor: Actor, id: string, offset: number, source: AsyncIterable<Buffer>): Promise<number> {
      await requireTarget(dependencies, actor, await find(actor, id));
      let received = offset;
      const record = async ({ id: blob_id, size: bytes }: StoredBlob) => {
        await requireSession(dependencies, actor);
        await db.transaction(async (trx) => {
          const change = { received: received + bytes, touched_at: clock().toISOString() };
          const moved = await trx('resumable_uploads')
            .where({ id, received, finished_at: null })
            .update(change);
          if (moved === 0) throw conflict(WRONG_OFFSET, 'wrong_offset');
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
          (running) => blobs.put(part, { running, consume: true }),
          async (stored) => {
            await record(stored).catch(async (error: unknown) => {
              await discardFailedUpload(dependencies, stored.id, error);
              throw error;
            });
          },
        );
      await storeParts(source, keep, dependencies.part).catch((error: unknown) => {
        throw toUploadError(error);
      });
      return received;
    },

    /**
     * Creates the file once all bytes are received; later calls return the same file. After a refusal the upload remains,
     * to be completed later or cancelled.
     * @returns null while bytes are missing.
     * @throws {AppError} 401; 404; 410 if parts are lost; 422 like `addFile`; 503.
     */
    async settle(actor: Actor, id: string): Promise<UploadResult | null> {
      const row = await find(actor, id);
      if (row.finished_at !== null) {
        if (row.item_id === null) throw notFound('file');
        const { extract_zip } = parse(uploadFields, JSON.parse(row.fields));
        const { replaced_version } = row;
        const item = { ...(await documents.item(actor, row.item_id)), replaced_version };
        return { item, extractZip: extract_zip, extractionId: row.extraction_id, fresh: false };
      }
      if (row.received < row.size) return null;
      const underway = finishing.get(id);
      if (underway) {
        const arrival: UploadResult | null = await underway;
        return arrival ? { ...arrival, fresh: false } : this.settle(actor, id);
      }
      const work = runExclusive(id, async () => {
        // Another request may have completed it, or chosen another target.
        const current = await find(actor, id);
        return current.finished_at === null ? addToDrive(actor, current) : null;
      }).finally(() => finishing.delete(id));
      finishing.set(id, work);
      const arrival = await work;
      if (arrival) return arrival;
      await waitUntilFree(id);
      return this.settle(actor, id);
    },

    /**
     * Passes the complete file to `take` instead of the drive. If `take` rejects, the upload remains.
     * @returns null while bytes are missing, and for an upload that was handed over before.
     * @throws {AppError} 404; 410 if parts are lost; 409 while another caller completes it; whatever `take` throws; 503.
     */
    async handOver<T>(
      actor: Actor,
      id: string,
      take: (whole: CompleteFile) => Promise<(trx: Knex.Transaction) => Promise<T>>,
    ): Promise<T | null> {
      const row = await find(actor, id);
      if (row.finished_at !== null || row.received < row.size) return null;
      const received = await runExclusive(id, async () => ({
        made: await finish(actor, row, async (whole) => {
          const place = await take(whole);
          return async (trx) => ({ made: await place(trx), item_id: null });
        }),
      }));
      if (!received) throw beingCompleted();
      return received.made;
    },

    /** Stores the id of the extraction job, for repeated requests. */
    async noteExtraction(id: string, extraction_id: number): Promise<void> {
      await db('resumable_uploads').where({ id }).update({ extraction_id });
    },

    /** Cancels an upload; for a completed one, deletes only its record. @throws {AppError} 404; 409 while it is being completed. */
    async cancel(actor: Actor, id: string): Promise<void> {
      const isCancelled = await runExclusive(id, async () => {
        await abandon(await find(actor, id));
        return true;
      });
      if (!isCancelled) throw beingCompleted();
    },

    /** Cancels the unfinished uploads of a user. One that is being completed fails because the session has ended. */
    cancelAllOf: (userId: number): Promise<void> => cancelAll({ user_id: userId, door: null }),

    /** Cancels the unfinished uploads through a link, of all its visitors. */
    cancelAllThrough: (door: string): Promise<void> => cancelAll({ door }),

    /** Whether `sweep` has anything to do. */
    async sweepDue(): Promise<boolean> {
      const now = clock();
      return (await expired(now).orWhere('touched_at', '>', now.toISOString()).first('id')) !== undefined;
    },

    /** Deletes expired uploads. @returns how many. */
    async sweep(): Promise<number> {
      const now = clock();
      const touched_at = now.toISOString();
      // A later time than now means that the clock was set back; the upload would otherwise keep its reservation too
      // long.
      await db('resumable_uploads').where('touched_at', '>', touched_at).update({ touched_at });
      const old = (await expired(now).limit(SWEEP_BATCH)) as UploadRow[];
      for (const row of old) await runExclusive(row.id, () => abandon(row));
      return old.length;
    },

    /** One request at a time per upload. */
    locker: createLocks(processes),

    /** Releases what is held in memory; every upload can be resumed later. */
    stop: sums.stop,
  };
}
export type Resumable = ReturnType<typeof createResumable>;
