import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readBody } from './read-body.ts';

/** The body of a request: what `@tus/server` gets, and how the bytes are read. */
export interface Body {
  webStream: ReadableStream | null;
  /** @param stream the one that `@tus/server` passes to its store; it ends early when another request takes over. */
  read(stream: Readable): AsyncIterable<Buffer>;
  /** Call when the body has been read, or is not needed any more. */
  close(): void;
}

/**
 * The body of a PATCH with a known length, which is therefore bounded, is read directly from the socket: through the
 * library every byte would pass four more streams, which doubles the CPU time per byte. The stream that the library
 * gets then carries no bytes; it only signals when to stop.
 */
export function bodyOf(request: IncomingMessage): Body {
  if (request.method === 'PATCH' && request.headers['content-length'] !== undefined) {
    let controller: ReadableStreamDefaultController;
    const webStream = new ReadableStream({
      start: (streamController) => void (controller = streamController),
    });
    return {
      webStream,
      read: (stream) => readBody(request, (stop) => stream.resume().once('end', stop)),
      close: () => controller.close(),
    };
  }
  const webStream =
    request.method === 'PATCH' || request.method === 'POST'
      ? (Readable.toWeb(request) as ReadableStream)
      : null;
  return { webStream, read: (stream) => stream, close: () => {} };
}
