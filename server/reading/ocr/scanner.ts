import type { Logger } from 'pino';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { LOWEST_PRIORITY, createSandbox, FAULTS } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from '../content.ts';
import type { TextRefusal } from '../contract.ts';
import { readWaiting } from '../time-slice.ts';
import type { ScanResponse, ScanRequest } from './contract.ts';
import type { ClaimedPage, ScanQueue } from './queue.ts';
import { PAGE_ATTEMPTS } from './queue.ts';

const LIMITS: Partial<SandboxLimits> = {
  // A page takes several seconds of processor time.
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

/**
 * How scans are read: by the networks and Tesseract; by Tesseract alone, in a fourth of the memory; or not at all.
 */
export type Scans = 'on' | 'light' | 'off';

/**
 * Reads pages that are pictures, one after another, in a sandboxed process of the lowest priority. A page that kills
 * the process is tried once more in a process of its own, and then given up.
 */
export function createScanner(dependencies: {
  queue: ScanQueue;
  blobs: BlobStore;
  log: Pick<Logger, 'info'>;
  scans: Scans;
  passwordOf?: (page: ClaimedPage) => Promise<string>;
  limits?: Partial<SandboxLimits>;
}) {
  const { queue, blobs, log, passwordOf = async () => '' } = dependencies;
  const sandbox = createSandbox<ScanRequest, ScanResponse>(new URL('./process.ts', import.meta.url), {
    ...LIMITS,
    ...dependencies.limits,
  });
  /** The file whose bytes the process was sent last. */
  let sentFile: string | undefined;

  async function fail(page: ClaimedPage, reason: TextRefusal, why: string): Promise<void> {
    log.info({ item: page.item_id, page: page.page, reason, why }, 'a scanned page cannot be read');
    await queue.settle(page, { reason });
  }

  async function read(page: ClaimedPage, signal: AbortSignal): Promise<void> {
    // Every allowed attempt crashed the whole server.
    if (page.attempt > PAGE_ATTEMPTS) return fail(page, 'crash', 'the server ended while it was read');
    const isRetry = page.attempt > 1;
    if (isRetry) sandbox.stop();
    const file = `${page.firm_id} ${page.sha256}`;
    const request: ScanRequest = {
      file,
      fileType: page.file_type,
      page: page.page,
      networks: dependencies.scans === 'on',
      password: await passwordOf(page),
      isRetry,
    };
    let outcome =
      sentFile === file && !isRetry
        ? await sandbox.run(request, ownerOf(page), signal)
        : { needsBytes: true as const };
    if ('needsBytes' in outcome) {
      const bytes = await contentOf(blobs, page);
      if (!bytes) return fail(page, 'damaged', 'its bytes are damaged or lost');
      sentFile = file;
      outcome = await sandbox.run({ ...request, bytes }, ownerOf(page), signal);
    }
    if (isRetry) sandbox.stop();
    if ('scanned' in outcome) return queue.settle(page, outcome.scanned);
    if ('unreadable' in outcome) return fail(page, 'damaged', outcome.unreadable);
    if ('needsBytes' in outcome) return fail(page, 'crash', 'the process did not keep the file');
    sentFile = undefined;
    if (isRetry) return fail(page, REASONS[outcome.fault] ?? 'crash', outcome.fault);
    log.info(
      { item: page.item_id, page: page.page, why: outcome.fault },
      'a page is to be read once more, alone',
    );
    return undefined;
  }

  return {
    /** Reads pages for one time slice. @returns how many. */
    work: (signal: AbortSignal): Promise<number> => readWaiting(queue, read, signal),

    /** Ends the process until the next page. */
    stop: (): void => sandbox.stop(),
  };
}
export type Scanner = ReturnType<typeof createScanner>;
