import { parentPort } from 'node:worker_threads';
import type { Sealer } from './sealer.ts';
import { createSealer } from './sealer.ts';
import type { Answer, Order } from './sealing.ts';

const sealers = new Map<number, Sealer>();

parentPort!.on('message', (order: Order) => {
  const { job } = order;
  if ('dataKey' in order) {
    sealers.set(job, createSealer(Buffer.from(order.dataKey), order.chunkBytes));
  } else if ('plain' in order) {
    const { plain, length, last, sealed } = order;
    const done = sealers.get(job)!.seal(Buffer.from(plain, 0, length), last, Buffer.from(sealed));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort!.postMessage({ job, done } satisfies Answer);
  } else {
    sealers.delete(job);
  }
});
