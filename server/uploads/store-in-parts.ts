import { Readable } from 'node:stream';

/** A part ends, and its bytes are safe, after 32 MB or after 20 s on a slow connection. */
const PART_BYTES = 32 * 1024 * 1024;
const PART_MS = 20_000;

export interface PartLimits {
  bytes?: number;
  milliseconds?: number;
}

/**
 * Splits a stream into parts, and stores each before reading the next. If the source fails, the bytes received until
 * then are stored, and then this rejects with the source's error.
 */
export async function storeParts(
  source: AsyncIterable<Buffer>,
  store: (part: Readable) => Promise<void>,
  { bytes = PART_BYTES, milliseconds = PART_MS }: PartLimits = {},
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]();
  let failure: { error: unknown } | undefined;
  let ended = false;
  let rest: Buffer | undefined;

  async function next(): Promise<Buffer | undefined> {
    if (rest) {
      const chunk = rest;
      rest = undefined;
      return chunk;
    }
    try {
      const { done, value } = await chunks.next();
      if (!done) return value;
    } catch (error) {
      failure = { error };
    }
    ended = true;
    return undefined;
  }

  async function* part(first: Buffer): AsyncGenerator<Buffer> {
    const deadline = performance.now() + milliseconds;
    let left = bytes;
    let chunk: Buffer | undefined = first;
    while (chunk) {
      // Before the consumer frees the memory of the chunk.
      const { length } = chunk;
      if (length > left) rest = chunk.subarray(left);
      yield chunk.subarray(0, left);
      left -= length;
      if (left <= 0 || performance.now() > deadline) return;
      chunk = await next();
    }
  }

  try {
    while (!ended) {
      const first = await next();
      if (!first) break;
      if (first.length === 0) continue;
      await store(Readable.from(part(first), { objectMode: false }));
    }
  } finally {
    await chunks.return?.();
  }
  if (failure) throw failure.error;
}
