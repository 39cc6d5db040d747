import type { Readable } from 'node:stream';
import type { BlobStore } from '#storage/blobs.ts';
import { damaged } from './refusal.ts';

/** Random access to the bytes of an archive. Only one read at a time. */
export interface Source {
  size: number;
  /** Reads exactly `length` bytes. @throws {ArchiveRefused} if the archive is shorter. */
  read(position: number, length: number): Promise<Buffer>;
  /** The bytes from `start` up to but not including `end`, in pieces. A piece is valid until the next one is requested. */
  bytes(start: number, end: number): AsyncGenerator<Buffer>;
  /** Closes the open stream. */
  close(): void;
}

/** Up to this distance, skipping forward is cheaper than opening the blob again. */
const MAX_SKIP_BYTES = 1024 * 1024;

/**
 * Reads a sealed blob without an unsealed copy. One stream is kept open and read forward, so that reading entries in order opens the
 * blob only once. A jump opens it again.
 */
export function blobSource(blobs: Pick<BlobStore, 'get'>, id: string, size: number): Source {
  let stream: Readable | undefined;
  let pieces: AsyncIterator<Buffer> | undefined;
  /** Bytes that were read and not yet returned; `offset` is their position. */
  let buffered: Buffer = Buffer.alloc(0);
  let offset = 0;

  function close(): void {
    stream?.destroy();
    stream = undefined;
    pieces = undefined;
  }

  function drop(length: number): void {
    buffered = buffered.subarray(length);
    offset += length;
  }

  async function next(): Promise<void> {
    const piece = await pieces!.next();
    if (piece.done) throw damaged('it ends too early');
    buffered = piece.value;
  }

  async function seek(position: number): Promise<void> {
    if (pieces && position >= offset && position - offset <= MAX_SKIP_BYTES + buffered.length) {
      while (position - offset > buffered.length) {
        drop(buffered.length);
        await next();
      }
      drop(position - offset);
      return;
    }
    close();
    stream = await blobs.get(id, { start: position, end: size - 1 });
    // It may fail while nobody reads from it.
    stream.on('error', () => {});
    pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    buffered = Buffer.alloc(0);
    offset = position;
  }

  function requireRange(start: number, end: number): void {
    const within =
      Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= size;
    if (!within) throw damaged('it points to a place outside itself');
  }

  async function* bytes(start: number, end: number): AsyncGenerator<Buffer> {
    requireRange(start, end);
    let position = start;
    while (position < end) {
      await seek(position);
      if (buffered.length === 0) await next();
      const piece = buffered.subarray(0, end - position);
      drop(piece.length);
      position += piece.length;
      yield piece;
    }
  }

  return {
    size,
    close,
    bytes,
    async read(position, length) {
      const parts: Buffer[] = [];
      for await (const piece of bytes(position, position + length)) parts.push(piece);
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
  };
}

/** Reads an archive in memory. */
export function bufferSource(buffer: Buffer): Source {
  const blobs = {
    async get(_id: string, range?: { start: number; end: number }) {
      const { Readable } = await import('node:stream');
      return Readable.from([buffer.subarray(range!.start, range!.end + 1)], { objectMode: false });
    },
  };
  return blobSource(blobs, '', buffer.length);
}
