/** The content of an object: a buffer, or a stream of `bytes` bytes, each chunk valid until the next one is requested. */
export type Body = Buffer | { bytes: number; chunks: AsyncIterable<Buffer> };

/**
 * The storage of backups: objects by key, such as `blobs/1f…/ab/cd…`. Keys consist of letters, digits, `-`, `.`, spaces and slashes.
 * `conformance.ts` tests that every driver keeps this contract.
 */
export interface Place {
  /** A path or s3://bucket/prefix, for messages. */
  readonly address: string;
  /** Reads a small object; null if it does not exist. */
  read(key: string): Promise<Buffer | null>;
  /** Streams an object. Rejects with ObjectLost. */
  stream(key: string): AsyncIterable<Buffer>;
  /**
   * Creates or replaces an object, atomically: an interrupted write leaves the old object or the complete new one. It is durable once
   * `settle` has resolved. Rejects with PlaceFull, PlaceGone, or the error of the body.
   */
  write(key: string, body: Body): Promise<void>;
  /** Resolves once all writes are durable. Must also be called after a write was rejected. */
  settle(): Promise<void>;
  /** All keys that begin with `prefix`, which ends with a slash, in batches. */
  keys(prefix: string): AsyncIterable<string[]>;
  /** All keys with the lengths of their objects. On a disk this takes many times as long as `keys`. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>;
  /** Deletes incomplete objects of killed writers. Only the one writer may call it. */
  deleteIncomplete(): Promise<void>;
  /** Deletes an object; not an error if it does not exist. */
  delete(key: string): Promise<void>;
}

/** An object cannot be had, although its place is there. */
export class ObjectLost extends Error {
  override name: string = 'ObjectLost';
  /** In words, after the name of what is lost. */
  readonly fault: string;
  constructor(key: string, fault: string) {
    super(`${key} in the backups ${fault}.`);
    this.fault = fault;
  }
}

export class ObjectMissing extends ObjectLost {
  override name = 'ObjectMissing';
  constructor(key: string) {
    super(key, 'is missing');
  }
}

/** The disk reports a fault where the object lies. */
export class ObjectUnreadable extends ObjectLost {
  override name = 'ObjectUnreadable';
  constructor(key: string) {
    super(key, 'cannot be read from its disk');
  }
}

/** The place cannot be used as it is; the message says why and what to do. */
export class PlaceRefused extends Error {
  override name: string = 'PlaceRefused';
}

/** The place is no longer available: an unmounted share, an unplugged disk, a server that does not answer. */
export class PlaceGone extends PlaceRefused {
  override name = 'PlaceGone';
}

export class PlaceFull extends PlaceRefused {
  override name = 'PlaceFull';
  constructor(address: string) {
    super(
      `There is no space left in ${address}. What was copied stays for the next try, and the earlier backups are as they were. Free some space there, or set BACKUP_DIR to a larger place.`,
    );
  }
}

export const concatenate = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunks));
