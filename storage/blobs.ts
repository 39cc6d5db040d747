import type { Readable } from 'node:stream';

/** Random, 32 lower-case hex digits (128 bits). Names nothing about the content. */
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

/** What a content is known by. */
export interface Sums {
  /** 64 lower-case hex digits. */
  sha256: string;
  /** As ZIP files need it; unsigned. */
  crc32: number;
}

/** The sums over several blobs that are put one after the other, as if they were one. */
export interface RunningSums {
  /** Frees what is held; has to be called. */
  close(): void;
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

/** Bytes of the beginning of a content that are told when it is put. */
export const HEAD_BYTES = 4096;

export interface PutBlob extends StoredBlob {
  /** The first plain bytes, at most `HEAD_BYTES`, so that what the content is can be seen without reading it back. */
  head: Buffer;
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
   *
   * With `running`, the sums in the answer are those of everything put with it so far, this blob included. Such puts
   * come one after the other; a rejected one leaves the running sums useless, and later ones are rejected.
   */
  put(source: Readable, running?: RunningSums): Promise<PutBlob>;
  /** Sums that several puts add to. */
  runningSums(): RunningSums;
  /**
   * A blob whose content is that of its parts, in their order, without copying a byte. `parts` are blobs of this store,
   * at least one, that were put and not joined themselves; `sums` are those of the whole. Resolves once it survives a
   * power cut. The parts stay blobs of their own: `list` shows them, and deleting the joined blob leaves them.
   */
  join(parts: readonly BlobPart[], sums: Sums): Promise<StoredBlob>;
  /**
   * The plain bytes, whole or a range. Rejects with BlobMissing, or BlobCorrupt; damage found on the
   * way destroys the stream with BlobCorrupt before any altered byte is given out.
   * Destroying the stream frees what it holds.
   */
  get(id: BlobId, range?: ByteRange): Promise<Readable>;
  /** Plain size in bytes. Rejects like `get`, for a joined blob also when a part is missing or of another size. */
  size(id: BlobId): Promise<number>;
  has(id: BlobId): Promise<boolean>;
  /** Deleting what is not there is not an error. */
  delete(id: BlobId): Promise<void>;
  /** Every stored blob once, in no order; blobs put or deleted meanwhile may or may not appear. */
  list(): AsyncIterable<{ id: BlobId; storedAt: Date }>;
  /** Where killed writers leave something that is not cleaned at the start: removes what was begun before. Resolves with how many. */
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

/** The disk, or its quota, has no room for the bytes. Nothing of them is left behind. */
export class StoreFull extends Error {
  override name = 'StoreFull';
  constructor(options?: ErrorOptions) {
    super('There is no room left on the disk that holds the files. Make room, then try again.', options);
  }
}
