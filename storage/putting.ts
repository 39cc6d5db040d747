import type { PutBlob, PutOptions, RunningSums } from './blobs.ts';
import { HEAD_BYTES } from './blobs.ts';
import type { ByteStore } from './bytes.ts';
import { release, sealedBytes } from './chunks.ts';
import { HEADER_BYTES } from './header.ts';
import { createSealer } from './sealer.ts';
import type { RemoteSealer, RemoteSums, Slot } from './sealing.ts';
import { createSealingThread } from './sealing.ts';

/** Plain bytes per batch. A blob that fits into one batch is sealed in the main thread. */
const BATCH_BYTES = 512 * 1024;
/** Batches of one put in progress (filled, sealed or written); beyond it, the source has to wait. */
const SLOTS_PER_PUT = 4;
/** Slots for reuse by the next put. */
const SPARE_SLOTS = 12;

export interface Content extends PutOptions {
  id: string;
  dataKey: Buffer;
  source: AsyncIterable<Buffer | string>;
  /** Makes the head of the file once the size is known. */
  head(size: number): Buffer;
}

/** Running checksums of this writer; `broken` once a put with them has failed. */
class Running implements RunningSums {
  readonly remote: RemoteSums;
  broken = false;
  constructor(remote: RemoteSums) {
    this.remote = remote;
  }
  close(): void {
    this.remote.close();
  }
}

/** Seals sources into `bytes`, in chunks of `chunkBytes`, and commits them. */
export function createContentWriter(bytes: ByteStore, chunkBytes: number) {
  const batchBytes = Math.max(1, Math.floor(BATCH_BYTES / chunkBytes)) * chunkBytes;
  const thread = createSealingThread();
  const spare: Slot[] = [];
  const take = (): Slot =>
    spare.pop() ?? {
      plain: Buffer.from(new ArrayBuffer(batchBytes)),
      sealed: Buffer.from(new ArrayBuffer(sealedBytes(batchBytes, chunkBytes))),
    };

  /** Resolves once everything is durable; after a rejection nothing remains. */
  async function write({
    id,
    dataKey,
    source,
    head,
    running,
    consume,
  }: Content): Promise<Omit<PutBlob, 'id'>> {
    if (running && !(running instanceof Running && !running.broken)) {
      throw new Error('These running sums are of no use any more.');
    }
    const writer = bytes.create(id, HEADER_BYTES);
    const slots = [take()];
    let slot = slots[0]!;
    let filled = 0;
    let size = 0;
    let first: Buffer | undefined;
    const firstBytes = () => (first ??= Buffer.from(slot.plain.subarray(0, Math.min(filled, HEAD_BYTES))));
    // Blobs with running checksums in the sealing thread are sealed there, whatever their size.
    let remote: RemoteSealer | undefined;
    // Slots being sealed or written, oldest first.
    const submitted: Promise<Slot>[] = [];

    async function sealAndWrite(
      sealer: RemoteSealer,
      from: Slot,
      previous: Promise<Slot> | undefined,
    ): Promise<Slot> {
      const { length } = await sealer.seal(from, filled, false);
      await previous;
      await writer.write([from.sealed.subarray(0, length)]);
      return from;
    }

    /** Submits a full batch and takes an empty slot. */
    async function send(): Promise<void> {
      firstBytes();
      remote ??= thread.open(dataKey, chunkBytes);
      const sending = sealAndWrite(remote, slot, submitted.at(-1));
      // It is awaited below, or never if an earlier batch failed.
      sending.catch(() => {});
      submitted.push(sending);
      filled = 0;
      if (slots.length < SLOTS_PER_PUT) slots.push((slot = take()));
      else slot = await submitted.shift()!;
    }

    try {
      if (running) remote = thread.open(dataKey, chunkBytes, running.remote);
      for await (const piece of source) {
        const input = typeof piece === 'string' ? Buffer.from(piece) : piece;
        size += input.length;
        let taken = 0;
        while (taken < input.length) {
          // A full batch is submitted only when more data arrives: until then it may be the last.
          if (filled === batchBytes) await send();
          const copied = input.copy(slot.plain, filled, taken);
          if (copied === 0) throw new Error('A slot has lost its memory.');
          filled += copied;
          taken += copied;
        }
        if (consume) release(input);
      }
      const contentHead = firstBytes();
      const { length, sums } = remote
        ? await remote.seal(slot, filled, true)
        : createSealer(dataKey, chunkBytes).seal(slot.plain.subarray(0, filled), true, slot.sealed);
      await Promise.all(submitted);
      await writer.commit(head(size), [slot.sealed.subarray(0, length)]);
      return { size, ...sums!, head: contentHead };
    } catch (error) {
      if (running) running.broken = true;
      await Promise.allSettled(submitted);
      await writer.abort();
      throw error;
    } finally {
      remote?.close();
      // Memory that the thread had when it died is gone.
      const whole = slots.filter(({ plain, sealed }) => plain.length > 0 && sealed.length > 0);
      spare.push(...whole.slice(0, Math.max(0, SPARE_SLOTS - spare.length)));
    }
  }

  return { write, runningSums: (): RunningSums => new Running(thread.sums()) };
}
