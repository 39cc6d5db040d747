/** What is written: bytes that are there, or so many that come, each chunk good until the next one is asked for. */
export type Body = Buffer | { bytes: number; chunks: AsyncIterable<Buffer> };

/**
 * Where backups lie: objects by key, such as `blobs/1f…/ab/cd…`. A key is made of letters, digits, `-`, `.`, spaces and slashes.
 * Every driver obeys what the comments say; `conformance.ts` holds it to them.
 */
export interface Place {
  /** For people: a path, or s3://bucket/prefix. */
  readonly address: string;
  /** Small objects, whole; null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** The bytes in their order. Rejects with ObjectMissing. */
  stream(key: string): AsyncIterable<Buffer>;
  /**
   * The object is there, in the place of one with the key, once `settle` has resolved, and until then whole or as it was before,
   * whenever it is cut off. Rejects with PlaceFull, PlaceGone, or what the body threw.
   */
  write(key: string, body: Body): Promise<void>;
  /** Resolves once all that was written is there and survives a power cut; to be called also when a write was rejected. */
  settle(): Promise<void>;
  /** Every key that begins with `prefix`, which ends with a slash; some at a time. */
  keys(prefix: string): AsyncIterable<string[]>;
  /** The same with their lengths, which takes many times as long on a disk. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>;
  /** Removes what writers that were killed left half-written; to be called by the only one who writes. */
  tidy(): Promise<void>;
  /** Deleting what is not there is not an error. */
  delete(key: string): Promise<void>;
}

export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
  constructor(key: string) {
    super(`${key} is missing from the backups.`);
  }
}

/** The place cannot be used as it is; the message says why and what to do. */
export class PlaceRefused extends Error {
  override name: string = 'PlaceRefused';
}

/** It was there, and is not any more: a share that was unmounted, a disk that was unplugged, a server that does not answer. */
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

export async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
