import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2Session } from 'node:http2';
import { createSecureServer } from 'node:http2';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from '../tls/service.ts';

/** All ciphers of TLS 1.3; of TLS 1.2 those with forward secrecy (Mozilla's "intermediate" list). */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');
const MB = 1024 * 1024;
/** HTTP/2 receive windows in bytes, per stream and per connection: larger ones speed up uploads and cost memory. */
const WINDOW_BYTES = { stream: MB, session: 4 * MB };
const MAX_STREAMS = 128;
/** Ms after which a connection without traffic is closed; open screens send something every half minute. */
const IDLE_MS = 10 * 60_000;
/** Ms for the last bytes to be sent when the server stops. */
const CLOSE_DELAY_MS = 100;

interface SecureServer {
  server: Http2SecureServer;
  /** Applies to new connections. */
  use(certificate: Certificate): void;
  /** Stops accepting connections; resolves when all responses are finished, at the latest after `grace` ms. */
  close(grace: number): Promise<void>;
}

/** Makes an HTTP/2 request look like an HTTP/1 request, so that no code behind needs to distinguish them. */
function normalizeRequest(req: IncomingMessage | Http2ServerRequest, res: object): void {
  if (req.httpVersionMajor < 2) return;
  const { stream, headers, authority } = req as Http2ServerRequest;
  headers.host ??= authority;
  // Astro copies every enumerable header into a Request, which rejects pseudo-headers; Node itself still reads
  // them.
  for (const name of Object.keys(headers))
    if (name.startsWith(':')) Object.defineProperty(headers, name, { enumerable: false });
  // After an abort Node would otherwise wait for data that can no longer be sent.
  stream.once('aborted', () => stream.destroy());
  // Node's HTTP/2 response lacks `destroyed`, which streaming code checks.
  Object.defineProperty(res, 'destroyed', { get: () => stream.destroyed });
}

/** Serves https over HTTP/2, and over HTTP/1.1 for older clients. */
export function createHttpsServer(answer: RequestListener, certificate: Certificate): SecureServer {
  const options = { minVersion: 'TLSv1.2' as const, ciphers: CIPHERS, honorCipherOrder: true };
  const server = createSecureServer({
    ...options,
    ...certificate,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: MAX_STREAMS, initialWindowSize: WINDOW_BYTES.stream },
  });
  const connections = new Set<TLSSocket>();
  /** Connections of either protocol, with the number of responses in progress. */
  const busy = new Map<Duplex | Http2Session, number>();
  let closing = false;

  /** Destroys a connection after its last bytes have been sent. */
  const part = (connection: Duplex | Http2Session): void =>
    void setTimeout(() => connection.destroy(), CLOSE_DELAY_MS);

  server.on('secureConnection', (socket: TLSSocket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (socket.alpnProtocol === 'h2') return;
    busy.set(socket, 0);
    socket.once('close', () => busy.delete(socket));
  });
  server.on('session', (session) => {
    busy.set(session, 0);
    session.setLocalWindowSize(WINDOW_BYTES.session);
    session.setTimeout(IDLE_MS, () => session.close());
    session.once('close', () => busy.delete(session));
    // A broken connection is not a fault of the server; its requests fail individually.
    session.on('error', () => {});
  });
  server.on('request', (req, res) => {
    normalizeRequest(req, res);
    const connection = req.httpVersionMajor < 2 ? req.socket : req.stream.session;
    if (connection && busy.has(connection)) {
      busy.set(connection, busy.get(connection)! + 1);
      if (closing && req.httpVersionMajor < 2) res.setHeader('Connection', 'close');
      res.once('close', () => {
        if (!busy.has(connection)) return;
        const left = busy.get(connection)! - 1;
        busy.set(connection, left);
        if (closing && left === 0) part(connection);
      });
    }
    answer(req as unknown as IncomingMessage, res as unknown as ServerResponse & { req: IncomingMessage });
  });

  return {
    server,
    use: ({ key, cert }) => server.setSecureContext({ ...options, key, cert }),
    close(grace) {
      closing = true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          // Destroy the sockets, not the sessions: a session would wait for the other end.
          for (const socket of connections) socket.destroy();
        }, grace).unref();
        server.on('session', (session) => session.destroy());
        NetServer.prototype.close.call(server, () => {
          clearTimeout(timer);
          resolve();
        });
        for (const [connection, answers] of busy) {
          // Clients with responses in progress learn to send no further requests here.
          if ('goaway' in connection && !connection.destroyed) connection.goaway();
          if (answers === 0) part(connection);
        }
      });
    },
  };
}
