import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Collecting } from '#server/collecting/service.ts';
import type { BulkResult } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, forbidden, notFound } from '#server/http/errors.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Records } from '#server/records/service.ts';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, PutBlob, StoredBlob } from '#storage/blobs.ts';
import { HEAD_BYTES } from '#storage/blobs.ts';
import { isInstaller, rootClsidRange, executableKind } from './executables.ts';
import type { Scanner, Verdict } from './clamd.ts';
import type { Decision, QuarantineState, QuarantineView, Source } from './contract.ts';
import { scannerDownEmail, tooLargeEmail, virusEmail, programEmail } from './emails.ts';
import type { Quarantine, QuarantineRow } from './quarantine.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Larger files are scanned in the background, and held back meanwhile. */
const INLINE_SCAN_MAX_BYTES = 64 * 1024 * 1024;
/** Admins are notified when the scanner has not responded for this long. */
const NOTIFY_AFTER_MS = 10 * MINUTE_MS;
/** Files per run of the recurring job. */
const BATCH = 200;
/** Pauses between attempts; the last one repeats. */
const RETRY_PAUSES_MS = [15_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

/** A stored content, with its first bytes if known. */
export type Scanned = Pick<PutBlob, 'id' | 'size'> & Partial<Pick<PutBlob, 'head'>>;

interface ScanningDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  /** The unguarded store: the scanner reads what others may not. */
  blobs: BlobStore;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  quarantine: Quarantine;
  documents: Pick<Documents, 'views' | 'remove'>;
  trash: { remove(actor: Actor, ids: readonly number[]): Promise<BulkResult> };
  records: Pick<Records, 'knownBlobs'>;
  /** Files sent by links that are not in the drive yet. */
  collecting: () => Pick<Collecting, 'unfiled' | 'dropUnfiled'>;
  /** Queues the text of a released file to be read. */
  readAgain: (firmId: number, sha256: string) => Promise<void>;
  /** Notifies the firm's screens that its quarantine changed. */
  changed: (firmId: number) => void;
  /** Null if no scanner is set up. */
  scanner: Scanner | null;
  /** Whether uploads by the firm's own users are scanned too. */
  all: boolean;
  baseUrl: string;
}

