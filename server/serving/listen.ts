import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Tls } from '../tls/service.ts';
import { plainHttp } from '../tls/service.ts';
import { createHttpsServer } from './secure-server.ts';

export interface Listener {
  /** The actual port, also where the settings say 0. */
  port: number;
  /** Port of plain http beside https; null without it. */
  httpPort: number | null;
  /** Stops accepting connections; resolves when all responses are finished, at the latest after `grace` ms. */
  close(grace: number): Promise<void>;
}

const PRIVILEGED =
  'Ports under 1024 are for root alone: "npm run admin -- install" sets up a service that may use them, or set ';

/** For the challenges of a public authority another port is of no use. */
const ONLY_PORT_80 =
  'The certificate’s authority asks on port 80 alone, so none is issued. Stop what uses the port ("sudo ss -ltnp" names it), and start this ' +
  'server again; another HTTP_PORT helps only where a router passes port 80 on to it.';

function listenOn(
  server: NetServer,
  port: number,
  host: string,
  variable: string,
  whenTaken = `Set ${variable} to another number, or stop what uses this one.`,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve((server.address() as { port: number }).port));
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code, message } = error;
      if (code === 'EACCES') reject(new Error(`${message}. ${PRIVILEGED}${variable} to another number.`));
      else if (code === 'EADDRINUSE') reject(new Error(`${message}. ${whenTaken}`));
      else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
        reject(
          new Error(
            `HOST is ${host}, which is no address of this machine (${code}). Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
          ),
        );
      else reject(error);
    });
    server.listen(port, host);
  });
}

function closeServer(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), grace).unref();
  });
}

/** Serves plain http, for use behind a proxy. */
export async function listenPlain(
  answer: RequestListener,
  { port, host }: Pick<Config, 'port' | 'host'>,
  variable = 'PORT',
): Promise<Listener> {
  const server = createServer(answer);
  // A 5 GB upload over a slow line takes hours. The code that reads a body has timeouts of its own.
  server.requestTimeout = 0;
  const boundPort = await listenOn(server, port, host, variable);
  return { port: boundPort, httpPort: null, close: (grace) => closeServer(server, grace) };
}

/** Serves https, and beside it plain http that redirects. */
async function listenSecure(
  answer: RequestListener,
  config: Config,
  tls: Tls,
  log: Logger,
): Promise<Listener> {
  const { port, host, baseUrl, https } = config;
  const secure = createHttpsServer(
    (req, res) => void (tls.trust?.(req, res) || answer(req, res)),
    tls.current(),
  );
  Object.assign(secure.server, { requestTimeout: 0 });
  const boundPort = await listenOn(secure.server, port, host, 'PORT');
  const { trust, challengeResponse } = tls;
  const plain = createServer(
    plainHttp({ baseUrl, port: () => boundPort, challengeResponse, trust, permanent: config.hsts }),
  );
  let httpPort: number | null = null;
  if (https && https.httpPort !== null) {
    try {
      const whenTaken = https.kind === 'acme' ? ONLY_PORT_80 : undefined;
      httpPort = await listenOn(plain, https.httpPort, host, 'HTTP_PORT', whenTaken);
    } catch (error) {
      // https still works.
      log.error(`Plain http is not answered, so nobody is sent on to https. ${(error as Error).message}`);
    }
  }
  tls.start(secure.use);
  return {
    port: boundPort,
    httpPort,
    async close(grace) {
      tls.stop();
      await Promise.all([secure.close(grace), httpPort === null || closeServer(plain, grace)]);
    },
  };
}

/**
 * Starts to serve as the settings say.
 * @throws an error with a message for the admin when a port is not available.
 */
export const listen = (
  answer: RequestListener,
  config: Config,
  tls: Tls | null,
  log: Logger,
): Promise<Listener> => (tls ? listenSecure(answer, config, tls, log) : listenPlain(answer, config));
