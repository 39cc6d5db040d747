import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { createVisitorForms } from '#server/links/visitor-forms.ts';
import { senderActor } from './actor.ts';
import type { ArrivalView, BoundPhotos, Door, FormFile, Sender, Taken, Verdict } from './contract.ts';
import { cannotReceive, doorClosed, refused, tooMany } from './errors.ts';
import { createSenderRequests } from './sender-requests.ts';
import { createFiling } from './filing.ts';
import type { ReceivedFile, RecordedArrival } from './intake.ts';
import { createIntake, hideQuota } from './intake.ts';
import { createKinds } from './kinds.ts';
import type { ArrivalRow } from './model.ts';
import { toView, toViews } from './model.ts';
import type { CollectingDependencies, DoorKind } from './dependencies.ts';
import { receiveForm } from './receive.ts';
import { discardFailedUpload } from '../uploads/failures.ts';
import { createUploading } from './uploading.ts';
import { answerTry, fileTry, guessTry } from './rate-limits.ts';

export type { CollectingDependencies, DoorKind, FilingTarget } from './dependencies.ts';

/** The maximum size of a form without its files. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
const parsePositiveInteger = (text: string | undefined): number | null =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null;
const parseBatchId = (text: string | undefined): string | null =>
  /^[\w-]{8,64}$/.test(text ?? '') ? text! : null;

const slotsOf = (db: Knex, doors: readonly string[]): Knex.QueryBuilder<object, number[]> =>
  db('arrivals').whereIn('door', doors).whereNotNull('slot').distinct('slot').pluck('slot');

/**
 * Files that people outside a firm send by a link: requests and drop links. A kind of link decides what may be sent
 * and where it goes; this room receives the bytes, detects their type, and files them into the drive, where they
 * never replace anything.
 */
