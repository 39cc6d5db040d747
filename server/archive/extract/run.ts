import type { Audit } from '#server/audit/service.ts';
import type { DeferredWrites } from '#server/db/deferred-writes.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import { isCommitUnknown, storageFailure } from '#server/http/storage-failure.ts';
import type { JobData } from '#server/jobs/contract.ts';
import { rootClsidRange, executableKind } from '#server/scanning/executables.ts';
import type { JobWork } from '#server/jobs/kinds.ts';
import type { Knex } from 'knex';
import type { Records } from '#server/records/service.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import type { ExtractionFacts } from '../contract.ts';
import { requireReadable } from '../read/content.ts';
import { readDirectory } from '../read/directory.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan.ts';
import { ArchiveRefused } from '../read/refusal.ts';
import { choose } from '../read/selection.ts';
import { blobSource } from '../read/source.ts';
import { discard, unpack } from './unpack.ts';

/** The input of an extraction job. */
export interface ExtractionInput {
  item_id: number;
  entries: string[] | null;
  /** Whether a password was given; the password itself is not stored here. */
  locked: boolean;
  /** Whether the archive is deleted once all of its contents are in the drive, unless it has earlier versions. */
  replace: boolean;
}

/** The passwords of running extractions. */
export interface Passwords {
  of(work: Pick<JobWork, 'id' | 'sealed'>): string | undefined;
  forget(id: number): void;
}

export interface ExtractingDependencies {
  audit: Audit;
  documents: Pick<Documents, 'openFile' | 'reserve' | 'addTree'>;
  records: Pick<Records, 'release' | 'isFile'>;
  db: Knex;
  /** Gives a reservation back in the end, although the database is away just now. */
  deferred: Pick<DeferredWrites, 'write'>;
  blobs: BlobStore;
  /** Puts a program into quarantine; called before any file refers to the blob. */
  holdProgram: (firmId: number, blob: StoredBlob, name: string, source: 'office') => Promise<boolean>;
}

/**
 * Unpacks one archive: checks its directory, reserves storage, writes the blobs, and then adds all items and completes the job in one
 * transaction. Before that transaction nothing is visible, and a failure deletes the blobs; after it the job cannot fail.
 */
export function createExtractionRun(
  { db, deferred, audit, documents, records, blobs, holdProgram }: ExtractingDependencies,
  passwords: Passwords,
) {
  async function extract(work: JobWork, input: ExtractionInput): Promise<{ message: string; data: JobData }> {
    const { signal, report } = work;
    // Extractions are always started by a user.
    const actor = work.actor!;
    const password = passwords.of(work);
    if (input.locked && password === undefined) throw passwordLost();
    const file = await documents.openFile(actor, input.item_id);
    const facts: Partial<ExtractionFacts> = { item_id: file.item.id, file_name: file.name };
    const show = (message: string, progress = 0, more: Partial<ExtractionFacts> = {}) =>
      report({ message, progress, data: { ...work.data, ...Object.assign(facts, more) } });

    show('Reading the list of contents');
    const source = blobSource(blobs, file.blob_id, file.size);
    let reservation: number | undefined;
    try {
      const plan = selectEntries(await planOf(await readDirectory(source)), input.entries);
      const { skipped, skippedCount: skipped_count, bytes: bytes_total } = plan;
      const [files, folders] = [plan.files.length, plan.folders.length];
      show('Checking the contents', 0, { skipped, skipped_count, bytes_total, files, folders });
      for (const { entry } of plan.files) requireReadable(entry, password);
      if (files + folders === 0) throw nothingToUnpack(plan);
      // What is skipped is nowhere but in the archive.
      const replace = input.replace && skipped_count === 0;
      const addedBytes = Math.max(0, bytes_total - (replace ? file.size : 0));
      // Assigned before the commit, whose answer may be lost with the connection.
      const reserved = await db.transaction(
        async (trx) => (reservation = await documents.reserve(trx, actor, addedBytes)),
      );

      let done = 0;
      const progress = (bytes: number): void => {
        done += bytes;
        const share = bytes_total === 0 ? 0 : (98 * done) / bytes_total;
        show(`Unpacking: ${formatBytes(done)} of ${formatBytes(bytes_total)}`, share, { bytes_done: done });
      };
      /** Indexes of files that begin like a program, or like an archive in which installers hide programs. */
      const suspects: number[] = [];
      const onHead = (index: number, head: Buffer) => {
        if (executableKind(head) || rootClsidRange(head)) suspects.push(index);
      };
      const unpacking = { source, blobs, password, signal, progress, onHead };
      const stored = await unpack(
        plan.files.map(({ entry }) => entry),
        unpacking,
      );
      for (const index of suspects)
        await holdProgram(actor.firmId, stored[index]!, plan.files[index]!.name, 'office');
      show('Adding the files to the drive', 99);
      const name = file.name.replace(/\.zip$/i, '');
      const tree = {
        name,
        folders: plan.folders,
        // `splice` frees the plan's entries, of which there may be 65,536.
        files: plan.files.splice(0).map(({ name, type, folder, entry }, n) => ({
          name,
          type,
          folder,
          blob: stored[n]!,
          original_at: entry.modified,
        })),
      };
      const unpacked = replace ? file.blob_id : null;
      const target = { beside: input.item_id, replace: unpacked, reservation: reserved };
      let end = { message: '', data: work.data };
      await discardUnlessAdded(stored, () =>
        documents.addTree(actor, target, tree, signal, async (trx, { id, name, parent_id }, removed) => {
          const created = { folder_id: id, folder_name: name, parent_id };
          end = {
            message:
              summary({ files, folders, skipped: skipped_count }, name) +
              (input.replace && !removed ? KEPT : ''),
            data: { ...work.data, ...facts, ...created },
          };
          await work.settle(trx, end);
          const detail = {
            name: file.name,
            into: name,
            files,
            folders,
            bytes: bytes_total,
            skipped: skipped_count,
          };
          await audit.record(trx, {
            actor,
            did: 'archive.extract',
            subject: `item:${input.item_id}`,
            detail,
            concerns: { items: [input.item_id, id], parents: [parent_id] },
          });
        }),
      );
      return end;
    } finally {
      source.close();
      const reserved = reservation;
      if (reserved !== undefined)
        await deferred.write(() => db.transaction((trx) => records.release(trx, reserved)));
    }
  }

  /** Runs `add`, which inserts the rows of the blobs. If it fails the blobs are deleted. */
  async function discardUnlessAdded(
    stored: readonly StoredBlob[],
    add: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await add();
    } catch (error) {
      // An error during the commit does not tell whether it succeeded.
      const first = stored[0]?.id;
      const committed = isCommitUnknown(error) || (first !== undefined && (await records.isFile(first)));
      if (!committed) await discard(blobs, stored);
      throw error;
    }
  }

  return async (work: JobWork): Promise<{ message: string; data: JobData }> => {
    const input = work.input as unknown as ExtractionInput;
    try {
      return await extract(work, input);
    } catch (error) {
      const failure = explain(error, work.signal);
      if (input.replace && failure instanceof AppError && failure.status !== 404) failure.message += KEPT;
      throw failure;
    } finally {
      passwords.forget(work.id);
    }
  };
}