/** Scans incoming files for viruses before anybody can open them. */
export function createScanning(dependencies: ScanningDependencies) {
  const { db, clock, log, blobs, audit, mail, quarantine, documents, scanner, all } = dependencies;

  const adminsOf = (trx: Knex.Transaction, firmId: number): Promise<{ name: string; email: string }[]> =>
    trx('users').where({ firm_id: firmId, role: 'admin', deactivated_at: null }).select('name', 'email');

  async function notifyAdmins(
    trx: Knex.Transaction,
    firmId: number,
    email: (to: Parameters<typeof virusEmail>[0]) => ReturnType<typeof virusEmail>,
  ): Promise<void> {
    const { name: firm } = (await trx('firms').where({ id: firmId }).first('name')) as { name: string };
    for (const admin of await adminsOf(trx, firmId))
      await mail.send(trx, email({ admin, firm, firmId, baseUrl: dependencies.baseUrl }));
  }

  /** Releases a file: everybody who sees it may open it. */
  async function liftQuarantine(row: QuarantineRow): Promise<void> {
    await db('quarantined_blobs').where({ blob_id: row.blob_id }).delete();
    await quarantine.forget(row.blob_id);
    const item: { sha256: string } | undefined = await db('items')
      .where({ blob_id: row.blob_id })
      .first('sha256');
    if (item) await dependencies.readAgain(row.firm_id, item.sha256);
  }

  async function applyVerdict(row: QuarantineRow, verdict: Verdict): Promise<void> {
    if (verdict.state === 'clean') return liftQuarantine(row);
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
      await notifyAdmins(trx, firm_id, (to) =>
        found ? virusEmail(to, { name, found }) : tooLargeEmail(to, { name, bytes: Number(row.bytes) }),
      );
    });
  }

  /** @returns whether the scanner responded. */
  async function scan(row: QuarantineRow): Promise<boolean> {
    if (!scanner) return false;
    let verdict: Verdict;
    try {
      verdict = await scanner.scan(() => blobs.get(row.blob_id));
    } catch (error) {
      log.warn({ err: error }, 'the virus scanner did not look at a file, which is held back');
      const pause = RETRY_PAUSES_MS[Math.min(row.tries, RETRY_PAUSES_MS.length - 1)]!;
      const next_try_at = new Date(clock().getTime() + pause).toISOString();
      await db('quarantined_blobs')
        .where({ blob_id: row.blob_id })
        .update({ tries: row.tries + 1, next_try_at });
      return false;
    }
    await applyVerdict(row, verdict);
    return true;
  }

  const due = () => {
    const now = clock();
    const latest = new Date(now.getTime() + RETRY_PAUSES_MS.at(-1)!).toISOString();
    // A later time than the longest pause means that the clock was set back.
    return db('quarantined_blobs')
      .where({ state: 'waiting' })
      .where((of) => of.where('next_try_at', '<=', now.toISOString()).orWhere('next_try_at', '>', latest));
  };

  /** Notifies the admins once about files that have waited long. */
  async function notifyOfWaiting(): Promise<void> {
    const since = new Date(clock().getTime() - NOTIFY_AFTER_MS).toISOString();
    const unnotified = (of: Knex.QueryBuilder) =>
      of.where({ state: 'waiting', told_at: null }).where('created_at', '<=', since);
    const firms: number[] = await unnotified(db('quarantined_blobs')).distinct().pluck('firm_id');
    for (const firm_id of firms)
      await db.transaction(async (trx) => {
        const told_at = clock().toISOString();
        const files = await unnotified(trx('quarantined_blobs').where({ firm_id })).update({ told_at });
        if (files > 0) await notifyAdmins(trx, firm_id, (to) => scannerDownEmail(to, files));
      });
  }

  /** Deletes rows of files that were never filed, or have been deleted since. */
  async function deleteObsolete(): Promise<void> {
    const before = new Date(clock().getTime() - DAY_MS).toISOString();
    const old: string[] = await db('quarantined_blobs').where('created_at', '<', before).pluck('blob_id');
    for (let start = 0; start < old.length; start += BATCH) {
      const batch = old.slice(start, start + BATCH);
      const existing = await dependencies.records.knownBlobs(batch);
      for (const blob_id of batch.filter((id) => !existing.has(id))) {
        await db('quarantined_blobs').where({ blob_id }).delete();
        await quarantine.forget(blob_id);
      }
    }
  }

  function requireTeamManager(actor: Actor): void {
    if (!may(actor, 'team.manage')) throw forbidden();
  }

  async function heldFile(actor: Actor, id: string): Promise<QuarantineRow> {
    requireTeamManager(actor);
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

  const readBytes = async ({ id, size }: Pick<StoredBlob, 'id' | 'size'>, start: number, end: number) =>
    start >= size ? Buffer.alloc(0) : buffer(await blobs.get(id, { start, end: Math.min(end, size) - 1 }));

  /** The kind of program; null for none. */
  async function programOf(blob: Scanned): Promise<string | null> {
    const head = blob.head ?? (await readBytes(blob, 0, HEAD_BYTES));
    const clsid = rootClsidRange(head);
    if (clsid && isInstaller(await readBytes(blob, clsid.start, clsid.end))) return 'an installer of Windows';
    return executableKind(head);
  }

  /**
   * Puts programs into quarantine, with or without a scanner. Call it like `receive`.
   * @returns whether the file is a program.
   */
  async function holdProgram(firmId: number, blob: Scanned, name: string, source: Source): Promise<boolean> {
    const found = await programOf(blob);
    if (found === null) return false;
    const now = clock().toISOString();
    // A request that is repeated after a failure brings the same content again.
    const isNew = await db.transaction(async (trx) => {
      const row = { ...rowOf(firmId, blob, name, source), state: 'program', found, told_at: now };
      const added = await trx('quarantined_blobs')
        .insert(row)
        .onConflict('blob_id')
        .ignore()
        .returning('blob_id');
      if (added.length === 0) return false;
      await audit.record(trx, { firmId, did: 'scanning.program', detail: { name, found } });
      await notifyAdmins(trx, firmId, (to) => programEmail(to, { name, found }));
      return true;
    });
    if (isNew) await quarantine.put({ blob_id: blob.id, state: 'program' });
    return true;
  }

  /** Drops a file that was sent by a link and is not in the drive yet. @returns false where there is none. */
  async function removeArriving(
    actor: Actor,
    id: string,
    detail: { name: string; reason: string },
  ): Promise<boolean> {
    const isDropped = await db.transaction(async (trx) => {
      if (!(await dependencies.collecting().dropUnfiled(trx, actor.firmId, id))) return false;
      await trx('quarantined_blobs').where({ blob_id: id }).delete();
      await audit.record(trx, { actor, did: 'scanning.delete', detail });
      return true;
    });
    if (isDropped) await quarantine.forget(id);
    return isDropped;
  }

  const itemOf = async (blobId: string): Promise<number | undefined> =>
    (await db('items').where({ blob_id: blobId }).first('id'))?.id;

  return {
    /**
     * Call for a stored content before any item refers to it: nobody can open it until the scanner reports it clean.
     * Never rejects for a verdict or an unreachable scanner.
     */
    async receive(firmId: number, blob: Scanned, name: string, source: Source): Promise<void> {
      if (await holdProgram(firmId, blob, name, source)) return;
      if (!scanner || (source === 'office' && !all)) return;
      const row = await hold(firmId, blob, name, source);
      if (blob.size <= INLINE_SCAN_MAX_BYTES) await scan(row);
    },

    holdProgram,

    /**
     * As `receive`, for a file sent from outside that is not in the drive yet: it is filed only once it is clean or
     * an admin has released it.
     */
    async inspect(
      firmId: number,
      blob: Pick<StoredBlob, 'id' | 'size'>,
      name: string,
    ): Promise<'clean' | 'away' | { infected: string }> {
      const scanRow = { blob_id: blob.id, firm_id: firmId };
      const before: QuarantineRow | undefined = await db('quarantined_blobs').where(scanRow).first();
      if (before?.state === 'released') return 'clean';
      if (before?.state === 'too_large') return 'away';
      if (!before) await hold(firmId, blob, name, 'outside');
      await scan(before ?? (await db('quarantined_blobs').where(scanRow).first()));
      const after: QuarantineRow | undefined = await db('quarantined_blobs').where(scanRow).first();
      if (!after) return 'clean';
      if (after.state !== 'infected') return 'away';
      // Infected files from outside are not stored, so there is nothing to decide.
      await db('quarantined_blobs').where(scanRow).delete();
      return { infected: after.found ?? name };
    },

    /** Whether a file is due to be scanned. */
    waiting: async (): Promise<boolean> => scanner !== null && (await due().first('blob_id')) !== undefined,

    /** Scans waiting files, oldest first, while the scanner responds. @returns how many. */
    async work(signal?: AbortSignal): Promise<number> {
      let done = 0;
      const rows: QuarantineRow[] = await due().orderBy('created_at').limit(BATCH);
      const firms = new Set<number>();
      for (const row of rows) {
        if (signal?.aborted || !(await scan(row))) break;
        firms.add(row.firm_id);
        done += 1;
      }
      for (const firm of firms) dependencies.changed(firm);
      await notifyOfWaiting();
      await deleteObsolete();
      return done;
    },

    /** The quarantine, newest first. @throws {AppError} 403. */
    async list(actor: Actor): Promise<QuarantineView> {
      requireTeamManager(actor);
      await deleteObsolete();
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
      const arriving = await dependencies.collecting().unfiled(
        actor.firmId,
        rows.map(({ blob_id }) => blob_id),
      );
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
        const place = item && { id: item.id, parent_id: item.parent_id, client_name: item.client_name };
        return {
          id: blob_id,
          name: item?.name ?? name,
          bytes,
          state,
          found: virus,
          source,
          created_at,
          item: place ?? null,
          is_arriving: arriving.has(blob_id),
        };
      });
      return { scanning: scanner !== null, all, files };
    },

    /** Releases a file to everybody who sees it, whatever the verdict. @throws {AppError} 403, 404. */
    async release(actor: Actor, id: string, { reason }: Decision): Promise<void> {
      const row = await heldFile(actor, id);
      const item = await itemOf(id);
      await audit.recordAlone({
        actor,
        did: 'scanning.release',
        ...(item !== undefined && { subject: `item:${item}` }),
        detail: { name: row.name, reason, ...(row.found && { found: row.found }) },
      });
      await liftQuarantine(row);
      dependencies.changed(actor.firmId);
      // A file that is not in the drive yet is filed at its next inspection.
      if (item === undefined) await db('quarantined_blobs').insert({ ...row, state: 'released' });
    },

    /** Deletes the file permanently, bypassing Trash. @throws {AppError} 403, 404; 409 when it must be kept. */
    async remove(actor: Actor, id: string, { reason }: Decision): Promise<void> {
      const row = await heldFile(actor, id);
      const item = await itemOf(id);
      const detail = { name: row.name, reason, ...(row.found && { found: row.found }) };
      if (item === undefined && (await removeArriving(actor, id, detail))) return;
      if (item === undefined)
        throw new AppError(
          409,
          'not_a_file',
          'This is an earlier version of a file, or lies in Trash. Delete it there: nobody can open it meanwhile.',
        );
      const moved = await documents.remove(actor, [item]);
      const deleted = await dependencies.trash.remove(actor, [item]);
      // Without Trash the file is deleted by now: its failure in Trash has no code.
      const kept = moved.failed[0] ?? deleted.failed.find(({ code }) => code !== undefined);
      if (kept) throw new AppError(409, 'must_stay', kept.message);
      await audit.recordAlone({ actor, did: 'scanning.delete', detail });
      await db('quarantined_blobs').where({ blob_id: id }).delete();
    },
  };
}
export type Scanning = ReturnType<typeof createScanning>;
