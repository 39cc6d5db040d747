import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { actorOf } from './actor.ts';
import type { ArrivalView, Door, Sender, Taken } from './contract.ts';
import { closedDoor, refused, tooMany } from './errors.ts';
import { createComing } from './coming.ts';
import { createFiling } from './filing.ts';
import type { Incoming, Noted } from './intake.ts';
import { createIntake, untold } from './intake.ts';
import { createKinds } from './kinds.ts';
import type { ArrivalRow } from './model.ts';
import { toView } from './model.ts';
import type { CollectingParts, DoorKind } from './parts.ts';
import { receiveForm } from './receive.ts';
import { createUploading } from './uploading.ts';
import { answerTry, createForms, fileTry, guessTry } from './rate-limits.ts';

export type { CollectingParts, DoorKind, Inspection, Place } from './parts.ts';

/** What became of one file of a plain form. */
export type FormFile = { name: string } & ({ taken: Taken } | { code: string });

/** Bytes of a form that are no file's. */
const AROUND_FILES = 1024 * 1024;
const wholeNumber = (text: string | undefined): number | null =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null;
const markOf = (text: string | undefined): string | null => (/^[\w-]{8,64}$/.test(text ?? '') ? text! : null);

/**
 * What people outside of a firm send in by a link: requests, drop links. A kind of link says what may come and where it
 * goes; this room receives the bytes, looks at what they are, and puts them into the drive, where they never replace
 * anything.
 */
