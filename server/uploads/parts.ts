import { Readable } from 'node:stream';

/** A part ends here, and what it holds is safe: 32 MB, or what a slow line brings in 20 s. */
const PART_BYTES = 32 * 1024 * 1024;
const PART_MS = 20_000;

export interface PartLimits {
  bytes?: number;
  milliseconds?: number;
}

/**
 * Cuts a stream into parts, each of them stored by `keep` before the next begins. A source that breaks off has what it
 * sent until then kept too, and then rejects as it did.
 */
export async function storeParts(
  source: AsyncIterable<Buffer>,
  keep: (part: Readable) => Promise<void>,
  { bytes = PART_BYTES, milliseconds = PART_MS }: PartLimits = {},
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]();
  let broken: { error: unknown } | undefined;
  let ended = false;
  let rest: Buffer | undefined;

  async function next(): Promise<Buffer | undefined> {
    if (rest) {
      const piece = rest;
      rest = undefined;
      return piece;
    }
    try {
      const { done, value } = await pieces.next();
      if (!done) return value;
    } catch (error) {
      broken = { error };
    }
    ended = true;
    return undefined;
  }

  async function* part(first: Buffer): AsyncGenerator<Buffer> {
    const until = performance.now() + milliseconds;
    let left = bytes;
    let piece: Buffer | undefined = first;
    while (piece) {
      yield piece.subarray(0, left);
      if (piece.length > left) rest = piece.subarray(left);
      left -= piece.length;
      if (left <= 0 || performance.now() > until) return;
      piece = await next();
    }
  }

  try {
    while (!ended) {
      const first = await next();
      if (!first) break;
      if (first.length === 0) continue;
      await keep(Readable.from(part(first), { objectMode: false }));
    }
  } finally {
    await pieces.return?.();
  }
  if (broken) throw broken.error;
}
