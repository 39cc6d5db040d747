import type { BlobId } from './blobs.ts';

/**
 * What a driver stores: opaque bytes by id. It knows nothing of keys or chunks; `sealed.ts` makes a
 * BlobStore of it. Ids that are not 32 lower-case hex digits are simply not there.
 */
export interface ByteStore {
  /**
   * Starts an object of `headBytes` bytes, to be given at commit, followed by what is written.
   * Nothing is visible before the commit.
   */
  create(id: BlobId, headBytes: number): ByteWriter;
  /** Rejects with BlobMissing. */
  open(id: BlobId): Promise<ByteReader>;
  has(id: BlobId): Promise<boolean>;
  delete(id: BlobId): Promise<void>;
  list(): AsyncIterable<{ id: BlobId; storedAt: Date }>;
  /**
   * For a driver in which what killed writers left is not cleaned at the start, since others may be writing: removes what was begun
   * before. Resolves with how many.
   */
  discardUnfinished?(before: Date): Promise<number>;
}

/** A driver whose objects can be changed where they lie. */
export interface RewritableBytes extends ByteStore {
  /** Replaces bytes in place and resolves once that survives a power cut. Rejects with BlobMissing. */
  overwrite(id: BlobId, position: number, bytes: Buffer): Promise<void>;
}

/** One of `commit` and `abort` must be called. */
export interface ByteWriter {
  /**
   * Appends. Resolves once the buffers may be used again; waiting for it is what lets a slow medium
   * slow down the source. Calls may overlap: bytes land in the order of the calls.
   */
  write(buffers: Buffer[]): Promise<void>;
  /**
   * Appends `tail`, puts `head` in front, and resolves once the object survives a power cut. Every
   * write has ended before. After a rejection, `abort`.
   */
  commit(head: Buffer, tail: Buffer[]): Promise<void>;
  /** Leaves nothing behind. Never rejects. */
  abort(): Promise<void>;
}

/** An object opened for reading; on a disk it stays readable after a delete. */
export interface ByteReader {
  readonly size: number;
  /** Says that what comes before `end` will be read in order, so that a far store sends it in one go. */
  expect?(end: number): void;
  /** Fills `into` from `position`; resolves with the bytes read, fewer only at the end. */
  read(into: Buffer, position: number): Promise<number>;
  close(): Promise<void>;
}

export const isBlobId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
