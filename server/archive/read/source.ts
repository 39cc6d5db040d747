import type { Readable } from 'node:stream';
import type { BlobStore } from '#storage/blobs.ts';
import { damaged } from './refusal.ts';

/** The bytes of an archive, by position. One read at a time. */
export interface Source {
  size: number;
  /** Exactly `length` bytes. @throws {ArchiveRefused} when they are not all there. */
  read(position: number, length: number): Promise<Buffer>;
  /** The bytes from `start` up to but not including `end`, in pieces. Pieces are valid until the next one is asked for. */
  bytes(start: number, end: number): AsyncGenerator<Buffer>;
  /** Frees what is open. */
  close(): void;
}

/** Bytes that are read and dropped rather than opening the blob anew behind them. */
const SKIP = 1024 * 1024;

/**
 * Reads a sealed blob without a plain copy of it. One stream is kept open and read forward, so that going through an
 * archive in the order of its bytes opens the blob once however many entries there are; a jump opens it anew.
 */
export function blobSource(blobs: Pick<BlobStore, 'get'>, id: string, size: number): Source {
  let stream: Readable | undefined;
  let pieces: AsyncIterator<Buffer> | undefined;
  /** Bytes that are read and not given out; they begin at `at`. */
  let held: Buffer = Buffer.alloc(0);
  let at = 0;

  function close(): void {
    stream?.destroy();
    stream = undefined;
    pieces = undefined;
  }

  function drop(length: number): void {
    held = held.subarray(length);
    at += length;
  }

  async function next(): Promise<void> {
    const piece = await pieces!.next();
    if (piece.done) throw damaged('it ends too early');
    held = piece.value;
  }

  async function seek(position: number): Promise<void> {
    if (pieces && position >= at && position - at <= SKIP + held.length) {
      while (position - at > held.length) {
        drop(held.length);
        await next();
      }
      drop(position - at);
      return;
    }
    close();
    stream = await blobs.get(id, { start: position, end: size - 1 });
    // It may be closed while nobody reads.
    stream.on('error', () => {});
    pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    held = Buffer.alloc(0);
    at = position;
  }

  function demand(start: number, end: number): void {
    const within =
      Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= size;
    if (!within) throw damaged('it points to a place outside itself');
  }

  async function* bytes(start: number, end: number): AsyncGenerator<Buffer> {
    demand(start, end);
    let position = start;
    while (position < end) {
      await seek(position);
      if (held.length === 0) await next();
      const piece = held.subarray(0, end - position);
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

/** The same over bytes in memory. */
export function bufferSource(buffer: Buffer): Source {
  const blobs = {
    async get(_id: string, range?: { start: number; end: number }) {
      const { Readable } = await import('node:stream');
      return Readable.from([buffer.subarray(range!.start, range!.end + 1)], { objectMode: false });
    },
  };
  return blobSource(blobs, '', buffer.length);
}
