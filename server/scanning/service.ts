import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, forbidden, notFound } from '#server/http/errors.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Records } from '#server/records/service.ts';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, PutBlob, StoredBlob } from '#storage/blobs.ts';
import { HEAD_BYTES } from '#storage/blobs.ts';
import { isInstaller, rootClsidRange, executableKind } from '#server/sandbox/executables.ts';
import type { Scanner, Verdict } from './clamd.ts';
import type { Decision, QuarantineState, QuarantineView, Source } from './contract.ts';
import { awayEmail, foundEmail, programEmail } from './emails.ts';
import type { Quarantine, QuarantineRow } from './quarantine.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** What is larger is looked at beside the answering of requests, and held back meanwhile. */
const AT_ONCE_MAX = 64 * 1024 * 1024;
/** For so long the scanner may be away before anybody is told. */
const AWAY = 10 * MINUTE;
/** Files of one round of the recurring job. */
const ROUND = 200;
/** Between tries, the first, the second and so on; the last one repeats. */
const PAUSES = [15_000, MINUTE, 5 * MINUTE, 15 * MINUTE];

/** What has been stored, with its beginning where that is known. */
export type Scanned = Pick<PutBlob, 'id' | 'size'> & Partial<Pick<PutBlob, 'head'>>;

export interface ScanningParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  /** Not the guarded one: the scanner sees what others may not. */
  blobs: BlobStore;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  quarantine: Quarantine;
  documents: Pick<Documents, 'views' | 'remove'>;
  trash: { remove(actor: Actor, ids: readonly number[]): Promise<unknown> };
  records: Pick<Records, 'knownBlobs'>;
  /** Puts the text of what was released on the list of what is read. */
  readAgain: (firmId: number, sha256: string) => Promise<void>;
  /** Told of a firm once files of it are no longer held back, or for another reason. */
  changed: (firmId: number) => void;
  /** Null where no scanner is set up. */
  scanner: Scanner | null;
  /** Whether what the firm's own people upload is scanned too. */
  all: boolean;
  baseUrl: string;
}

