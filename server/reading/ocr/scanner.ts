import type { Logger } from 'pino';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { LOWEST_PRIORITY, createSandbox, FAULTS } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from '../content.ts';
import type { TextRefusal } from '../contract.ts';
import { readWaiting } from '../time-slice.ts';
import type { MadeScan, ScanOrder } from './contract.ts';
import type { ClaimedPage, ScanQueue } from './queue.ts';
import { PAGE_ATTEMPTS } from './queue.ts';

const LIMITS: Partial<SandboxLimits> = {
  // A page takes some seconds of the processor.
  milliseconds: 90_000,
  bytes: 1100 * 1024 * 1024,
  heapMb: 512,
  idleMs: 15_000,
  nice: LOWEST_PRIORITY,
};

const REASONS: Record<string, TextRefusal> = {
  [FAULTS.time]: 'time',
  [FAULTS.memory]: 'memory',
  [FAULTS.crash]: 'crash',
};

/** How scans are read: by networks and Tesseract; by Tesseract alone, in a fourth of the memory; or not at all. */
export type Scans = 'on' | 'light' | 'off';

/**
 * Has pages read that are pictures, one after another, by a process that stands back behind everything else. What kills
 * it is tried once more with one of its own, and is then left alone.
 */
export function createScanner(use: {
  queue: ScanQueue;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  scans: Scans;
  passwordOf?: (page: ClaimedPage) => Promise<string>;
  limits?: Partial<SandboxLimits>;
}) {
  const { queue, blobs, log, passwordOf = async () => '' } = use;
  const sandbox = createSandbox<ScanOrder, MadeScan>(new URL('./process.ts', import.meta.url), {
    ...LIMITS,
    ...use.limits,
  });
  /** The file whose bytes were sent last. */
  let sent: string | undefined;

  async function fail(page: ClaimedPage, reason: TextRefusal, why: string): Promise<void> {
    log.info({ item: page.item_id, page: page.page, reason, why }, 'a scanned page cannot be read');
    await queue.settle(page, { reason });
  }

  async function read(page: ClaimedPage, signal: AbortSignal): Promise<void> {
    // It was begun as often as it may be, and each time the whole server went down.
    if (page.attempt > PAGE_ATTEMPTS) return fail(page, 'crash', 'the server ended while it was read');
    const again = page.attempt > 1;
    if (again) sandbox.stop();
    const file = `${page.firm_id} ${page.sha256}`;
    const order: ScanOrder = {
      file,
      fileType: page.file_type,
      page: page.page,
      networks: use.scans === 'on',
      password: await passwordOf(page),
      again,
    };
    let outcome =
      sent === file && !again ? await sandbox.run(order, ownerOf(page), signal) : { wanting: true as const };
    if ('wanting' in outcome) {
      const bytes = await contentOf(blobs, page);
      if (!bytes) return fail(page, 'damaged', 'its bytes are damaged or lost');
      sent = file;
      outcome = await sandbox.run({ ...order, bytes }, ownerOf(page), signal);
    }
    if (again) sandbox.stop();
    if ('scanned' in outcome) return queue.settle(page, outcome.scanned);
    if ('unreadable' in outcome) return fail(page, 'damaged', outcome.unreadable);
    if ('wanting' in outcome) return fail(page, 'crash', 'the process did not keep the file');
    sent = undefined;
    if (again) return fail(page, REASONS[outcome.fault] ?? 'crash', outcome.fault);
    log.info(
      { item: page.item_id, page: page.page, why: outcome.fault },
      'a page is to be read once more, alone',
    );
    return undefined;
  }

  return {
    /** Reads pages for a while. @returns how many. */
    work: (signal: AbortSignal): Promise<number> => readWaiting(queue, read, signal),

    /** Ends the process, until the next page. */
    stop: (): void => sandbox.stop(),
  };
}
export type Scanner = ReturnType<typeof createScanner>;