export function createCollecting(parts: CollectingParts) {
  const { db, clock, blobs, resumable, records, limits } = parts;
  const kinds = createKinds();
  const intake = createIntake(parts, kinds);
  const filing = createFiling(parts, kinds);
  const forms = createForms(parts.secret);
  /** Bytes of forms that are coming by each link just now. */
  const coming = new Map<string, number>();

  /** What an upload says of itself, as far as it is for the sender to say. */
  const saidIn = (fields: Record<string, string>) => ({
    slot: wholeNumber(fields['row']),
    batch: markOf(fields['batch']),
    position: Math.min(wholeNumber(fields['position']) ?? 0, 1_000_000),
    original_at: fields['original_at'] ?? null,
  });

  /** Files what was noted, if it need not wait; what fails now is tried again by itself. */
  async function settled({ ready, ...taken }: Noted): Promise<Taken> {
    if (ready === null) return taken;
    await filing.one(ready).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'what was sent by a link could not be filed at once; it is kept');
    });
    const row: ArrivalRow | undefined = await db('arrivals').where({ id: ready }).first();
    if (row?.state === 'refused') throw refused(row.reason === 'infected' ? 'infected' : 'closed');
    return { ...taken, arrival: row ? toView(row) : taken.arrival };
  }

  /** Bytes that are stored, and nobody's yet. */
  async function take(door: Door, incoming: Incoming): Promise<Taken> {
    let noted: Noted;
    try {
      const note = await intake.look(door.key, incoming);
      noted = await db.transaction(note);
    } catch (error) {
      if (!(await records.knownBlobs([incoming.blob.id])).has(incoming.blob.id))
        await blobs.delete(incoming.blob.id);
      throw error;
    }
    return settled(noted);
  }

  const collecting = {
    /** Says what a kind of link lets in; its name is the first word of its doors' keys. */
    kind: (name: string, kind: DoorKind): void => kinds.add(name, kind),

    formOf: forms.formOf,
    isOurs: forms.isOurs,
    /** Counts an address that leads nowhere. @throws {AppError} 429. */
    noteGuess: async ({ ip }: Pick<Sender, 'ip'>): Promise<void> => limits.check(guessTry(ip)),
    /** Counts what is said by a link without a file. @throws {AppError} 429. */
    noteAnswer: async (door: string, { ip }: Pick<Sender, 'ip'>): Promise<void> =>
      limits.check(answerTry(door, ip)),

    /** What has come by the link, in the order in which it came. */
    async arrivals(db: Knex, door: string): Promise<ArrivalView[]> {
      const rows: ArrivalRow[] = await db('arrivals')
        .where({ door })
        .whereNot('state', 'refused')
        .orderBy('id');
      return rows.map(toView);
    },

    /** Ids of the files in the drive that have come by each of these links. */
    async filed(db: Knex, doors: readonly string[]): Promise<Map<string, number[]>> {
      const rows: { door: string; item_id: number }[] = await db('arrivals')
        .whereIn('door', doors)
        .whereNotNull('item_id')
        .distinct('door', 'item_id');
      const by = Map.groupBy(rows, ({ door }) => door);
      return new Map([...by].map(([door, some]) => [door, some.map(({ item_id }) => item_id)]));
    },

    /** The same file, sent again for the same thing, counts as a new one from now on. */
    async supersede(trx: Knex.Transaction, door: string, slot: number | null): Promise<void> {
      await trx('arrivals').where({ door, slot }).update({ superseded: 1 });
    },

    /** The uploads of one sender, as tus asks for them. @throws {AppError} 404, 422, 429. */
    uploadsOf: (door: Door, { ip, cookie }: Sender) => ({
      ...resumable,
      async begin(
        _actor: unknown,
        upload: { id: string; name: string; size: number; fields: Record<string, string> },
      ): Promise<void> {
        await limits.check(fileTry(door.key, ip));
        const { slot } = saidIn(upload.fields);
        if (!Number.isSafeInteger(upload.size) || upload.size <= 0) throw refused('empty');
        await intake.admit(db, door, slot, upload.size, await intake.underWay(db, door));
        await resumable.beginElsewhere(actorOf(door, cookie), upload).catch((error: unknown) => {
          throw untold(error);
        });
      },
    }),

    /**
     * What an upload has become, once all its bytes are there: in the drive, or waiting for the photographs that belong
     * to it. What is refused is given up. @returns null while bytes are missing.
     * @throws {AppError} 404, 410, 422.
     */
    async settle(door: Door, { cookie }: Sender, id: string): Promise<Taken | null> {
      const actor = actorOf(door, cookie);
      const before = await intake.byUpload(id);
      if (before) {
        if (before.door !== door.key) throw closedDoor();
        return { arrival: toView(before), again: false };
      }
      let noted: Noted | null;
      try {
        noted = await resumable.handOver(actor, id, ({ name, fields, blob }) =>
          intake.look(door.key, { ...saidIn(fields), name, blob, upload_id: id }),
        );
      } catch (error) {
        const final = error instanceof AppError && (error.status === 422 || error.code === 'link_gone');
        if (final) await resumable.cancel(actor, id).catch(() => {});
        throw error;
      }
      return noted && settled(noted);
    },

    /**
     * Takes the files of a plain form, of which several photographs become one PDF.
     * @param ours whether the form is a page's of ours, by its fields.
     * @throws {AppError} 400, 404, 408, 413, 415, 429.
     */
    async takeForm(
      door: Door,
      { ip, slot }: { ip: string; slot: number | null },
      request: IncomingMessage,
      ours: (fields: Record<string, string>) => void,
    ): Promise<FormFile[]> {
      let [left, came] = [Infinity, 0];
      const { files } = await receiveForm(request, {
        blobs,
        fileBytes: door.allows.file,
        admit: async (fields) => {
          ours(fields);
          await limits.check(fileTry(door.key, ip));
          left = (await intake.admit(db, door, slot, 0)) + AROUND_FILES;
        },
        piece: (bytes) => {
          came += bytes;
          coming.set(door.key, (coming.get(door.key) ?? 0) + bytes);
          if (coming.get(door.key)! > left) throw tooMany();
        },
      }).finally(() => {
        const others = coming.get(door.key)! - came;
        if (others > 0) coming.set(door.key, others);
        else coming.delete(door.key);
      });
      const batch = files.length > 1 ? randomUUID() : null;
      const told: FormFile[] = [];
      for (const [position, { name, blob }] of files.entries()) {
        if (!blob) told.push({ name, code: 'file_too_large' });
        else {
          const incoming = { name, blob, slot, batch, position, upload_id: null, original_at: null };
          told.push(
            await take(door, incoming).then(
              (taken) => ({ name, taken }),
              (error: unknown) => {
                if (!(error instanceof AppError) || error.status >= 500) throw error;
                return { name, code: error.code };
              },
            ),
          );
        }
      }
      if (batch !== null) await filing.batch(door.key, slot, batch);
      return told;
    },

    /** Makes one PDF of the photographs that bear a mark, and files it. @throws {AppError} 404, 409. */
    async bind(door: Door, slot: number | null, batch: string): Promise<ArrivalView[]> {
      const mark = markOf(batch);
      if (mark === null) throw closedDoor();
      await filing.batch(door.key, slot, mark);
      const rows: ArrivalRow[] = await db('arrivals')
        .where({ door: door.key, slot, batch: mark })
        .orderBy('position');
      return rows.map(toView);
    },

    /** Takes a photograph back that is not yet part of a document. @throws {AppError} 404. */
    async takeBack(door: Door, id: number): Promise<void> {
      await db.transaction(async (trx) => {
        const own = { id, door: door.key, state: 'staged' };
        const row: ArrivalRow | undefined = await trx('arrivals').where(own).whereNotNull('batch').first();
        if (!row) throw closedDoor();
        await trx('arrivals').where(own).delete();
        if (row.blob_id !== null) await records.discard(trx, [row.blob_id], clock());
        if (row.reservation_id !== null) await records.release(trx, row.reservation_id);
      });
    },

    /** Files all that a link has let in, before the link is taken away. */
    finish: (door: string): Promise<void> => filing.all(door),

    due: filing.due,
    work: filing.again,
    stop: parts.paper.stop,
  };
  return { ...collecting, coming: createComing(forms.isOurs), speak: createUploading(collecting) };
}
export type Collecting = ReturnType<typeof createCollecting>;