function selectEntries(plan: Plan, entries: string[] | null): Plan {
  if (!entries) return plan;
  const selected = choose(plan, entries);
  if (!selected)
    throw new AppError(422, 'no_entry', 'What you chose is not in this ZIP. Open it again and choose anew.');
  return selected;
}

function nothingToUnpack({ skippedCount, skipped }: Plan): ArchiveRefused {
  const message =
    skippedCount === 0
      ? 'This ZIP is empty, so there was nothing to unpack.'
      : `Nothing in this ZIP can be kept here. ${skipped[0]!.path}: ${skipped[0]!.reason}`;
  return new ArchiveRefused('nothing', message);
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en-IN')} ${noun}${count === 1 ? '' : 's'}`;

const KEPT = ' The ZIP file was kept.';

/** Such as `Extracted 212 files into "GSTR-3B". 3 skipped.` */
function summary(count: { files: number; folders: number; skipped: number }, name: string): string {
  const { files, folders, skipped } = count;
  const what = files > 0 ? plural(files, 'file') : plural(folders, 'empty folder');
  const left = skipped > 0 ? ` ${skipped.toLocaleString('en-IN')} skipped.` : '';
  return `Extracted ${what} into "${name}".${left}`;
}

const passwordLost = () =>
  new AppError(
    409,
    'password_needed',
    'The server was restarted while this ZIP was being unpacked. Start again and enter its password once more.',
  );

const GONE = 'The ZIP was deleted while it was being unpacked, so nothing was unpacked.';

/** Turns a failure into an error message for the user. */
function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof Error)) return error;
  if (error instanceof ArchiveRefused) return appError(error, 422, error.code, error.message);
  if (error instanceof AppError && error.status === 404) return appError(error, 404, 'not_found', GONE);
  if (error.name === 'BlobMissing') return appError(error, 404, 'not_found', GONE);
  if (error.name === 'BlobCorrupt') {
    const message = 'This ZIP is damaged on the server. Ask your administrator to restore it from a backup.';
    return appError(error, 500, 'damaged_here', message);
  }
  return storageFailure(error, 'nothing was unpacked');
}

const appError = (cause: Error, status: number, code: string, message: string): AppError =>
  Object.assign(new AppError(status, code, message), { cause });
