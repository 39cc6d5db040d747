import type { Readable } from 'node:stream';

/** Random, 32 lower-case hex digits (128 bits). Names nothing about the content. */
export type BlobId = string;

/** Bytes `start` to `end`, both inclusive, as in HTTP. `end` is at most `size - 1`. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBlob {
  id: BlobId;
  /** Plain bytes. */
  size: number;
  /** Of the plain bytes, 64 lower-case hex digits. */
  sha256: string;
  /** Of the plain bytes, as ZIP files need it; unsigned. */
  crc32: number;
}

/**
 * Where the bytes live. A blob is immutable: written once, read often, deleted once.
 * Every driver obeys what the comments say; `conformance.ts` holds it to them.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes survive a power cut. A rejected put (source failed, StoreFull) leaves
   * nothing that `list` shows and no temporary file, and has destroyed the source. A slow medium
   * slows the source down; a few megabytes are held, whatever the size.
   */
  put(source: Readable): Promise<StoredBlob>;
  /**
   * The plain bytes, whole or a range. Rejects with BlobMissing, or BlobCorrupt; damage found on the
   * way destroys the stream with BlobCorrupt before any altered byte is given out.
   * Destroying the stream frees what it holds.
   */
  get(id: BlobId, range?: ByteRange): Promise<Readable>;
  /** Plain size in bytes. Rejects like `get`. */
  size(id: BlobId): Promise<number>;
  has(id: BlobId): Promise<boolean>;
  /** Deleting what is not there is not an error. */
  delete(id: BlobId): Promise<void>;
  /** Every stored blob once, in no order; blobs put or deleted meanwhile may or may not appear. */
  list(): AsyncIterable<{ id: BlobId; storedAt: Date }>;
}

export class BlobMissing extends Error {
  override name = 'BlobMissing';
  readonly id: BlobId;
  constructor(id: BlobId) {
    super(`Blob ${id} is not in the store.`);
    this.id = id;
  }
}

export class BlobCorrupt extends Error {
  override name = 'BlobCorrupt';
  readonly id: BlobId;
  constructor(id: BlobId, why: string) {
    super(`Blob ${id} is damaged: ${why}.`);
    this.id = id;
  }
}

/** The disk, or its quota, has no room for the bytes. Nothing of them is left behind. */
export class StoreFull extends Error {
  override name = 'StoreFull';
  constructor(options?: ErrorOptions) {
    super('There is no room left on the disk that holds the files. Make room, then try again.', options);
  }
}
