import type { IncomingMessage } from 'node:http';
import { BlobCorrupt, BlobMissing } from '../blobs.ts';
import type { S3Client, S3Stream } from './client.ts';

/** If more bytes than this are left of a response, its connection is closed instead of read to the end for reuse. */
const DRAIN = 256 * 1024;

/** A response that is being read, from `position` to before `end`. */
interface OpenResponse {
  position: number;
  end: number;
  body: IncomingMessage;
  pieces: AsyncIterator<Buffer>;
  /** The part of the last piece that was not read yet. */
  rest: Buffer | undefined;
}

/** The bytes from `start` to before `end`, or to the end of the object. */
interface Beginning {
  stream: S3Stream;
  /** The size of the whole object. */
  size: number;
}

/** Requests a range of an object, in so many ms. @throws {BlobMissing} {S3Away} */
export async function askRange(
  client: S3Client,
  { id, key }: { id: string; key: string },
  start: number,
  end: number,
  withinMs = client.forMs,
): Promise<Beginning> {
  return client.patiently(async () => {
    const headers = { range: `bytes=${start}-${end - 1}` };
    const stream = await client.stream({ method: 'GET', key, headers }, withinMs);
    if (!stream) throw new BlobMissing(id);
    const { status, headers: answered, body } = stream;
    const [, from, to, all] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answered['content-range'] ?? '') ?? [];
    const size = Number(all);
    const requestedEnd = Math.min(end, size);
    if (status === 206 && Number(from) === start && Number(to) === requestedEnd - 1) return { stream, size };
    body.destroy();
    throw client.again(`${status} with other bytes than asked for`);
  }, withinMs);
}

/** Reads one object: sequential reads share one response, a read elsewhere makes a new request. One read at a time. */
export function createS3Reader(client: S3Client, of: { id: string; key: string }, size: number) {
  let response: OpenResponse | undefined;
  /** The position up to which the caller has announced to read. */
  let announcedEnd = 0;
  /** How long in ms responses were waited for that then broke off, and when the last one did. */
  const broken = { forMs: 0, at: -Infinity };

  function begin({ body }: S3Stream, start: number, end: number): void {
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    // A connection may end while nobody reads; the next read gets the error.
    body.on('error', () => {});
    response = { position: start, end, body, pieces, rest: undefined };
  }

  function closeResponse(): void {
    if (!response) return;
    const closing = response;
    response = undefined;
    if (closing.end - closing.position > DRAIN) closing.body.destroy();
    else void drain(closing);
  }
  async function drain(from: OpenResponse): Promise<void> {
    while (await next(from));
  }

  /** The next bytes; undefined if the response has ended or broke off. */
  async function next(from: OpenResponse): Promise<Buffer | undefined> {
    if (from.rest) {
      const { rest } = from;
      from.rest = undefined;
      return rest;
    }
    const start = performance.now();
    // Breaks that are far apart are different ones: a large file takes hours.
    if (start - broken.at > client.forMs) broken.forMs = 0;
    // Only during a read: a caller that pauses is no stall.
    const stall = setTimeout(() => from.body.destroy(), client.quietMsOf(client.forMs - broken.forMs));
    try {
      const { done, value } = await from.pieces.next();
      if (!done) return value;
    } catch {
      // Requested again below.
    } finally {
      clearTimeout(stall);
    }
    broken.at = performance.now();
    broken.forMs += broken.at - start;
    return undefined;
  }

  async function fill(into: Buffer, position: number): Promise<number> {
    const end = Math.min(size, position + into.length);
    let offset = position;
    let tries = 0;
    while (offset < end) {
      if (response && (response.position !== offset || response.position >= response.end)) closeResponse();
      if (!response) {
        const to = Math.max(end, announcedEnd);
        const { stream, size: currentSize } = await askRange(
          client,
          of,
          offset,
          to,
          client.forMs - broken.forMs,
        );
        if (currentSize !== size) {
          stream.body.destroy();
          throw new BlobCorrupt(of.id, `it had ${size} bytes and now has ${currentSize}`);
        }
        begin(stream, offset, to);
      }
      const from: OpenResponse = response!;
      const piece = await next(from);
      if (!piece) {
        // A truncated body: the rest is requested again, a few times without progress, and while there is patience.
        response = undefined;
        from.body.destroy();
        tries += 1;
        if (tries > 5 || broken.forMs >= client.forMs) throw client.away('its answers break off');
        continue;
      }
      tries = 0;
      const taken = piece.copy(into, offset - position, 0, end - offset);
      if (taken < piece.length) from.rest = piece.subarray(taken);
      offset += taken;
      from.position = offset;
    }
    return Math.max(0, offset - position);
  }

  return {
    size,
    begin,
    read: fill,
    expect(end: number): void {
      announcedEnd = Math.min(size, end);
    },
    async close(): Promise<void> {
      closeResponse();
    },
  };
}
