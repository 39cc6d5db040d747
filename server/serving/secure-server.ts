import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2Session } from 'node:http2';
import { createSecureServer } from 'node:http2';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from '../tls/service.ts';

/** Of TLS 1.3 all; of 1.2 those whose connections stay secret when the key is stolen later (Mozilla's "intermediate"). */
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
/** What a browser may send ahead, of one request and of all of a connection: more makes uploads fast, and costs memory. */
const AHEAD = { stream: MB, session: 4 * MB };
const STREAMS = 128;
/** A connection without any traffic is closed after so many milliseconds; open screens say something every half minute. */
const IDLE = 10 * 60_000;
/** Milliseconds in which the end of the last answer goes out when the server stops. */
const PARTING = 100;

export interface SecureServer {
  server: Http2SecureServer;
  /** For new connections. */
  use(certificate: Certificate): void;
  /** Takes no more; resolves once all is answered, at the latest after `grace` ms. */
  close(grace: number): Promise<void>;
}

/** Gives requests of HTTP/2 what those of HTTP/1 have, so that nothing behind has to know which one it is. */
function alike(req: IncomingMessage | Http2ServerRequest, res: object): void {
  if (req.httpVersionMajor < 2) return;
  const { stream, headers, authority } = req as Http2ServerRequest;
  headers.host ??= authority;
  // What makes a Request of it, as for a page, takes every header that it finds; `req.method` and the like read these all the same.
  for (const name of Object.keys(headers))
    if (name.startsWith(':')) Object.defineProperty(headers, name, { enumerable: false });
  // Of one that its reader has given up, Node would wait for what can no longer be sent.
  stream.once('aborted', () => stream.destroy());
  // Node's has none, and whoever streams asks it whether somebody is still there.
  Object.defineProperty(res, 'destroyed', { get: () => stream.destroyed });
}

/** Serves https by HTTP/2, and by HTTP/1.1 to those who do not speak it. */
export function createSecure(answer: RequestListener, certificate: Certificate): SecureServer {
  const options = { minVersion: 'TLSv1.2' as const, ciphers: CIPHERS, honorCipherOrder: true };
  const server = createSecureServer({
    ...options,
    ...certificate,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: STREAMS, initialWindowSize: AHEAD.stream },
  });
  const connections = new Set<TLSSocket>();
  /** Connections, of either protocol, with how many answers are under way on each. */
  const busy = new Map<Duplex | Http2Session, number>();
  let closing = false;

  /** What a connection still has to send is sent before it is closed. */
  const part = (connection: Duplex | Http2Session): void =>
    void setTimeout(() => connection.destroy(), PARTING);

  server.on('secureConnection', (socket: TLSSocket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (socket.alpnProtocol === 'h2') return;
    busy.set(socket, 0);
    socket.once('close', () => busy.delete(socket));
  });
  server.on('session', (session) => {
    busy.set(session, 0);
    session.setLocalWindowSize(AHEAD.session);
    session.setTimeout(IDLE, () => session.close());
    session.once('close', () => busy.delete(session));
    // A broken connection is no fault of ours, and those who were answered by it are told on their own.
    session.on('error', () => {});
  });
  server.on('request', (req, res) => {
    alike(req, res);
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
          // Not their sessions: these would wait for the other end to say goodbye.
          for (const socket of connections) socket.destroy();
        }, grace).unref();
        server.on('session', (session) => session.destroy());
        NetServer.prototype.close.call(server, () => {
          clearTimeout(timer);
          resolve();
        });
        for (const [connection, answers] of busy) {
          // Whoever is still being answered is told to ask no more here.
          if ('goaway' in connection && !connection.destroyed) connection.goaway();
          if (answers === 0) part(connection);
        }
      });
    },
  };
}
