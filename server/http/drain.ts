import type { IncomingMessage } from 'node:http';

/** How many bytes and milliseconds are spent on draining before the connection is closed. */
const LIMITS = { bytes: 64 * 1024 * 1024, time: 60_000 };
const CHECK_MS = 50;

/**
 * Reads and discards the rest of a request body after the response. Closing the connection at once looks like a
 * network error to the client, which then never sees the response and retries; reading without a limit would
 * let it keep the server busy. A body that ends within the limits leaves the connection usable; otherwise it is
 * closed.
 */
export function drain(req: IncomingMessage, limits = LIMITS): void {
  const { socket } = req;
  if (req.complete || socket.destroyed) return;
  const ends = performance.now() + limits.time;
  const most = socket.bytesRead + limits.bytes;
  // Count on the socket: Node removes the listeners of a request once its response has been sent.
  const check = setInterval(() => {
    if (socket.bytesRead > most || performance.now() > ends) socket.destroy();
    if (req.complete || socket.destroyed) clearInterval(check);
  }, CHECK_MS).unref();
  req.on('error', () => {});
  // A web stream made of the request would pause it again; over HTTP/1 Node removes such listeners itself.
  req.removeAllListeners('data').resume();
}
