import type { IncomingMessage } from 'node:http';

/** Bytes that are read and dropped before the connection is closed, and milliseconds likewise. */
const LIMITS = { bytes: 64 * 1024 * 1024, time: 15_000 };
const LOOK_MS = 50;

/**
 * Reads and drops what a client still sends after it was answered. Closing at once reaches it as a network fault, so
 * that it never sees the answer and tries again; reading without end lets it keep us busy. When the body ends within
 * the limits the connection stays usable, otherwise it is closed.
 */
export function drain(req: IncomingMessage, limits = LIMITS): void {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  const ends = performance.now() + limits.time;
  const most = socket.bytesRead + limits.bytes;
  // The socket's own count: Node takes listeners off a request whose answer is out.
  const look = setInterval(() => {
    if (socket.bytesRead > most || performance.now() > ends) socket.destroy();
    if (req.complete || socket.destroyed) clearInterval(look);
  }, LOOK_MS).unref();
  req.on('error', () => {});
  req.resume();
}
