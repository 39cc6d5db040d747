import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Bytes written to the socket that the kernel has not taken yet. The kernel buffers as much again and more. */
const WINDOW_BYTES = 256 * 1024;
/**
 * The beginning of a response is written in small copies, so that a client that reads nothing holds only one of
 * them: the kernel takes some megabytes by itself. Later chunks are written as they are.
 */
const EARLY = { bytes: 8 * 1024 * 1024, window: 64 * 1024 };

interface StreamTimeouts {
  /** A client that reads nothing for this many ms has the body closed; the body is reopened where it stopped. */
  rest: number;
  /** A connection that takes no byte for this many ms is cut, at the latest after twice as long. */
  stall: number;
}
/**
 * Up to `most` paused clients keep their bodies open, each of which holds up to three chunks of its file.
 * Beyond that a pause of `rest` ms already closes the body.
 */
const PAUSED = { most: 16, rest: 250 };
let pausing = 0;

const TIMEOUTS: StreamTimeouts = { rest: 2000, stall: 60_000 };

/**
 * Frees the memory of a large buffer now. Each decrypted chunk has memory of its own, and thousands of them
 * would wait for the garbage collector, which then takes a third of the time of a download. Small buffers are
 * left alone: they share a pool, or their creator may reuse them. A copy made here is as long as a pool buffer,
 * but owns its memory.
 */
function release({ buffer, length }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  const isCopy = length === EARLY.window && buffer.byteLength === length;
  if (isCopy || buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

/** Splits a chunk into copies that can be freed one by one; the chunk itself is consumed. */
function* copies(piece: Buffer): Generator<Buffer> {
  if (piece.length <= EARLY.window) return yield piece;
  try {
    for (let start = 0; start < piece.length; start += EARLY.window) {
      const part = piece.subarray(start, start + EARLY.window);
      const copy = Buffer.allocUnsafeSlow(part.length);
      part.copy(copy);
      yield copy;
    }
  } finally {
    release(piece);
  }
}

/** Tracks the bytes on their way to the client. */
function createOutlet(res: ServerResponse) {
  let pending = 0;
  let window = EARLY.window;
  let wake = (): void => {};

  return {
    isFull: () => pending >= window,
    isEmpty: () => pending === 0,
    /** Call once the client has proved to read. */
    widen: () => void (window = WINDOW_BYTES),
    write(piece: Buffer): void {
      const { length } = piece;
      pending += length;
      res.write(piece, () => {
        release(piece);
        pending -= length;
        wake();
      });
    },
    /** Resolves with true once there is room or the client is gone, with false after `ms`. */
    async room(ms: number): Promise<boolean> {
      if (pending < window || res.destroyed) return true;
      let timer: NodeJS.Timeout | undefined;
      const hasRoom = await new Promise<boolean>((resolve) => {
        wake = () => (pending < window || res.destroyed) && resolve(true);
        res.once('close', wake);
        // After a busy event loop, write callbacks that are due already run before this.
        const late = (): void => void setImmediate(resolve, false);
        if (ms < Infinity) timer = setTimeout(late, ms);
      });
      clearTimeout(timer);
      res.off('close', wake);
      wake = () => {};
      return hasRoom;
    },
  };
}

/**
 * Writes `body` to the response. Its buffers are consumed: nobody else may hold them. When the body fails
 * midway, the connection is cut, so that a partial response is never taken for a complete one; when the client
 * disconnects, or reads nothing for too long, the body is destroyed.
 * @param reopen opens the body from this byte on; with it, a paused client holds no more memory than the socket
 * was given.
 * @returns the error of the body; the status is sent already, so it can only be logged.
 */
export async function streamResponse(
  body: Readable,
  res: ServerResponse,
  {
    reopen,
    timeouts = TIMEOUTS,
  }: { reopen?: (from: number) => Promise<Readable>; timeouts?: StreamTimeouts } = {},
): Promise<Error | null> {
  const outlet = createOutlet(res);
  let source: Readable | undefined = body;
  let sent = 0;

  function stop(): void {
    // The loop below reports the failure of the body.
    source?.on('error', () => {});
    source?.destroy();
    // Free the buffered chunks instead of leaving them to the garbage collector.
    for (let piece = source?.read() as Buffer | null; piece; piece = source?.read() as Buffer | null)
      release(piece);
    source = undefined;
  }
  /** Waits for room; false when that takes so long that the body should be closed meanwhile. */
  async function waitForRoom(): Promise<boolean> {
    if (!reopen) return outlet.room(Infinity);
    const rest = pausing < PAUSED.most ? timeouts.rest : Math.min(timeouts.rest, PAUSED.rest);
    pausing += 1;
    try {
      return await outlet.room(rest);
    } finally {
      pausing -= 1;
    }
  }
  // Node's socket timeout also notices bytes that the kernel takes, which this code cannot see.
  const watch = (): unknown => res.setTimeout(timeouts.stall);
  res.on('timeout', () => (outlet.isEmpty() ? watch() : res.destroy()));
  res.once('close', stop);
  watch();

  try {
    while (!res.destroyed) {
      source ??= await reopen!(sent);
      let paused = false;
      for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (sent >= EARLY.bytes) outlet.widen();
        for (const part of sent < EARLY.bytes ? copies(piece) : [piece]) {
          sent += part.length;
          outlet.write(part);
          if (!outlet.isFull() || (await waitForRoom())) continue;
          paused = true;
          break;
        }
        if (paused || res.destroyed) break;
      }
      if (!paused) break;
      stop();
      await outlet.room(Infinity);
    }
    if (!res.destroyed) {
      await new Promise<void>((resolve) => {
        res.once('close', resolve);
        res.end(resolve);
      });
    }
    return null;
  } catch (error) {
    const clientGone = res.destroyed;
    res.destroy();
    return clientGone ? null : (error as Error);
  } finally {
    stop();
  }
}
