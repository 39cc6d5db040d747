import type { Readable } from 'node:stream';

/** Random, 32 lower-case hex digits (128 bits), independent of the content. */
export type BlobId = string;

/** Bytes `start` to `end`, both inclusive, as in HTTP. `end` is at most `size - 1`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A blob that is part of a larger one, and its plain bytes. */
export interface BlobPart {
  id: BlobId;
  size: number;
}

/** The checksums of a content. */
export interface Sums {
  /** 64 lower-case hex digits. */
  sha256: string;
  /** The CRC-32 for ZIP files; unsigned. */
  crc32: number;
}

/** Running checksums over several blobs put in sequence, as if they were one content. */
export interface RunningSums {
  /** Frees the state; must be called. */
  close(): void;
}

export interface StoredBlob {
  id: BlobId;
  /** The plain size in bytes. */
  size: number;
  /** The SHA-256 of the plain bytes, 64 lower-case hex digits. */
  sha256: string;
  /** The CRC-32 of the plain bytes, for ZIP files; unsigned. */
  crc32: number;
}

/** The number of leading bytes of a content that `put` returns. */
export const HEAD_BYTES = 4096;

export interface PutBlob extends StoredBlob {
  /** The first plain bytes, at most `HEAD_BYTES`, so that the type can be detected without reading the content back. */
  head: Buffer;
}

export interface PutOptions {
  running?: RunningSums | undefined;
  /**
   * Frees the memory of each buffer of the source once it is read, so nobody else may hold them. Left to the garbage collector, the
   * thousands of buffers that a socket delivers take a quarter of the processor time of a large upload.
   */
  consume?: boolean;
}

/**
 * A store of blobs. A blob is immutable: written once, read often, deleted once. `conformance.ts` tests that every store keeps
 * the contract in these comments.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes survive a power cut. A rejected put (source failed, StoreFull) leaves
   * nothing that `list` shows and no temporary file, and has destroyed the source. A slow medium
   * slows the source down; a few megabytes are held, whatever the size.
   *
   * With `running`, the returned checksums are those of everything put with it so far, including this blob. Such puts must be
   * sequential; a rejected put invalidates the running checksums, and later puts with them are rejected.
   */
  put(source: Readable, options?: PutOptions): Promise<PutBlob>;
  /** Creates running checksums for several puts. */
  runningSums(): RunningSums;
  /**
   * Creates a blob whose content is the concatenation of its parts, without copying bytes. `parts` are blobs of this store, at
   * least one, and none of them joined; `sums` are the checksums of the complete content. Resolves once it survives a power
   * cut. The parts stay separate blobs: `list` includes them, and deleting the joined blob does not delete them.
   */
  join(parts: readonly BlobPart[], sums: Sums): Promise<StoredBlob>;
  /**
   * The plain bytes, all or a range. Rejects with BlobMissing, BlobCorrupt or StoreAway; damage found while reading destroys the stream
   * with BlobCorrupt before any altered byte is delivered. Destroying the stream frees its resources.
   */
  get(id: BlobId, range?: ByteRange): Promise<Readable>;
  /** The plain size in bytes. Rejects like `get`; for a joined blob, also if a part is missing or has another size. */
  size(id: BlobId): Promise<number>;
  /** Rejects with StoreAway when this cannot be known. */
  has(id: BlobId): Promise<boolean>;
  /** Deletes a blob; not an error if it does not exist. */
  delete(id: BlobId): Promise<void>;
  /** Every stored blob once, in no order; blobs put or deleted meanwhile may or may not appear. */
  list(): AsyncIterable<{ id: BlobId; storedAt: Date }>;
  /**
   * For stores in which incomplete objects of killed writers are not removed at the start: removes those begun before a time.
   * Resolves with their number.
   */
  discardUnfinished?(before: Date): Promise<number>;
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

/** The medium of all blobs is away, such as a disk that is not mounted. Whether a blob exists is unknown until it is back. */
export class StoreAway extends Error {
  override name = 'StoreAway';
  /** @param root the folder of the blobs. */
  constructor(root: string) {
    super(`The folder of the files, ${root}, is not what it was at the start. Is its disk or share mounted?`);
  }
}

/** The disk or its quota is full. Nothing of the rejected bytes remains. */
export class StoreFull extends Error {
  override name = 'StoreFull';
  constructor(options?: ErrorOptions) {
    super('There is no room left on the disk that holds the files. Make room, then try again.', options);
  }
}
