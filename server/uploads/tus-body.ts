import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { piecesOf } from './pieces.ts';

/** The body of a request, as the library of the protocol is given it and as it is read. */
export interface Body {
  given: ReadableStream | null;
  /** @param stream which the library hands on; it ends early when another request takes the upload over. */
  read(stream: Readable): AsyncIterable<Buffer>;
  /** All was read, or is not wanted any more. */
  over(): void;
}

/**
 * A piece whose length is known, and so bounded before it is read, is read from the connection itself: through the library each
 * byte would go by four more streams, for as much processor again as it takes off the line. What the library is given then
 * only tells when to stop.
 */
export function bodyOf(request: IncomingMessage): Body {
  if (request.method === 'PATCH' && request.headers['content-length'] !== undefined) {
    let ended: ReadableStreamDefaultController;
    const given = new ReadableStream({ start: (controller) => void (ended = controller) });
    return {
      given,
      read: (stream) => piecesOf(request, (stop) => stream.resume().once('end', stop)),
      over: () => ended.close(),
    };
  }
  const given =
    request.method === 'PATCH' || request.method === 'POST'
      ? (Readable.toWeb(request) as ReadableStream)
      : null;
  return { given, read: (stream) => stream, over: () => {} };
}
