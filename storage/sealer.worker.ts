import { parentPort } from 'node:worker_threads';
import type { Sealer, SumsSoFar } from './sealer.ts';
import { createSealer, createSums } from './sealer.ts';
import type { Answer, Order } from './sealing.ts';

const sealers = new Map<number, Sealer>();
/** Running checksums by their number. */
const running = new Map<number, SumsSoFar>();

parentPort!.on('message', (order: Order) => {
  const { job } = order;
  if ('endSums' in order) {
    running.delete(order.endSums);
  } else if ('dataKey' in order) {
    const { dataKey, chunkBytes, sums } = order;
    if (sums !== undefined && !running.has(sums)) running.set(sums, createSums());
    sealers.set(
      job,
      createSealer(Buffer.from(dataKey), chunkBytes, sums === undefined ? undefined : running.get(sums)),
    );
  } else if ('plain' in order) {
    const { plain, length, last, sealed } = order;
    const done = sealers.get(job)!.seal(Buffer.from(plain, 0, length), last, Buffer.from(sealed));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort!.postMessage({ job, done, plain, sealed } satisfies Answer, [plain, sealed]);
  } else {
    sealers.delete(job);
  }
});
