import { Worker } from 'node:worker_threads';
import type { Sealed } from './sealer.ts';

export type Order =
  | { job: number; dataKey: Uint8Array; chunkBytes: number; sums?: number }
  | { job: number; plain: ArrayBuffer; length: number; last: boolean; sealed: ArrayBuffer }
  | { job: number }
  | { job: 0; endSums: number };

export interface Answer {
  job: number;
  done: Sealed;
  plain: ArrayBuffer;
  sealed: ArrayBuffer;
}

/**
 * Memory that the threads pass to each other: the main thread writes plain bytes, the sealing thread sealed bytes. It is not
 * shared, because V8 copies into shared memory word by word, which takes five times as long.
 */
export interface Slot {
  /** Both are empty while the sealing thread has them. */
  plain: Buffer<ArrayBuffer>;
  sealed: Buffer<ArrayBuffer>;
}

/** A `Sealer` in the sealing thread. */
export interface RemoteSealer {
  /** Seals the first `length` bytes of the slot's plain memory. Several calls may overlap; they end in order. */
  seal(slot: Slot, length: number, last: boolean): Promise<Sealed>;
  /** Frees the state of the blob; must be called. */
  close(): void;
}

/** Running checksums in the sealing thread. They are lost with the thread, and when a put with them fails. */
export interface RemoteSums {
  readonly number: number;
  readonly thread: Worker;
  close(): void;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

interface SealingThread {
  /** @throws if the `sums` were lost with their thread. */
  open(dataKey: Buffer, chunkBytes: number, sums?: RemoteSums): RemoteSealer;
  sums(): RemoteSums;
}

/**
 * A worker thread that hashes and seals large blobs, which leaves the main thread to the network. It starts on first use and
 * does not keep the process alive. If it dies, the puts in progress fail, and the next blob starts another thread.
 */
export function createSealingThread(): SealingThread {
  let worker: Worker | undefined;
  // 0 is reserved.
  let jobs = 0;
  const open = new Map<number, Waiting[]>();

  function start(): Worker {
    // Not all flags of the process are valid for a worker: --input-type would make it fail.
    const started = new Worker(new URL('./sealer.worker.ts', import.meta.url), { execArgv: [] });
    const fail = (error: Error): void => {
      if (worker !== started) return;
      worker = undefined;
      const lost = [...open.values()].flat();
      open.clear();
      for (const { reject } of lost) reject(error);
    };
    started.on('message', (answer: Answer) => open.get(answer.job)?.shift()?.resolve(answer));
    started.on('error', fail);
    started.on('exit', () => fail(new Error('The sealing thread ended.')));
    return started;
  }

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const to = (thread: Worker) => (message: Order, transfer?: ArrayBuffer[]) =>
    thread.postMessage(message, transfer);

  return {
    sums() {
      const thread = (worker ??= start());
      if (open.size === 0) thread.unref();
      const number = (jobs += 1);
      return { number, thread, close: () => to(thread)({ job: 0, endSums: number }) };
    },
    open(dataKey, chunkBytes, sums) {
      if (sums && sums.thread !== worker) throw new Error('The sums were lost with the sealing thread.');
      const job = (jobs += 1);
      const thread = (worker ??= start());
      const order = to(thread);
      open.set(job, []);
      thread.ref();
      order({ job, dataKey: Uint8Array.from(dataKey), chunkBytes, ...(sums && { sums: sums.number }) });
      return {
        async seal(slot, length, last) {
          const waiting = open.get(job);
          if (!waiting) throw new Error('The sealing thread ended.');
          const { promise, resolve, reject } = Promise.withResolvers<Answer>();
          const [plain, sealed] = [slot.plain.buffer, slot.sealed.buffer];
          // First, since it throws for memory that the thread already has: nobody may wait for an answer that does not come.
          order({ job, plain, length, last, sealed }, [plain, sealed]);
          waiting.push({ resolve, reject });
          const answer = await promise;
          slot.plain = Buffer.from(answer.plain);
          slot.sealed = Buffer.from(answer.sealed);
          return answer.done;
        },
        close() {
          if (!open.delete(job)) return;
          order({ job });
          if (open.size === 0) thread.unref();
        },
      };
    },
  };
}
