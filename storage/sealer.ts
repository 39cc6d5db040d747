import { createHash, createSecretKey } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Sums } from './blobs.ts';
import { chunkCount, sealChunk, TAG_BYTES } from './chunks.ts';

export interface Sealed {
  /** The number of bytes written to `into`. */
  length: number;
  /** The SHA-256 of all plain bytes in hex; with the last batch only. */
  sums?: Sums;
}

/** Incremental hash and CRC of a content. */
export function createSums() {
  const hash = createHash('sha256');
  let crc = 0;
  return {
    add(plain: Buffer): void {
      hash.update(plain);
      crc = crc32(plain, crc);
    },
    /** The checksums so far; more may be added. */
    now: (): Sums => ({ sha256: hash.copy().digest('hex'), crc32: crc }),
  };
}
export type SumsSoFar = ReturnType<typeof createSums>;

/** Hashes and seals the content of one blob in order; the hash may continue from earlier blobs. */
export interface Sealer {
  /** Seals complete chunks into `into` in stored form; only the `last` batch may end with a shorter chunk. */
  seal(plain: Buffer, last: boolean, into: Buffer): Sealed;
}

export function createSealer(dataKey: Buffer, chunkBytes: number, sums: SumsSoFar = createSums()): Sealer {
  const key = createSecretKey(dataKey);
  let index = 0;
  return {
    seal(plain, last, into) {
      sums.add(plain);
      const count = chunkCount(plain.length, chunkBytes);
      for (let n = 0; n < count; n += 1) {
        const chunk = plain.subarray(n * chunkBytes, (n + 1) * chunkBytes);
        const target = into.subarray(n * (chunkBytes + TAG_BYTES));
        sealChunk(key, index, last && n === count - 1, chunk, target);
        index += 1;
      }
      const length = plain.length + count * TAG_BYTES;
      return last ? { length, sums: sums.now() } : { length };
    },
  };
}
