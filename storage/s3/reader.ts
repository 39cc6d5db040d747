import type { IncomingMessage } from 'node:http';
import { BlobCorrupt, BlobMissing } from '../blobs.ts';
import type { S3Client, S3Stream } from './client.ts';

/** If more bytes than this are left of a response, its connection is closed instead of read to the end for reuse. */
const DRAIN = 256 * 1024;

/** A response that is being read, from `at` to before `end`. */
interface Flow {
  at: number;
  end: number;
  body: IncomingMessage;
  pieces: AsyncIterator<Buffer>;
  rest: Buffer | undefined;
}

/** The bytes from `start` to before `end`, or to the end of the object. */
export interface Beginning {
  stream: S3Stream;
  /** The size of the whole object. */
  size: number;
}

/** Requests a range of an object. @throws {BlobMissing} {S3Away} */
export async function askRange(
  client: S3Client,
  { id, key }: { id: string; key: string },
  start: number,
  end: number,
): Promise<Beginning> {
  return client.patiently(async () => {
    const stream = await client.stream({
      method: 'GET',
      key,
      headers: { range: `bytes=${start}-${end - 1}` },
    });
    if (!stream) throw new BlobMissing(id);
    const { status, headers, body } = stream;
    const [, from, to, all] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    const size = Number(all);
    const asked = Math.min(end, size);
    if (status === 206 && Number(from) === start && Number(to) === asked - 1) return { stream, size };
    body.destroy();
    throw client.again(`${status} with other bytes than asked for`);
  });
}

/** Reads one object: sequential reads share one response, a read elsewhere makes a new request. One read at a time. */
export function createS3Reader(client: S3Client, of: { id: string; key: string }, size: number) {
  let flow: Flow | undefined;
  /** The position up to which the caller has announced to read. */
  let until = 0;

  function begin({ body }: S3Stream, at: number, end: number): void {
    const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    // A connection may end while nobody reads; the next read gets the error.
    body.on('error', () => {});
    flow = { at, end, body, pieces, rest: undefined };
  }

  function letGo(): void {
    if (!flow) return;
    const { body, at, end } = flow;
    const from = flow;
    flow = undefined;
    if (end - at > DRAIN) body.destroy();
    else void drain(from);
  }
  async function drain(from: Flow): Promise<void> {
    while (await next(from));
  }

  /** The next bytes; undefined if the response has ended or broke off. */
  async function next(from: Flow): Promise<Buffer | undefined> {
    if (from.rest) {
      const { rest } = from;
      from.rest = undefined;
      return rest;
    }
    // Only during a read: a caller that pauses is no stall.
    const stall = setTimeout(() => from.body.destroy(), client.stallMs);
    try {
      const { done, value } = await from.pieces.next();
      return done ? undefined : value;
    } catch {
      return undefined;
    } finally {
      clearTimeout(stall);
    }
  }

  async function fill(into: Buffer, position: number): Promise<number> {
    const end = Math.min(size, position + into.length);
    let at = position;
    let tries = 0;
    while (at < end) {
      if (flow && (flow.at !== at || flow.at >= flow.end)) letGo();
      if (!flow) {
        const to = Math.max(end, until);
        const { stream, size: now } = await askRange(client, of, at, to);
        if (now !== size) {
          stream.body.destroy();
          throw new BlobCorrupt(of.id, `it had ${size} bytes and now has ${now}`);
        }
        begin(stream, at, to);
      }
      const from: Flow = flow!;
      const piece = await next(from);
      if (!piece) {
        // A truncated body: the rest is requested again, a few times without progress.
        flow = undefined;
        from.body.destroy();
        tries += 1;
        if (tries > 5) throw client.away('its answers break off');
        continue;
      }
      tries = 0;
      const taken = piece.copy(into, at - position, 0, end - at);
      if (taken < piece.length) from.rest = piece.subarray(taken);
      at += taken;
      from.at = at;
    }
    return Math.max(0, at - position);
  }

  return {
    size,
    begin,
    read: fill,
    expect(end: number): void {
      until = Math.min(size, end);
    },
    async close(): Promise<void> {
      letGo();
    },
  };
}
