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
import { entryOf } from './index.ts';
import type { TextKeys } from './keys.ts';
import type { Came, Claimed, ReadingQueue } from './queue.ts';
import { ATTEMPTS, NOTHING } from './queue.ts';
import type { PdfPasswords } from './locked/passwords.ts';
import type { MadeText, ReadingOrder } from './readers/contract.ts';
import type { ScanQueue } from './ocr/queue.ts';
import { endOfShift, readWaiting } from './time-slice.ts';

/** Bytes of a file; a larger one is a scan or a film more often than a text. */
const READ_MAX = 100 * 1024 * 1024;
const LIMITS: Partial<SandboxLimits> = {
  milliseconds: 60_000,
  bytes: 900 * 1024 * 1024,
  heapMb: 640,
  idleMs: 10_000,
  // Behind everything else that the machine does.
  nice: LOWEST_PRIORITY,
};

/** Texts of which it is looked at once whether they are there. */
const LOOKED_AT = 200;

const REASONS: Record<string, TextRefusal> = {
  [FAULTS.time]: 'time',
  [FAULTS.memory]: 'memory',
  [FAULTS.crash]: 'crash',
};
type Text = Extract<MadeText, { packed: Uint8Array }>;

/** Who keeps what was recognised in documents. */
export interface RecognisedKeeper {
  /**
   * Makes ready to keep it, in the place of what was recognised in the content before; null for nothing.
   * @returns what keeps it within a transaction, where no other connection could be had.
   */
  prepare(
    content: Pick<Claimed, 'id' | 'firm_id' | 'sha256'>,
    recognised: Recognised | null,
  ): Promise<(trx: Knex.Transaction) => Promise<void>>;
  /** Tells open screens of it; called once it is kept. */
  tell(content: Pick<Claimed, 'firm_id' | 'sha256'>): Promise<void>;
}

/**
 * Has files read one after another, by a process that stands back behind everything else. What kills the process is
 * tried once more with one of its own, and is then left alone, with the reason.
 */
export function createReader(use: {
  queue: ReadingQueue;
  keys: TextKeys;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  limits?: Partial<SandboxLimits>;
  recognised?: RecognisedKeeper;
  scans: ScanQueue;
  passwords: Pick<PdfPasswords, 'candidates' | 'keep'> | null;
  /** Whether pages that are pictures are read, too. */
  scansToo: boolean;
}) {
  const { queue, keys, blobs, log, recognised, scans } = use;
  const sandbox = createSandbox<ReadingOrder, MadeText>(new URL('./readers/process.ts', import.meta.url), {
    ...LIMITS,
    ...use.limits,
  });

  /** Notes what came of a reading, with what goes along with it. @returns whether it was still wanted. */
  async function settle(
    file: Claimed,
    came: Came,
    found: Recognised | null = null,
    index = (trx: Knex.Transaction) => removeTexts(trx, [file.id]),
    pictures: readonly number[] = [],
  ): Promise<boolean> {
    const keep = await recognised?.prepare(file, found);
    const settled = await queue.settle(file, came, async (trx) => {
      await index(trx);
      await keep?.(trx);
      if (use.scansToo && came.kind === 'page') await scans.want(trx, file.id, pictures);
    });
    if (settled) await recognised?.tell(file);
    return settled;
  }

  async function refuse(file: Claimed, reason: TextRefusal, why: string): Promise<void> {
    log.info({ item: file.item_id, reason, why }, 'the text of a file cannot be read');
    await settle(file, { ...NOTHING, state: 'refused', reason });
  }

  async function keep(file: Claimed, text: Text): Promise<void> {
    const { kind, count: pages, without, unscanned, characters, cut, sure } = text;
    const facts = { ...NOTHING, kind, pages, without, characters, cut, sure };
    if (text.sequence.length === 0) {
      await settle(file, { ...facts, state: 'no_text' }, text.recognised, undefined, unscanned);
      return;
    }
    const entry = await entryOf(file.id, text, await keys.hasherOf(file.firm_id));
    const blob = await blobs.put(Source.from([Buffer.from(text.packed)]));
    const came: Came = { ...facts, state: 'read', blob_id: blob.id };
    const index = (trx: Knex.Transaction) => putText(trx, entry);
    const kept = await settle(file, came, text.recognised, index, unscanned).catch(async (error: unknown) => {
      await blobs.delete(blob.id);
      throw error;
    });
    // Deleted or replaced while it was read.
    if (!kept) await blobs.delete(blob.id);
  }

  async function read(file: Claimed, signal: AbortSignal): Promise<void> {
    // It was begun as often as it may be, and each time the whole server went down.
    if (file.attempt > ATTEMPTS) return refuse(file, 'crash', 'the server ended while it was read');
    if (file.size > READ_MAX) return refuse(file, 'too_large', `${file.size} bytes`);
    const bytes = await contentOf(blobs, file);
    if (!bytes) return refuse(file, 'damaged', 'its bytes are damaged or lost');
    const again = file.attempt > 1;
    if (again) sandbox.stop();
    const scanned = await scans.scannedOf(file.id);
    const passwords =
      file.file_type === 'pdf' && use.passwords
        ? await use.passwords.candidates(file.firm_id, file.sha256, file.client_id)
        : [];
    const order = { bytes, fileType: file.file_type, scanned, passwords, again };
    const outcome = await sandbox.run(order, ownerOf(file), signal);
    if (again) sandbox.stop();
    if ('packed' in outcome && outcome.password !== null)
      await use.passwords?.keep(file.firm_id, file.sha256, {
        password: passwords[outcome.password]!,
        for_client: file.client_id,
      });
    if ('packed' in outcome) return keep(file, outcome);
    if ('refused' in outcome) return refuse(file, outcome.refused, outcome.why);
    if (again) return refuse(file, REASONS[outcome.fault] ?? 'crash', outcome.fault);
    log.info({ item: file.item_id, why: outcome.fault }, 'a file is to be read once more, alone');
    return undefined;
  }

  /** Whether it was looked, since the start of the server, that the texts are there: backups are without them. */
  let looked = false;

  /** Puts on the list again what is noted as read while its text is not there. */
  async function lookForLost(signal: AbortSignal): Promise<void> {
    let after = 0;
    for (;;) {
      const some = await queue.kept(after, LOOKED_AT);
      const there = await Promise.all(some.map(({ blob_id }) => blobs.has(blob_id)));
      const lost = some.filter((_, at) => !there[at]).map(({ id }) => id);
      if (lost.length > 0) await queue.lost(lost);
      // As long as none is lost, the first ones speak for all: what takes texts away takes them all.
      if (some.length < LOOKED_AT || lost.length === 0 || signal.aborted) break;
      after = some.at(-1)!.id;
    }
    if (use.scansToo) await scans.takeUp();
    looked = true;
  }

  return {
    /** Whether that is still to be done. */
    unsure: (): boolean => !looked,

    /** Reads what waits and forgets what is gone, for a while. @returns how many were dealt with. */
    async work(signal: AbortSignal): Promise<number> {
      const until = endOfShift();
      if (!looked) await lookForLost(signal);
      let count = 0;
      for (let some = await queue.forgetGone(); some > 0 && !signal.aborted; some = await queue.forgetGone())
        count += some;
      return count + (await readWaiting(queue, read, signal, until));
    },

    /** Ends the process, until the next file. */
    stop: (): void => sandbox.stop(),
  };
}
export type Reader = ReturnType<typeof createReader>;
