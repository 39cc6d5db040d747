import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { repairName } from '#server/text/file-names.ts';
import { isStorageFailure } from '#server/http/storage-failure.ts';
import type { StoredBlob } from '#storage/blobs.ts';
import { BlobMissing } from '#storage/blobs.ts';
import { senderActor } from './actor.ts';
import type { Door, Reason } from './contract.ts';
import { PHOTOS_PER_PDF, photosName } from './contract.ts';
import type { Kinds } from './kinds.ts';
import type { ArrivalRow } from './model.ts';
import { discardFailedUpload } from '../uploads/failures.ts';
import { sensibleName } from './names.ts';
import type { CollectingDependencies, DoorKind } from './dependencies.ts';

const MINUTE = 60_000;
/** Photos whose sender has left become a PDF after this time. */
const BATCH_ABANDONED_AFTER_MS = 20 * MINUTE;
/** Files that could not be filed, because the server stopped or the scanner was away, are retried after this time. */
const RETRY_AFTER_MS = MINUTE;
/**
 * Files whose bytes are missing from the store count as lost after this time, counted from the start of the server: until then they may come
 * back, as with a disk that was not mounted.
 */
const LOST_AFTER_MS = 7 * 24 * 60 * MINUTE;
const BATCH_SIZE = 50;

/** A file for the drive, with the arrivals that it consists of. */
interface DriveFile {
  name: string | null;
  blob: StoredBlob;
  rows: ArrivalRow[];
  original_at: string | null;
}

