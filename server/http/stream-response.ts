import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Bytes handed to the socket that the system has not taken yet. The system holds as much again and more, and sends on. */
const WINDOW_BYTES = 256 * 1024;
/**
 * The beginning of an answer goes out in small copies, of which a reader who never takes anything holds one: the system
 * takes some megabytes by itself. Afterwards pieces go out as they are.
 */
const EARLY = { bytes: 8 * 1024 * 1024, window: 64 * 1024 };

export interface Patience {
  /** Milliseconds after which a reader who takes nothing has the body closed; it is opened again where it stopped. */
  rest: number;
  /** Milliseconds without a byte taken after which the connection is cut: at the latest after twice as many. */
  stall: number;
}
/**
 * Readers who pause at once and keep their bodies open, each of which holds up to three chunks of its file. With more of
 * them a pause of so many milliseconds is enough to close one.
 */
const PAUSED = { most: 16, rest: 250 };
let pausing = 0;

const PATIENCE: Patience = { rest: 2000, stall: 60_000 };

/**
 * Gives a large buffer's memory back at once. Each decrypted piece is memory of its own, and thousands of them would
 * wait for the collector, which then takes a third of the time of a download. Small ones are left alone: they share a
 * pool, or whoever made them may use them again. A copy is as large as a pool, yet the whole of its memory.
 */
function release({ buffer, length }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  const isCopy = length === EARLY.window && buffer.byteLength === length;
  if (isCopy || buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}

/** A piece in copies of its own, which can be let go one by one; the piece itself is consumed. */
function* copies(piece: Buffer): Generator<Buffer> {
  if (piece.length <= EARLY.window) return yield piece;
  try {
    for (let at = 0; at < piece.length; at += EARLY.window) {
      const part = piece.subarray(at, at + EARLY.window);
      const copy = Buffer.allocUnsafeSlow(part.length);
      part.copy(copy);
      yield copy;
    }
  } finally {
    release(piece);
  }
}

/** What is on its way to the reader. */
function createOutlet(res: ServerResponse) {
  let pending = 0;
  let window = EARLY.window;
  let wake = (): void => {};

  return {
    isFull: () => pending >= window,
    isEmpty: () => pending === 0,
    /** To be called once the reader has shown to take what comes. */
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
    /** Resolves with true once there is room or nobody is there any more; with false when that takes `ms` or longer. */
    async room(ms: number): Promise<boolean> {
      if (pending < window || res.destroyed) return true;
      let timer: NodeJS.Timeout | undefined;
      const roomy = await new Promise<boolean>((resolve) => {
        wake = () => (pending < window || res.destroyed) && resolve(true);
        res.once('close', wake);
        // Where we were busy ourselves, what was taken meanwhile is heard of only now.
        const late = (): void => void setImmediate(resolve, false);
        if (ms < Infinity) timer = setTimeout(late, ms);
      });
      clearTimeout(timer);
      res.off('close', wake);
      wake = () => {};
      return roomy;
    },
  };
}

/**
 * Writes `body` into the answer. Its buffers are consumed: nobody else may hold them. When the body fails in the
 * middle, the connection is cut, so that what came is never taken for the whole; when the client goes, or takes nothing
 * for too long, the body is destroyed. `again` opens what follows the first so many bytes: with it, a reader who pauses
 * holds no more than what the socket was given.
 * @returns what the body failed with; the status is out, so it can only be put on record.
 */
export async function streamResponse(
  body: Readable,
  res: ServerResponse,
  { again, patience = PATIENCE }: { again?: (from: number) => Promise<Readable>; patience?: Patience } = {},
): Promise<Error | null> {
  const outlet = createOutlet(res);
  let source: Readable | undefined = body;
  let sent = 0;

  function stop(): void {
    // Its failure is told by whoever reads it.
    source?.on('error', () => {});
    source?.destroy();
    // What it had ready would wait for the collector.
    for (let piece = source?.read() as Buffer | null; piece; piece = source?.read() as Buffer | null)
      release(piece);
    source = undefined;
  }
  /** Waits for room; false when it takes so long that the body is better closed meanwhile. */
  async function goesOn(): Promise<boolean> {
    if (!again) return outlet.room(Infinity);
    const rest = pausing < PAUSED.most ? patience.rest : Math.min(patience.rest, PAUSED.rest);
    pausing += 1;
    try {
      return await outlet.room(rest);
    } finally {
      pausing -= 1;
    }
  }
  // The socket looks whether the system takes any of what it was given, which we cannot see.
  const watch = (): unknown => res.setTimeout(patience.stall);
  res.on('timeout', () => (outlet.isEmpty() ? watch() : res.destroy()));
  res.once('close', stop);
  watch();

  try {
    while (!res.destroyed) {
      source ??= await again!(sent);
      let paused = false;
      for await (const piece of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (sent >= EARLY.bytes) outlet.widen();
        for (const part of sent < EARLY.bytes ? copies(piece) : [piece]) {
          sent += part.length;
          outlet.write(part);
          if (!outlet.isFull() || (await goesOn())) continue;
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
    const gone = res.destroyed;
    res.destroy();
    return gone ? null : (error as Error);
  } finally {
    stop();
  }
}
