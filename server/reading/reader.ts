import { Readable as Source } from 'node:stream';
import type { Logger } from 'pino';
import { putText, removeTexts } from '#server/db/document-text.ts';
import type { Knex } from 'knex';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { LOWEST_PRIORITY, createSandbox, FAULTS } from '#server/sandbox/sandbox.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from './content.ts';
import type { TextRefusal } from './contract.ts';
import { indexEntry } from './index-entry.ts';
import type { TextKeys } from './keys.ts';
import type { ReadingResult, Claimed, ReadingQueue } from './queue.ts';
import { ATTEMPTS, EMPTY_RESULT } from './queue.ts';
import type { PdfPasswords } from './locked/passwords.ts';
import type { Outdated, OutdatedTexts } from './outdated.ts';
import type { ReadResponse, ReadRequest } from './readers/contract.ts';
import { createRenewal } from './renew.ts';
import type { ScanQueue } from './ocr/queue.ts';
import { endOfTimeSlice, readWaiting } from './time-slice.ts';

/** The largest file that is read: a larger one is usually a scan or a film. */
const FILE_MAX_BYTES = 100 * 1024 * 1024;
const LIMITS: Partial<SandboxLimits> = {
  milliseconds: 60_000,
  bytes: 900 * 1024 * 1024,
  heapMb: 640,
  idleMs: 10_000,
  nice: LOWEST_PRIORITY,
};

/** Stored texts checked per query. */
const CHECK_BATCH = 200;

const REASONS: Record<string, TextRefusal> = {
  [FAULTS.time]: 'time',
  [FAULTS.memory]: 'memory',
  [FAULTS.crash]: 'crash',
};
type Text = Extract<ReadResponse, { packed: Uint8Array }>;
const isOutdated = (file: Claimed): file is Outdated => file.text !== undefined;

/** Stores what is recognised in documents. */
export interface RecognisedStore {
  /**
   * Prepares to store what was recognised, replacing the earlier result of the content; null for nothing.
   * @returns a function that stores it within a transaction, where no other connection may be used.
   */
  prepare(
    content: Pick<Claimed, 'id' | 'firm_id' | 'sha256'>,
    recognised: Recognised | null,
  ): Promise<(trx: Knex.Transaction) => Promise<void>>;
  /** Whether a user has confirmed or corrected values of a content. */
  isAnswered(content: Pick<Claimed, 'firm_id' | 'sha256'>): Promise<boolean>;
  /** Whether something else is stored of a content than what was recognised now. */
  differs(content: Pick<Claimed, 'id' | 'firm_id'>, recognised: Recognised | null): Promise<boolean>;
  /** Notifies open screens; called after the transaction. */
  notify(content: Pick<Claimed, 'firm_id' | 'sha256'>): Promise<void>;
}

/**
 * Reads files one after another in a sandboxed process of the lowest priority. A file that kills the process is tried
 * once more in a process of its own, and is then refused with the reason.
 */
