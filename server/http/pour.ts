import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Bytes handed to the socket that the system has not taken yet: while it sends these, the next are read and decrypted.
 * A reader who takes nothing holds no more than this and what the body reads ahead.
 */
const WINDOW_BYTES = 512 * 1024;

/**
 * Gives a large buffer's memory back at once. Each decrypted piece is memory of its own, and thousands of them would
 * wait for the collector, which then takes a third of the time of a download. Small ones share a pool and are left alone.
 */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

/**
 * Writes `body` into the answer. Its buffers are consumed: nobody else may hold them. When the body fails in the
 * middle, the connection is cut, so that what came is never taken for the whole; when the client goes, the body is
 * destroyed.
 * @returns what the body failed with; the status is out, so it can only be put on record.
 */
export async function pour(body: Readable, res: ServerResponse): Promise<Error | null> {
  let failure: Error | null = null;
  body.once('error', (error) => {
    failure = error;
  });
  let pending = 0;
  /** Asks for the next piece; set while the window is full. */
  let more: ((error?: Error | null) => void) | undefined;
  const sink = new Writable({
    highWaterMark: 1,
    write(piece: Buffer, _encoding, done) {
      const { length } = piece;
      pending += length;
      res.write(piece, (error) => {
        release(piece);
        pending -= length;
        if (!more || (!error && pending >= WINDOW_BYTES)) return;
        const ask = more;
        more = undefined;
        ask(error);
      });
      if (pending < WINDOW_BYTES) done();
      else more = done;
    },
    final(done) {
      res.end(done);
    },
    destroy(error, done) {
      if (!res.writableEnded) res.destroy();
      done(error);
    },
  });
  res.once('close', () => sink.destroy());
  await pipeline(body, sink).catch(() => undefined);
  return res.writableFinished ? null : failure;
}
