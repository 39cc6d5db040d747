import type { BlobId } from './blobs.ts';

/**
 * A driver: it stores opaque bytes by id and knows nothing of keys or chunks; `sealed.ts` builds a BlobStore on it. An id that
 * is not 32 lower-case hex digits counts as missing.
 */
export interface ByteStore {
  /**
   * Starts an object: `headBytes` bytes, which `commit` provides, followed by the written bytes. The object is not visible
   * before the commit.
   */
  create(id: BlobId, headBytes: number): ByteWriter;
  /** Rejects with BlobMissing, and with StoreAway when it is unknown whether the object exists. */
  open(id: BlobId): Promise<ByteReader>;
  /** Rejects with StoreAway. */
  has(id: BlobId): Promise<boolean>;
  delete(id: BlobId): Promise<void>;
  list(): AsyncIterable<{ id: BlobId; storedAt: Date }>;
  /**
   * For a driver that cannot remove the incomplete objects of killed writers at the start, since others may be writing: removes
   * those begun before a time. Resolves with their number.
   */
  discardUnfinished?(before: Date): Promise<number>;
}

/** A driver whose objects can be changed in place. */
export interface RewritableBytes extends ByteStore {
  /** Replaces bytes in place and resolves once that survives a power cut. Rejects with BlobMissing. */
  overwrite(id: BlobId, position: number, bytes: Buffer): Promise<void>;
}

/** One of `commit` and `abort` must be called. */
export interface ByteWriter {
  /**
   * Appends. Resolves once the buffers may be reused; awaiting it applies the backpressure of a slow medium. Calls may overlap:
   * bytes are written in the order of the calls.
   */
  write(buffers: Buffer[]): Promise<void>;
  /**
   * Appends `tail`, writes `head` at the front, and resolves once the object survives a power cut. All writes must have ended.
   * After a rejection, call `abort`.
   */
  commit(head: Buffer, tail: Buffer[]): Promise<void>;
  /** Discards the object. Never rejects. */
  abort(): Promise<void>;
}

/** An object opened for reading; on a disk it stays readable after a delete. */
export interface ByteReader {
  readonly size: number;
  /** Announces sequential reads up to `end`, so that a remote store sends them in one response. */
  expect?(end: number): void;
  /** Fills `into` from `position`; resolves with the number of bytes read, fewer only at the end of the object. */
  read(into: Buffer, position: number): Promise<number>;
  close(): Promise<void>;
}

export const isBlobId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);
