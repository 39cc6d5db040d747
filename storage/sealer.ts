import { createHash } from 'node:crypto';
import { chunkCount, sealChunk, TAG_BYTES } from './chunks.ts';

export interface Sealed {
  /** Bytes of `into` that were filled. */
  length: number;
  /** Of all that was sealed, in hex; with the last batch only. */
  sha256?: string;
}

/** Hashes and seals the content of one blob, in order. */
export interface Sealer {
  /** Seals whole chunks, as they are stored, into `into`; only the `last` batch may end with a shorter one. */
  seal(plain: Buffer, last: boolean, into: Buffer): Sealed;
}

export function createSealer(dataKey: Buffer, chunkBytes: number): Sealer {
  const hash = createHash('sha256');
  let index = 0;
  return {
    seal(plain, last, into) {
      hash.update(plain);
      const count = chunkCount(plain.length, chunkBytes);
      for (let n = 0; n < count; n += 1) {
        const chunk = plain.subarray(n * chunkBytes, (n + 1) * chunkBytes);
        const target = into.subarray(n * (chunkBytes + TAG_BYTES));
        sealChunk(dataKey, index, last && n === count - 1, chunk, target);
        index += 1;
      }
      const length = plain.length + count * TAG_BYTES;
      return last ? { length, sha256: hash.digest('hex') } : { length };
    },
  };
}