export function createReader(dependencies: {
  queue: ReadingQueue;
  outdated: OutdatedTexts;
  keys: TextKeys;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  limits?: Partial<SandboxLimits>;
  recognised?: RecognisedStore;
  scans: ScanQueue;
  passwords: Pick<PdfPasswords, 'candidates' | 'store' | 'known'> | null;
  /** Whether pages that are pictures are read, too. */
  scansToo: boolean;
}) {
  const { queue, outdated, keys, blobs, log, recognised, scans } = dependencies;
  const sandbox = createSandbox<ReadRequest, ReadResponse>(new URL('./readers/process.ts', import.meta.url), {
    ...LIMITS,
    ...dependencies.limits,
  });

  /** Stores the result of a reading with everything that depends on it. @returns whether it was still wanted. */
  async function settle(
    file: Claimed,
    result: ReadingResult,
    recognisedIn: Recognised | null = null,
    index = (trx: Knex.Transaction) => removeTexts(trx, [file.id]),
    picturePages: readonly number[] = [],
  ): Promise<boolean> {
    const storeRecognised = await recognised?.prepare(file, recognisedIn);
    const settled = await queue.settle(file, result, async (trx) => {
      await index(trx);
      await storeRecognised?.(trx);
      if (dependencies.scansToo && result.kind === 'page') await scans.enqueue(trx, file.id, picturePages);
    });
    if (settled) await recognised?.notify(file);
    return settled;
  }

  async function refuse(file: Claimed, reason: TextRefusal, why: string): Promise<void> {
    log.info({ item: file.item_id, reason, why }, 'the text of a file cannot be read');
    if (isOutdated(file)) return outdated.keep(file);
    await settle(file, { ...EMPTY_RESULT, state: 'refused', reason });
  }

  async function store(file: Claimed, text: Text): Promise<void> {
    const { kind, count: pages, without, unscanned, characters, cut, sure } = text;
    const facts = { ...EMPTY_RESULT, kind, pages, without, characters, cut, sure };
    if (text.sequence.length === 0) {
      await settle(file, { ...facts, state: 'no_text' }, text.recognised, undefined, unscanned);
      return;
    }
    const entry = await indexEntry(file.id, text, await keys.hasherOf(file.firm_id));
    const blob = await blobs.put(Source.from([Buffer.from(text.packed)]));
    const result: ReadingResult = { ...facts, state: 'read', blob_id: blob.id };
    const index = (trx: Knex.Transaction) => putText(trx, entry);
    const isStored = await settle(file, result, text.recognised, index, unscanned).catch(
      async (error: unknown) => {
        await blobs.delete(blob.id);
        throw error;
      },
    );
    // The file was deleted or replaced while it was read.
    if (!isStored) await blobs.delete(blob.id);
  }

  /** The passwords to try on a content, each with the client whose it is. */
  async function passwordsFor({ firm_id, sha256, file_type, clients }: Claimed) {
    const found = new Map<string, number | null>();
    if (file_type !== 'pdf' || !dependencies.passwords) return found;
    for (const client of clients.length > 0 ? clients : [null])
      for (const password of await dependencies.passwords.candidates(firm_id, sha256, client))
        if (!found.has(password)) found.set(password, client);
    return found;
  }

  /** Stores a password that was found. One that was known stays with the client for whose document it was entered. */
  async function rememberFound(
    { firm_id, sha256 }: Claimed,
    password: string,
    for_client: number | null,
  ): Promise<void> {
    if ((await dependencies.passwords?.known(firm_id, sha256)) === password) return;
    await dependencies.passwords?.store(firm_id, sha256, { password, for_client });
  }

  async function read(file: Claimed, signal: AbortSignal): Promise<void> {
    // Every allowed attempt crashed the whole server.
    if (file.attempt > ATTEMPTS) return refuse(file, 'crash', 'the server ended while it was read');
    if (file.size > FILE_MAX_BYTES) return refuse(file, 'too_large', `${file.size} bytes`);
    const bytes = await contentOf(blobs, file);
    if (!bytes) return refuse(file, 'damaged', 'its bytes are damaged or lost');
    const isRetry = file.attempt > 1;
    if (isRetry) sandbox.stop();
    const scanned = await scans.scannedOf(file.id);
    const byPassword = await passwordsFor(file);
    const passwords = [...byPassword.keys()];
    const request = { bytes, fileType: file.file_type, scanned, passwords, isRetry };
    const outcome = await sandbox.run(request, ownerOf(file), signal);
    if (isRetry) sandbox.stop();
    if ('packed' in outcome && outcome.password !== null) {
      const password = passwords[outcome.password]!;
      await rememberFound(file, password, byPassword.get(password) ?? null);
    }
    if ('packed' in outcome) return store(file, outcome);
    if ('refused' in outcome) return refuse(file, outcome.refused, outcome.why);
    const fault = 'fault' in outcome ? outcome.fault : FAULTS.crash;
    if (isRetry) return refuse(file, REASONS[fault] ?? 'crash', fault);
    log.info({ item: file.item_id, why: fault }, 'a file is to be read once more, alone');
    return undefined;
  }

  const renewal = createRenewal({ outdated, blobs, keys, recognised, read });
  /** New files go first, before each text of an earlier version. */
  const both = {
    claim: async (): Promise<Claimed | null> => (await queue.claim()) ?? outdated.claim(),
    unclaim: (file: Claimed) => (isOutdated(file) ? outdated.unclaim(file) : queue.unclaim(file)),
  };

  /** Whether stored texts were checked since the start of the server: backups are without them. */
  let isChecked = false;

  /** Queues contents again whose stored texts are missing, as after a restore. */
  async function enqueueLostTexts(signal: AbortSignal): Promise<void> {
    let after = 0;
    for (;;) {
      const texts = await queue.stored(after, CHECK_BATCH);
      const exists = await Promise.all(texts.map(({ blob_id }) => blobs.has(blob_id)));
      const lost = texts.filter((_, index) => !exists[index]).map(({ id }) => id);
      if (lost.length > 0) await queue.enqueueLost(lost);
      // If none of a batch is lost, none is: texts are lost all together.
      if (texts.length < CHECK_BATCH || lost.length === 0 || signal.aborted) break;
      after = texts.at(-1)!.id;
    }
    if (dependencies.scansToo) await scans.enqueueSkipped();
    isChecked = true;
  }

  return {
    /** Whether stored texts are still to be checked. */
    needsCheck: (): boolean => !isChecked,

    /** Deletes obsolete texts and reads what waits, then what an earlier version has read, for one time slice. @returns how many were processed. */
    async work(signal: AbortSignal): Promise<number> {
      const until = endOfTimeSlice();
      if (!isChecked) await enqueueLostTexts(signal);
      let count = 0;
      for (let n = await queue.deleteGone(); n > 0 && !signal.aborted; n = await queue.deleteGone())
        count += n;
      const readOrRenew = (file: Claimed) =>
        isOutdated(file) ? renewal.renew(file, signal) : read(file, signal);
      return count + (await readWaiting(both, readOrRenew, signal, until));
    },

    /** Ends the processes until the next file. */
    stop(): void {
      sandbox.stop();
      renewal.stop();
    },
  };
}