/** Files staged arrivals into the drive: each file by itself, the photos of one document as one PDF. */
export function createFiling(dependencies: CollectingDependencies, kinds: Kinds) {
  const { db, clock, log, blobs, documents, records, paper } = dependencies;
  const busy = new Map<string, Promise<void>>();
  /** When the blobs of arrivals were first found missing, by arrival. */
  const missingSince = new Map<number, number>();

  const blobOf = (row: ArrivalRow): StoredBlob => ({
    id: row.blob_id!,
    size: Number(row.size),
    sha256: row.sha256,
    crc32: row.crc32 ?? 0,
  });

  /** @returns false for one that was filed or refused in the meantime. */
  async function drop(trx: Knex.Transaction, row: ArrivalRow, reason: Reason): Promise<boolean> {
    const was = { id: row.id, state: row.state, blob_id: row.blob_id };
    const refused = { state: 'refused', reason, blob_id: null, reservation_id: null };
    if ((await trx('arrivals').where(was).update(refused)) === 0) return false;
    if (row.blob_id !== null) await records.discard(trx, [row.blob_id], clock());
    if (row.reservation_id !== null) await records.release(trx, row.reservation_id);
    return true;
  }

  /** Scans rows for viruses. @returns the clean ones; the others are held or refused. */
  async function keepClean(rows: readonly ArrivalRow[]): Promise<ArrivalRow[]> {
    if (!dependencies.inspect) return [...rows];
    const clean: ArrivalRow[] = [];
    for (const row of rows) {
      const verdict = await dependencies.inspect(
        row.firm_id,
        { id: row.blob_id!, size: Number(row.size) },
        row.name,
      );
      if (verdict === 'clean') clean.push(row);
      else if (verdict === 'away') {
        const touched_at = clock().toISOString();
        // Another worker may have filed it during the scan.
        const unfiled = db('arrivals').where({ id: row.id }).whereIn('state', ['staged', 'held']);
        await unfiled.update({ state: 'held', touched_at });
      } else {
        await db.transaction(async (trx) => {
          await drop(trx, row, 'infected');
          const door = await kinds.find(trx, row.door);
          const detail = { name: row.name, virus: verdict.infected };
          const by = door ? { actor: senderActor(door, '') } : { firmId: row.firm_id };
          const concerns = door ? { items: [], clients: [door.clientId] } : undefined;
          await dependencies.audit.record(trx, { ...by, did: 'request.infected', detail, concerns });
        });
      }
    }
    return clean;
  }

  /**
   * Keeps rows whose blob exists. After a restored backup, some may be missing: they are refused when they have been for days.
   * @throws {BlobMissing} before that, so that all of the unit waits.
   */
  async function keepStored(rows: readonly ArrivalRow[]): Promise<ArrivalRow[]> {
    const there: ArrivalRow[] = [];
    const lost: ArrivalRow[] = [];
    let waitingFor: string | null = null;
    const now = clock().getTime();
    for (const row of rows) {
      const since = missingSince.get(row.id) ?? now;
      if (await blobs.has(row.blob_id!)) {
        missingSince.delete(row.id);
        there.push(row);
      } else if (now - since >= LOST_AFTER_MS) lost.push(row);
      else {
        missingSince.set(row.id, since);
        waitingFor = row.blob_id;
      }
    }
    if (waitingFor !== null) throw new BlobMissing(waitingFor);
    for (const row of lost) {
      await db.transaction((trx) => drop(trx, row, 'lost'));
      missingSince.delete(row.id);
    }
    return there;
  }

  /** The PDFs of photos come before those photos that could not be read, and each once the one before is in the drive. */
  async function* driveFilesOf(rows: ArrivalRow[], title: string): AsyncGenerator<DriveFile> {
    const unread: ArrivalRow[] = [];
    const isBatch = rows[0]?.batch != null;
    for (let start = 0; isBatch && start < rows.length; start += PHOTOS_PER_PDF) {
      const photos = rows.slice(start, start + PHOTOS_PER_PDF);
      const ids = photos.map(({ blob_id }) => blob_id!);
      const made = await paper.bundle(ids, title);
      const read = photos.filter((_, index) => !made.unread.includes(index));
      unread.push(...photos.filter((_, index) => made.unread.includes(index)));
      if (made.blob) yield { name: null, blob: made.blob, rows: read, original_at: null };
    }
    for (const row of isBatch ? unread : rows) {
      const { name, original_at } = row;
      yield { name, blob: blobOf(row), rows: [row], original_at };
    }
  }

  /** The door for arrivals whose link or client is deleted: an admin owns them, and they have no client. */
  async function fallbackDoor({ firm_id, door, sender }: ArrivalRow): Promise<Door | null> {
    const firm: { name: string } | undefined = await db('firms').where({ id: firm_id }).first('name');
    const owner: { id: number } | undefined = await db('users')
      .where({ firm_id, role: 'admin', deactivated_at: null })
      .orderBy('id')
      .first('id');
    if (!firm || !owner) return null;
    const allows = { file: 0, bytes: 0, files: 0 };
    const of = { firmId: firm_id, firm: firm.name, ownerId: owner.id, clientId: null };
    return { key: door, sender, allows, ...of };
  }

  /** How many PDFs were made of the batch. */
  async function pdfsOfBatch(trx: Knex.Transaction, { door, slot, batch }: ArrivalRow): Promise<number> {
    const row = await trx('arrivals')
      .where({ door, slot, batch })
      .countDistinct({ n: 'item_id' })
      .first<{ n: number }>();
    return Number(row?.n ?? 0);
  }

  async function addToDrive(
    trx: Knex.Transaction,
    door: Door,
    kind: DoorKind | null,
    piece: DriveFile,
  ): Promise<void> {
    const [first] = piece.rows;
    const actor = senderActor(door, '');
    const ids = piece.rows.map(({ id }) => id);
    const unfiled = await trx('arrivals')
      .whereIn('id', ids)
      .whereIn('state', ['staged', 'held'])
      .where({ batch: first!.batch })
      .pluck('id');
    // Another worker has filed or refused them in the meantime, or their sender sends them again with other photos.
    if (unfiled.length < ids.length)
      throw new AppError(409, 'taking', 'This is being added to the drive already.');
    const { asked, ...place } = kind
      ? await kind.place(trx, actor, door, first!.slot)
      : { asked: null, parent_id: null, client_id: null };
    for (const { reservation_id } of piece.rows)
      if (reservation_id !== null) await records.release(trx, reservation_id);
    const name =
      piece.name === null
        ? repairName(photosName((asked ?? 'Photos').slice(0, 180), 1 + (await pdfsOfBatch(trx, first!))))
        : sensibleName(piece.name, asked);
    const { blob, original_at } = piece;
    const item = await documents.addFileWithin(trx, actor, { name, ...place, blob, original_at });
    const replacedBlobs = piece.rows.map(({ blob_id }) => blob_id!).filter((id) => id !== blob.id);
    await records.discard(trx, replacedBlobs, clock());
    // One time for both: news of a file count what was filed since their beginning.
    const at = clock().toISOString();
    const filed = {
      state: 'filed',
      item_id: item.id,
      blob_id: null,
      reservation_id: null,
      // A photo that is no page stays a file of its own.
      ...(piece.name !== null && { batch: null }),
    };
    await trx('arrivals')
      .whereIn('id', ids)
      .update({ ...filed, touched_at: at });
    await kind?.filed(trx, actor, door, { slot: first!.slot, itemId: item.id, name: item.name, at });
  }

  /** Files the rows of one unit. Rows that cannot be filed now stay stored and are retried. */
  async function work(all: ArrivalRow[]): Promise<void> {
    const rows = await keepStored(all);
    const clean = await keepClean(rows);
    const [first] = clean;
    // A batch of photos waits until all of them are scanned.
    const held = await db('arrivals')
      .whereIn(
        'id',
        rows.map(({ id }) => id),
      )
      .where({ state: 'held' })
      .first('id');
    if (!first || (first.batch !== null && held && dependencies.inspect)) return;
    const linked = await kinds.find(db, first.door, { taken: true });
    const door = linked ?? (await fallbackDoor(first));
    if (!door) {
      await db.transaction(async (trx) => {
        for (const row of clean) await drop(trx, row, 'closed');
      });
      return;
    }
    for await (const piece of driveFilesOf(clean, door.firm)) {
      try {
        await db.transaction((trx) => addToDrive(trx, door, linked && kinds.of(door.key), piece));
      } catch (error) {
        const isPieceBlob = piece.rows.some(({ blob_id }) => blob_id === piece.blob.id);
        if (!isPieceBlob) await discardFailedUpload(dependencies, piece.blob.id, error);
        throw error;
      }
    }
  }

  const unitOf = ({ id, door, slot, batch }: ArrivalRow): string =>
    batch === null ? String(id) : `${door} ${slot} ${batch}`;

  /** Serialises the work on one unit. */
  async function settle(rows: ArrivalRow[]): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const unit = unitOf(first);
    const underway = busy.get(unit);
    if (underway) return underway;
    const doing = work(rows).finally(() => busy.delete(unit));
    busy.set(unit, doing);
    await doing;
  }

  /** `settle`, but what cannot be filed since its bytes are missing stays, to be tried again. */
  async function settleIfStored(rows: ArrivalRow[]): Promise<void> {
    await settle(rows).catch((error: unknown) => {
      if (!(error instanceof BlobMissing)) throw error;
      log.warn({ err: error }, 'the bytes of what was sent by a link are missing; it is tried again');
    });
  }

  const waiting = () => db('arrivals').whereIn('state', ['staged', 'held']).orderBy(['position', 'id']);

  /** Rows whose sender is no longer active, or whose retry is due. */
  const due = () => {
    const before = (ms: number) => new Date(clock().getTime() - ms).toISOString();
    // Those that were tried longest ago first: the rows that cannot be filed for days keep no others waiting.
    const longest = waiting().clearOrder().orderBy(['touched_at', 'position', 'id']);
    return longest.where((of) =>
      of
        .where((query) => query.whereNull('batch').where('touched_at', '<=', before(RETRY_AFTER_MS)))
        .orWhere((query) =>
          query.whereNotNull('batch').where('touched_at', '<=', before(BATCH_ABANDONED_AFTER_MS)),
        ),
    );
  };

  /** Rows that were touched later than now: the clock was set back, and none of them would be due for as long. */
  const ahead = () => waiting().clearOrder().where('touched_at', '>', clock().toISOString());

  return {
    /** @throws {AppError} 409 when another worker is filing it. */
    async one(id: number): Promise<void> {
      await settle((await waiting().where({ id })) as ArrivalRow[]);
    },

    /**
     * Combines the photos of a batch into one PDF, and files it.
     * @returns the names of those that could not be read and were filed as files of their own.
     */
    async batch(door: string, slot: number | null, batch: string): Promise<string[]> {
      const rows = (await waiting().where({ door, slot, batch })) as ArrivalRow[];
      await settleIfStored(rows);
      const ids = rows.map(({ id }) => id);
      const unread = db('arrivals').whereIn('id', ids).where({ state: 'filed', batch: null });
      return unread.orderBy(['position', 'id']).pluck('name');
    },

    /** Files everything that a link has accepted; call it before deleting the link. */
    async all(door: string): Promise<void> {
      const rows = (await waiting().where({ door })) as ArrivalRow[];
      for (const unit of Map.groupBy(rows, unitOf).values()) await settleIfStored(unit);
    },

    /** Which of these contents of the firm are files that are not in the drive yet. */
    async unfiled(firm_id: number, blobIds: readonly string[]): Promise<Set<string>> {
      const found = await waiting()
        .clearOrder()
        .where({ firm_id })
        .whereIn('blob_id', blobIds)
        .pluck('blob_id');
      return new Set(found as string[]);
    },

    /** Drops a file that is not in the drive yet, as the office has decided. @returns false where there is none. */
    async dropUnfiled(trx: Knex.Transaction, firm_id: number, blob_id: string): Promise<boolean> {
      const row: ArrivalRow | undefined = await waiting()
        .transacting(trx)
        .where({ firm_id, blob_id })
        .first();
      // To its sender it is a file that was not saved, whatever the scanner said.
      return row !== undefined && drop(trx, row, 'lost');
    },

    async due(): Promise<boolean> {
      return ((await due().first('id')) ?? (await ahead().first('id'))) !== undefined;
    },

    /**
     * Files due rows. @returns the number of units.
     * @throws when the bytes of some could not be read, after all were tried: admins see failures of recurring jobs.
     */
    async again(): Promise<number> {
      const unread: unknown[] = [];
      await ahead().update({ touched_at: clock().toISOString() });
      const rows = (await due().limit(BATCH_SIZE)) as ArrivalRow[];
      const units = Map.groupBy(rows, unitOf);
      for (const [unit, some] of units) {
        // Take the complete batch, including photos that arrived later.
        const [{ door, slot, batch }] = some as [ArrivalRow];
        const all = batch === null ? some : ((await waiting().where({ door, slot, batch })) as ArrivalRow[]);
        await settle(all).catch(async (error: unknown) => {
          if (error instanceof BlobMissing || isStorageFailure(error)) unread.push(error);
          log.warn(
            { err: error, unit },
            'what was sent by a link could not be filed; it is kept and tried again',
          );
          const touched_at = clock().toISOString();
          await db('arrivals')
            .whereIn(
              'id',
              all.map(({ id }) => id),
            )
            // Others of the unit may be filed, and keep the time of that.
            .whereIn('state', ['staged', 'held'])
            .update({ touched_at });
        });
      }
      if (unread.length > 0)
        throw new Error(
          `Of what was sent by links ${unread.length} cannot be filed, and is tried again. Is the disk of the files mounted, and has it room? The first: ${(unread[0] as Error).message}`,
          { cause: unread[0] },
        );
      return units.size;
    },
  };
}
export type Filing = ReturnType<typeof createFiling>;
