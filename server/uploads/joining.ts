import { Readable } from 'node:stream';
import type { BlobId, BlobStore, StoredBlob } from '#storage/blobs.ts';

/** Uploads joined while they come: each holds a file open and a few megabytes. */
const AT_ONCE = 4;
/** Milliseconds without a new part after which an upload gives its place to others. */
const IDLE = 60_000;

interface Join {
  /** The parts in their order, as they become known. */
  ids: Readable;
  told: number;
  blob: Promise<StoredBlob>;
  idle: NodeJS.Timeout;
}

/**
 * Reads the parts of an upload through into one blob while more of them come, so that at the end only the last are
 * left. To give that up on the way costs nothing but time: the parts stay until the file is there, and whoever
 * finishes begins again.
 */
export function createJoining(blobs: BlobStore) {
  const underway = new Map<string, Join>();

  function take(id: string): Join | undefined {
    const join = underway.get(id);
    clearTimeout(join?.idle);
    underway.delete(id);
    return join;
  }
  /** Leaves nothing behind. */
  async function drop(id: string): Promise<void> {
    const join = take(id);
    join?.ids.destroy(new Error('The upload is not joined any further.'));
    await join?.blob.catch(() => {});
  }
  function begin(id: string): Join {
    const ids = new Readable({ objectMode: true, read() {} });
    // Dropped before anybody has begun to read it, its error would end the process.
    ids.on('error', () => {});
    const blob = blobs.put(joined(blobs, ids));
    const join = { ids, told: 0, blob, idle: setTimeout(() => void drop(id), IDLE).unref() };
    underway.set(id, join);
    // Whoever finishes then begins again.
    blob.catch(() => underway.get(id) === join && take(id));
    return join;
  }
  function tell(join: Join, parts: readonly BlobId[]): void {
    for (const part of parts.slice(join.told)) join.ids.push(part);
    join.told = parts.length;
    join.idle.refresh();
  }

  return {
    /** Goes on with what has come. `parts`: all of the upload's until now. */
    follow(id: string, parts: readonly BlobId[]): void {
      const join = underway.get(id) ?? (underway.size < AT_ONCE ? begin(id) : undefined);
      if (join) tell(join, parts);
    },
    /** The one blob of all parts. Rejects as `BlobStore.put` and `BlobStore.get` do. */
    finish(id: string, parts: readonly BlobId[]): Promise<StoredBlob> {
      const join = underway.get(id) ?? begin(id);
      tell(join, parts);
      join.ids.push(null);
      take(id);
      return join.blob;
    },
    drop,
    async stop(): Promise<void> {
      await Promise.all([...underway.keys()].map(drop));
    },
  };
}

/** The parts as one stream, in their order; each is opened when it is reached. */
const joined = (blobs: BlobStore, ids: AsyncIterable<BlobId>): Readable =>
  Readable.from(
    (async function* all() {
      for await (const id of ids) yield* await blobs.get(id);
    })(),
    { objectMode: false },
  );
