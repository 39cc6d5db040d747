import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { putText } from '#server/db/document-text.ts';
import { LOWEST_PRIORITY, createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from './content.ts';
import { indexEntry } from './index-entry.ts';
import type { TextKeys } from './keys.ts';
import type { Outdated, OutdatedTexts } from './outdated.ts';
import { ATTEMPTS } from './queue.ts';
import type { RecognisedStore } from './reader.ts';
import type { ReadResponse, StoredRequest } from './readers/contract.ts';

/** After each text the reader rests as long as it has worked, but not longer than this: new files wait for it. */
const REST_MAX_MS = 1000;

const LIMITS = {
  milliseconds: 60_000,
  bytes: 900 * 1024 * 1024,
  heapMb: 640,
  idleMs: 10_000,
  nice: LOWEST_PRIORITY,
};

/**
 * Makes the texts of earlier versions again. Mostly the stored text gives all that has changed, the words of the index; the file is
 * read where another value would be recognised, or where the text tells less than the file.
 */
export function createRenewal({
  outdated,
  blobs,
  keys,
  recognised,
  read,
}: {
  outdated: Pick<OutdatedTexts, 'keep'>;
  blobs: BlobStore;
  keys: Pick<TextKeys, 'hasherOf'>;
  recognised: Pick<RecognisedStore, 'isAnswered' | 'differs'> | undefined;
  /** Reads the file itself. */
  read: (file: Outdated, signal: AbortSignal) => Promise<void>;
}) {
  const sandbox = createSandbox<StoredRequest, ReadResponse>(
    new URL('./readers/process.ts', import.meta.url),
    LIMITS,
  );

  /** @returns whether the stored text sufficed. */
  async function renewFromText(file: Outdated, isAnswered: boolean, signal: AbortSignal): Promise<boolean> {
    const stored = await contentOf(blobs, { blob_id: file.text });
    if (!stored) return false;
    // No reader of a format sees the texts, so those of all clients go to one process: starting one takes longer than a text.
    const request = { stored, fileType: file.file_type };
    const outcome = await sandbox.run(request, String(file.firm_id), signal);
    if (!('packed' in outcome)) return false;
    if (!isAnswered && (await recognised?.differs(file, outcome.recognised))) return false;
    const entry = await indexEntry(file.id, outcome, await keys.hasherOf(file.firm_id));
    await outdated.keep(file, (trx: Knex.Transaction) => putText(trx, entry));
    return true;
  }

  return {
    /** Makes one text again, and rests. */
    async renew(file: Outdated, signal: AbortSignal): Promise<void> {
      const began = performance.now();
      // Answers belong to the values that the user saw, so these are not recognised again.
      const isAnswered = (await recognised?.isAnswered(file)) ?? false;
      // What crashes the server now was readable before: its text stays.
      if (file.attempt > ATTEMPTS) await outdated.keep(file);
      else if (file.attempt > 1 || !(await renewFromText(file, isAnswered, signal)))
        await (isAnswered ? outdated.keep(file) : read(file, signal));
      await wait(Math.min(performance.now() - began, REST_MAX_MS), undefined, { signal }).catch(() => {});
    },

    /** Ends the process until the next text. */
    stop: (): void => sandbox.stop(),
  };
}