export function createCollecting(dependencies: CollectingDependencies) {
  const { db, clock, blobs, documents, resumable, records, limits } = dependencies;
  const kinds = createKinds();
  const intake = createIntake(dependencies, kinds);
  const filing = createFiling(dependencies, kinds);
  const forms = createVisitorForms(dependencies.secret, 'collect form');
  /** Bytes of forms in progress that are not recorded yet, by link and by firm. */
  const coming = new Map<string, number>();
  const addComing = (key: string, bytes: number): void => {
    const sum = (coming.get(key) ?? 0) + bytes;
    if (sum > 0) coming.set(key, sum);
    else coming.delete(key);
  };

  /** The metadata that the sender may set. */
  const parseMetadata = (fields: Record<string, string>) => ({
    slot: parsePositiveInteger(fields['row']),
    batch: parseBatchId(fields['batch']),
    position: Math.min(parsePositiveInteger(fields['position']) ?? 0, 1_000_000),
    original_at: fields['original_at'] ?? null,
  });

  /** Files a recorded arrival unless it has to wait; a failure is retried later. */
  async function fileIfReady({ ready, ...taken }: RecordedArrival): Promise<Taken> {
    if (ready === null) return taken;
    await filing.one(ready).catch((error: unknown) => {
      dependencies.log.warn({ err: error }, 'what was sent by a link could not be filed at once; it is kept');
    });
    const row: ArrivalRow | undefined = await db('arrivals').where({ id: ready }).first();
    if (row?.state === 'refused') throw refused(row.reason === 'infected' ? 'infected' : 'closed');
    return { ...taken, arrival: row ? toView(row) : taken.arrival };
  }

  /** Records a stored blob that nothing references yet; on failure the blob is deleted. */
  async function take(door: Door, incoming: ReceivedFile): Promise<Taken> {
    let noted: RecordedArrival;
    try {
      const note = await intake.look(door.key, incoming);
      noted = await db.transaction(note);
    } catch (error) {
      await discardFailedUpload(dependencies, incoming.blob.id, error);
      throw error;
    }
    return fileIfReady(noted);
  }

  /** @throws on a failure of the server; a refused file is a result like others. */
  async function takeOrRefuse(door: Door, incoming: ReceivedFile): Promise<FormFile> {
    const { slot, name } = incoming;
    try {
      return { slot, name, taken: await take(door, incoming) };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { slot, name, code: error.code };
    }
  }

  /** The links with uploads in progress that accept nothing any more, whatever has closed them. */
  async function closedInUse(of: { door?: string; firm_id?: number } = {}): Promise<string[]> {
    const inUse: string[] = await db('resumable_uploads')
      .where({ ...of, finished_at: null })
      .whereNotNull('door')
      .distinct()
      .pluck('door');
    const closed: string[] = [];
    for (const door of inUse) if (!(await kinds.find(db, door))) closed.push(door);
    return closed;
  }

  const collecting = {
    /** Registers a kind of link; its name is the first word of its doors' keys. */
    kind: (name: string, kind: DoorKind): void => kinds.add(name, kind),

    formOf: forms.formOf,
    isOurs: forms.isOurs,
    /** Counts an invalid address. @throws {AppError} 429. */
    noteGuess: async ({ ip }: Pick<Sender, 'ip'>): Promise<void> => limits.check(guessTry(ip)),
    /** Counts an answer without a file. @throws {AppError} 429. */
    noteAnswer: async (door: string, { ip }: Pick<Sender, 'ip'>): Promise<void> =>
      limits.check(answerTry(door, ip)),

    /** The files received through the link, in the order of arrival. */
    async arrivals(db: Knex, door: string): Promise<ArrivalView[]> {
      const rows: ArrivalRow[] = await db('arrivals').where({ door }).orderBy('id');
      return toViews(rows);
    },

    /** Ids of the filed items, by link. */
    async filed(db: Knex, doors: readonly string[]): Promise<Map<string, number[]>> {
      const rows: { door: string; item_id: number }[] = await db('arrivals')
        .whereIn('door', doors)
        .where({ state: 'filed' })
        .whereNotNull('item_id')
        .distinct('door', 'item_id');
      const by = Map.groupBy(rows, ({ door }) => door);
      return new Map([...by].map(([door, some]) => [door, some.map(({ item_id }) => item_id)]));
    },

    /** The slots of files in the drive about which the office has decided nothing. */
    async undecided(db: Knex, doors: readonly string[]): Promise<Set<number>> {
      return new Set(await slotsOf(db, doors).where({ state: 'filed', superseded: 0 }).whereNull('judged'));
    },

    /** The slots of received files that were not sent back, in the drive already or not yet. */
    async kept(db: Knex, doors: readonly string[]): Promise<Set<number>> {
      const isKept = (of: Knex.QueryBuilder) => of.whereNull('judged').orWhereNot({ judged: 'returned' });
      return new Set(await slotsOf(db, doors).whereNot({ state: 'refused' }).where(isKept));
    },

    /** Records what the office has decided about these files, or had decided at `at`; `judged: null` takes a decision back. */
    async judge(
      trx: Knex.Transaction,
      files: readonly Pick<ArrivalView, 'id'>[],
      { judged, reason = null, at }: { judged: Verdict | null; reason?: string | null; at?: string | null },
    ): Promise<void> {
      const judged_at = judged && (at ?? clock().toISOString());
      await trx('arrivals')
        .whereIn(
          'id',
          files.map(({ id }) => id),
        )
        .update({ judged, judged_reason: reason, judged_at, superseded: judged === 'returned' ? 1 : 0 });
    },

    /** Takes back every decision about the files of a link that is deleted, since nobody can afterwards. */
    forgetJudged: (trx: Knex.Transaction, door: string): Promise<unknown> =>
      trx('arrivals')
        .where({ door })
        .whereNotNull('judged')
        .update({ judged: null, judged_reason: null, judged_at: null, superseded: 0 }),

    /** The upload store for tus, for one sender. @throws {AppError} 404, 422, 429. */
    uploadsOf: (door: Door, { ip, cookie }: Sender) => ({
      ...resumable,
      async begin(
        _actor: unknown,
        upload: { id: string; name: string; size: number; fields: Record<string, string> },
      ): Promise<void> {
        await limits.check(fileTry(door.key, ip));
        const { slot } = parseMetadata(upload.fields);
        if (!Number.isSafeInteger(upload.size) || upload.size <= 0) throw refused('empty');
        // In the inserting transaction: uploads that begin at the same time count for each other, and none begins after the link
        // has ended and its uploads are cancelled.
        const check = async (trx: Knex.Transaction) => {
          if (!(await kinds.find(trx, door.key))) throw doorClosed();
          await intake.admit(trx, door, slot, upload.size, await intake.uploadsInProgress(trx, door));
        };
        await resumable.beginUnchecked(senderActor(door, cookie), upload, check).catch((error: unknown) => {
          throw hideQuota(error);
        });
      },
    }),

    /**
     * Records a resumable upload once all its bytes are received: files it, or keeps it for its batch. A refused
     * upload is deleted. @returns null while bytes are missing.
     * @throws {AppError} 404, 410, 422.
     */
    async settle(door: Door, { cookie }: Sender, id: string): Promise<Taken | null> {
      const actor = senderActor(door, cookie);
      const before = await intake.byUpload(id);
      if (before) {
        if (before.door !== door.key) throw doorClosed();
        return { arrival: toView(before), again: false };
      }
      let noted: RecordedArrival | null;
      try {
        noted = await resumable.handOver(actor, id, ({ name, fields, blob }) =>
          intake.look(door.key, { ...parseMetadata(fields), name, blob, upload_id: id }),
        );
      } catch (error) {
        const final = error instanceof AppError && [404, 422].includes(error.status);
        if (final) await resumable.cancel(actor, id).catch(() => {});
        throw error;
      }
      return noted && fileIfReady(noted);
    },

    /**
     * Accepts the files of a plain form; several photos for one slot become one PDF.
     * @param slot of all files; `row-7` as the name of its field decides for each file without it.
     * @param ours throws unless the form comes from one of our pages.
     * @param onFields gets all fields, also those after the files, once the form is complete.
     * @throws {AppError} 400, 404, 408, 413, 415, 422, 429.
     */
    async takeForm(
      door: Door,
      { ip, slot: only }: { ip: string; slot?: number | null },
      request: IncomingMessage,
      ours: (fields: Record<string, string>) => void,
      onFields: (fields: Record<string, string>) => void = () => {},
    ): Promise<FormFile[]> {
      const ofFirm = `firm:${door.firmId}`;
      let [left, free, pending] = [Infinity, Infinity, 0];
      const count = (bytes: number) => {
        pending += bytes;
        for (const key of [door.key, ofFirm]) addComing(key, bytes);
      };
      try {
        const { files, fields } = await receiveForm(request, {
          blobs,
          fileBytes: door.allows.file,
          admit: async (fields, hasFiles) => {
            ours(fields);
            await limits.check(fileTry(door.key, ip));
            if (only !== undefined) left = await intake.admit(db, door, only, 0);
            // A slot that takes nothing more must not refuse the files for others.
            else if (hasFiles) left = await intake.requireRoom(db, door, 0);
            left += FORM_OVERHEAD_BYTES;
            // The files of a form reserve no storage until they are recorded.
            free = (await documents.free(db, door.firmId)) + FORM_OVERHEAD_BYTES;
          },
          piece: (bytes) => {
            count(bytes);
            if (coming.get(door.key)! > left) throw tooMany();
            if (coming.get(ofFirm)! > free) throw cannotReceive();
          },
        });
        onFields(fields);
        const slotOf = (field: string) =>
          only === undefined ? parsePositiveInteger(/^row-(.*)$/.exec(field)?.[1]) : only;
        const bySlot = Map.groupBy(files, ({ field }) => slotOf(field));
        const batches = new Map(
          [...bySlot].map(([slot, some]) => [slot, some.length > 1 ? randomUUID() : null]),
        );
        const results: FormFile[] = [];
        try {
          for (const [position, { field, name, blob }] of files.entries()) {
            const slot = slotOf(field);
            const batch = batches.get(slot) ?? null;
            const incoming = { name, slot, batch, position, upload_id: null, original_at: null };
            results.push(
              blob ? await takeOrRefuse(door, { ...incoming, blob }) : { slot, name, code: 'file_too_large' },
            );
            // From now on the database counts these bytes.
            if (blob) count(-blob.size);
          }
        } catch (error) {
          // Nothing refers to the files after the one that failed.
          for (const { blob } of files.slice(results.length + 1)) if (blob) await blobs.delete(blob.id);
          throw error;
        }
        for (const [slot, batch] of batches) if (batch !== null) await filing.batch(door.key, slot, batch);
        return results;
      } finally {
        count(-pending);
      }
    },

    /** Combines the photos of a batch into PDFs, and files them. @throws {AppError} 404, 409. */
    async bind(door: Door, slot: number | null, batch: string): Promise<BoundPhotos> {
      const mark = parseBatchId(batch);
      if (mark === null) throw doorClosed();
      return { unread: await filing.batch(door.key, slot, mark) };
    },

    /** Deletes a photo that is not yet part of a document. @throws {AppError} 404. */
    async takeBack(door: Door, id: number): Promise<void> {
      await db.transaction(async (trx) => {
        const arrivalRow = { id, door: door.key, state: 'staged' };
        const row: ArrivalRow | undefined = await trx('arrivals')
          .where(arrivalRow)
          .whereNotNull('batch')
          .first();
        if (!row) throw doorClosed();
        await trx('arrivals').where(arrivalRow).delete();
        if (row.blob_id !== null) await records.discard(trx, [row.blob_id], clock());
        if (row.reservation_id !== null) await records.release(trx, row.reservation_id);
      });
    },

    /**
     * Moves a file to Trash, which its sender takes back; whether that may be is for the kind of link to say.
     * @param pages all arrivals of the file. @throws {AppError} 403 when it may not be deleted.
     */
    async withdraw(
      trx: Knex.Transaction,
      door: Door,
      { cookie }: Pick<Sender, 'cookie'>,
      pages: readonly Pick<ArrivalView, 'id' | 'item_id'>[],
    ): Promise<void> {
      const actor = senderActor(door, cookie, 'documents.delete');
      await documents.takeBackWithin(trx, actor, pages[0]!.item_id!);
      await trx('arrivals')
        .whereIn(
          'id',
          pages.map(({ id }) => id),
        )
        .update({ state: 'refused', reason: 'taken_back' });
    },

    /**
     * Cancels the uploads in progress through links that accept nothing any more, and releases their storage. Call it after whatever may
     * close a link: its own end, that of its client, or the firm's settings. @returns the number of links.
     */
    async cancelClosed(of?: { door?: string; firm_id?: number }): Promise<number> {
      const doors = await closedInUse(of);
      for (const door of doors) await resumable.cancelAllThrough(door);
      return doors.length;
    },
    anyClosed: async (): Promise<boolean> => (await closedInUse()).length > 0,

    /** The same for a link that goes on under a new address. */
    cancelUploads: (door: string): Promise<void> => resumable.cancelAllThrough(door),

    /** Files everything that a link has accepted, before the link is deleted. */
    finish: (door: string): Promise<void> => filing.all(door),

    unfiled: filing.unfiled,
    dropUnfiled: filing.dropUnfiled,
    due: filing.due,
    work: filing.again,
    stop: dependencies.paper.stop,
  };
  return {
    ...collecting,
    coming: createSenderRequests(forms.isOurs),
    handleUpload: createUploading(collecting),
  };
}
export type Collecting = ReturnType<typeof createCollecting>;