/** Has what comes in looked at for viruses before anybody can open it. */
export function createScanning(parts: ScanningParts) {
  const { db, clock, log, blobs, audit, mail, quarantine, documents, scanner, all } = parts;

  const adminsOf = (trx: Knex.Transaction, firmId: number): Promise<{ name: string; email: string }[]> =>
    trx('users').where({ firm_id: firmId, role: 'admin', deactivated_at: null }).select('name', 'email');

  async function tell(
    trx: Knex.Transaction,
    firmId: number,
    email: (to: Parameters<typeof foundEmail>[0]) => ReturnType<typeof foundEmail>,
  ): Promise<void> {
    const { name: firm } = (await trx('firms').where({ id: firmId }).first('name')) as { name: string };
    for (const admin of await adminsOf(trx, firmId))
      await mail.send(trx, email({ admin, firm, firmId, baseUrl: parts.baseUrl }));
  }

  /** Nobody may open it any longer than this is not said. */
  async function letThrough(row: QuarantineRow): Promise<void> {
    await db('quarantined_blobs').where({ blob_id: row.blob_id }).delete();
    await quarantine.forget(row.blob_id);
    const item: { sha256: string } | undefined = await db('items')
      .where({ blob_id: row.blob_id })
      .first('sha256');
    if (item) await parts.readAgain(row.firm_id, item.sha256);
  }

  async function settle(row: QuarantineRow, verdict: Verdict): Promise<void> {
    if (verdict.state === 'clean') return letThrough(row);
    const { blob_id, firm_id, name } = row;
    const found = verdict.state === 'infected' ? verdict.found : null;
    await quarantine.put({ blob_id, state: verdict.state });
    return db.transaction(async (trx) => {
      const changed = await trx('quarantined_blobs')
        .where({ blob_id, state: 'waiting' })
        .update({ state: verdict.state, found, told_at: clock().toISOString() });
      if (changed === 0) return;
      const detail = { name, ...(found && { found }) };
      await audit.record(trx, { firmId: firm_id, did: `scanning.${verdict.state}`, detail });
      if (found) await tell(trx, firm_id, (to) => foundEmail(to, { name, found }));
    });
  }

  /** @returns whether the scanner has answered. */
  async function scan(row: QuarantineRow): Promise<boolean> {
    if (!scanner) return false;
    let verdict: Verdict;
    try {
      verdict = await scanner.scan(await blobs.get(row.blob_id));
    } catch (error) {
      log.warn({ err: error }, 'the virus scanner did not look at a file, which is held back');
      const pause = PAUSES[Math.min(row.tries, PAUSES.length - 1)]!;
      const next_try_at = new Date(clock().getTime() + pause).toISOString();
      await db('quarantined_blobs')
        .where({ blob_id: row.blob_id })
        .update({ tries: row.tries + 1, next_try_at });
      return false;
    }
    await settle(row, verdict);
    return true;
  }

  const due = () =>
    db('quarantined_blobs').where({ state: 'waiting' }).where('next_try_at', '<=', clock().toISOString());

  /** Tells the admins once of what has waited for long. */
  async function tellOfWaiting(): Promise<void> {
    const since = new Date(clock().getTime() - AWAY).toISOString();
    const untold = (of: Knex.QueryBuilder) =>
      of.where({ state: 'waiting', told_at: null }).where('created_at', '<=', since);
    const firms: number[] = await untold(db('quarantined_blobs')).distinct().pluck('firm_id');
    for (const firm_id of firms)
      await db.transaction(async (trx) => {
        const told_at = clock().toISOString();
        const files = await untold(trx('quarantined_blobs').where({ firm_id })).update({ told_at });
        if (files > 0) await tell(trx, firm_id, (to) => awayEmail(to, files));
      });
  }

  /** What was held back and then never put anywhere, or was deleted since. */
  async function forgetGone(): Promise<void> {
    const before = new Date(clock().getTime() - DAY).toISOString();
    const old: string[] = await db('quarantined_blobs').where('created_at', '<', before).pluck('blob_id');
    for (let at = 0; at < old.length; at += ROUND) {
      const some = old.slice(at, at + ROUND);
      const there = await parts.records.knownBlobs(some);
      for (const blob_id of some.filter((id) => !there.has(id))) {
        await db('quarantined_blobs').where({ blob_id }).delete();
        await quarantine.forget(blob_id);
      }
    }
  }

  function demand(actor: Actor): void {
    if (!may(actor, 'team.manage')) throw forbidden();
  }

  async function one(actor: Actor, id: string): Promise<QuarantineRow> {
    demand(actor);
    const row: QuarantineRow | undefined = await db('quarantined_blobs')
      .where({ blob_id: id, firm_id: actor.firmId })
      .first();
    if (!row || row.state === 'released') throw notFound('file');
    return row;
  }

  function rowOf(
    firmId: number,
    blob: Pick<StoredBlob, 'id' | 'size'>,
    name: string,
    source: Source,
  ): QuarantineRow {
    const now = clock().toISOString();
    return {
      blob_id: blob.id,
      firm_id: firmId,
      name,
      bytes: blob.size,
      state: 'waiting',
      found: null,
      source,
      tries: 0,
      next_try_at: now,
      told_at: null,
      created_at: now,
    };
  }

  async function hold(...of: Parameters<typeof rowOf>): Promise<QuarantineRow> {
    const row = rowOf(...of);
    await quarantine.put({ blob_id: row.blob_id, state: 'waiting' });
    await db('quarantined_blobs').insert(row).onConflict('blob_id').ignore();
    return row;
  }

  const bytesOf = async ({ id, size }: Pick<StoredBlob, 'id' | 'size'>, start: number, end: number) =>
    start >= size ? Buffer.alloc(0) : buffer(await blobs.get(id, { start, end: Math.min(end, size) - 1 }));

  /** What kind of program it is; null for none. */
  async function programOf(blob: Scanned): Promise<string | null> {
    const head = blob.head ?? (await bytesOf(blob, 0, HEAD_BYTES));
    const place = rootClsidRange(head);
    if (place && isInstaller(await bytesOf(blob, place.start, place.end))) return 'an installer of Windows';
    return executableKind(head);
  }

  /**
   * Holds back what is a program, with or without a scanner; to be called as `receive`.
   * @returns whether it is one.
   */
  async function holdProgram(firmId: number, blob: Scanned, name: string, source: Source): Promise<boolean> {
    const found = await programOf(blob);
    if (found === null) return false;
    const now = clock().toISOString();
    await quarantine.put({ blob_id: blob.id, state: 'program' });
    await db.transaction(async (trx) => {
      const row = { ...rowOf(firmId, blob, name, source), state: 'program', found, told_at: now };
      await trx('quarantined_blobs').insert(row).onConflict('blob_id').ignore();
      await audit.record(trx, { firmId, did: 'scanning.program', detail: { name, found } });
      await tell(trx, firmId, (to) => programEmail(to, { name, found }));
    });
    return true;
  }

  const itemOf = async (blobId: string): Promise<number | undefined> =>
    (await db('items').where({ blob_id: blobId }).first('id'))?.id;

  return {
    /**
     * To be called for what has just been stored, before any file refers to it: until the scanner has said that it is
     * clean, nobody can open it. Never rejects for what the scanner says, or because it is away.
     */
    async receive(firmId: number, blob: Scanned, name: string, source: Source): Promise<void> {
      if (await holdProgram(firmId, blob, name, source)) return;
      if (!scanner || (source === 'office' && !all)) return;
      const row = await hold(firmId, blob, name, source);
      if (blob.size <= AT_ONCE_MAX) await scan(row);
    },

    holdProgram,

    /**
     * As `receive`, for what somebody outside has sent and that is not in the drive yet: nothing is put there before it was
     * found clean, or an admin has released it.
     */
    async inspect(
      firmId: number,
      blob: Pick<StoredBlob, 'id' | 'size'>,
      name: string,
    ): Promise<'clean' | 'away' | { infected: string }> {
      const own = { blob_id: blob.id, firm_id: firmId };
      const before: QuarantineRow | undefined = await db('quarantined_blobs').where(own).first();
      if (before?.state === 'released') return 'clean';
      if (before?.state === 'too_large') return 'away';
      if (!before) await hold(firmId, blob, name, 'outside');
      await scan(before ?? (await db('quarantined_blobs').where(own).first()));
      const after: QuarantineRow | undefined = await db('quarantined_blobs').where(own).first();
      if (!after) return 'clean';
      if (after.state !== 'infected') return 'away';
      // It is not kept, so that there is nothing to decide about.
      await db('quarantined_blobs').where(own).delete();
      return { infected: after.found ?? name };
    },

    /** Whether something waits for the scanner. */
    waiting: async (): Promise<boolean> => scanner !== null && (await due().first('blob_id')) !== undefined,

    /** Has looked at what waits, the oldest first, as long as the scanner answers. @returns how many files. */
    async work(signal?: AbortSignal): Promise<number> {
      let done = 0;
      const rows: QuarantineRow[] = await due().orderBy('created_at').limit(ROUND);
      const firms = new Set<number>();
      for (const row of rows) {
        if (signal?.aborted || !(await scan(row))) break;
        firms.add(row.firm_id);
        done += 1;
      }
      for (const firm of firms) parts.changed(firm);
      await tellOfWaiting();
      await forgetGone();
      return done;
    },

    /** What is held back, the newest first. @throws {AppError} 403. */
    async list(actor: Actor): Promise<QuarantineView> {
      demand(actor);
      await forgetGone();
      const rows: (QuarantineRow & { state: QuarantineState })[] = await db('quarantined_blobs')
        .where({ firm_id: actor.firmId })
        .whereNot({ state: 'released' })
        .orderBy('created_at', 'desc')
        .limit(1000);
      const found: { id: number; blob_id: string }[] = await db('items')
        .whereIn(
          'blob_id',
          rows.map(({ blob_id }) => blob_id),
        )
        .select('id', 'blob_id');
      const views = new Map(
        (
          await documents.views(
            actor,
            found.map(({ id }) => id),
          )
        ).map((view) => [view.id, view]),
      );
      const itemOfBlob = new Map(found.map(({ id, blob_id }) => [blob_id, views.get(id)]));
      const files = rows.map(({ blob_id, name, bytes, state, found: virus, source, created_at }) => {
        const item = itemOfBlob.get(blob_id);
        const at = item && { id: item.id, parent_id: item.parent_id, client_name: item.client_name };
        return {
          id: blob_id,
          name: item?.name ?? name,
          bytes,
          state,
          found: virus,
          source,
          created_at,
          item: at ?? null,
        };
      });
      return { scanning: scanner !== null, all, files };
    },

    /** Lets everybody open it who sees it, whatever the scanner said. @throws {AppError} 403, 404. */
    async release(actor: Actor, id: string, { reason }: Decision): Promise<void> {
      const row = await one(actor, id);
      const item = await itemOf(id);
      await audit.recordAlone({
        actor,
        did: 'scanning.release',
        ...(item !== undefined && { subject: `item:${item}` }),
        detail: { name: row.name, reason, ...(row.found && { found: row.found }) },
      });
      await letThrough(row);
      parts.changed(actor.firmId);
      // What was not put into the drive yet goes there when it is asked about next.
      if (item === undefined) await db('quarantined_blobs').insert({ ...row, state: 'released' });
    },

    /** Deletes the file for good, past Trash. @throws {AppError} 403, 404; 409 when it has to stay. */
    async remove(actor: Actor, id: string, { reason }: Decision): Promise<void> {
      const row = await one(actor, id);
      const item = await itemOf(id);
      if (item === undefined)
        throw new AppError(
          409,
          'not_a_file',
          'This is an earlier version of a file, or lies in Trash. Delete it there: nobody can open it meanwhile.',
        );
      const { failed } = await documents.remove(actor, [item]);
      const [no] = failed;
      if (no) throw new AppError(409, 'must_stay', no.message);
      await parts.trash.remove(actor, [item]);
      const detail = { name: row.name, reason, ...(row.found && { found: row.found }) };
      await audit.recordAlone({ actor, did: 'scanning.delete', detail });
      await db('quarantined_blobs').where({ blob_id: id }).delete();
    },
  };
}
export type Scanning = ReturnType<typeof createScanning>;
