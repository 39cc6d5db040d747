import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Tls } from '../tls/service.ts';
import { plainHttp } from '../tls/service.ts';
import { createSecure } from './secure-server.ts';

export interface Listening {
  /** The port on which it is answered, with 0 in the settings the one that was free. */
  port: number;
  /** That of plain http beside https; null where there is none. */
  httpPort: number | null;
  /** Takes no more; resolves once all is answered, at the latest after `grace` ms. */
  close(grace: number): Promise<void>;
}

const PRIVILEGED =
  'Ports under 1024 are for root alone: "npm run admin -- install" sets up a service that may use them, or set ';

function listening(server: NetServer, port: number, host: string, variable: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve((server.address() as { port: number }).port));
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code, message } = error;
      if (code === 'EACCES') reject(new Error(`${message}. ${PRIVILEGED}${variable} to another number.`));
      else if (code === 'EADDRINUSE')
        reject(new Error(`${message}. Set ${variable} to another number, or stop what uses this one.`));
      else reject(error);
    });
    server.listen(port, host);
  });
}

function closed(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), grace).unref();
  });
}

/** Answers plain http, as behind a proxy. */
export async function listenPlain(
  answer: RequestListener,
  { port, host }: Pick<Config, 'port' | 'host'>,
  variable = 'PORT',
): Promise<Listening> {
  const server = createServer(answer);
  // A 5 GB upload over a slow line takes hours; a body that stalls is ended by whoever reads it.
  server.requestTimeout = 0;
  const at = await listening(server, port, host, variable);
  return { port: at, httpPort: null, close: (grace) => closed(server, grace) };
}

/** Answers https, and beside it plain http with where to go. */
async function listenSecure(
  answer: RequestListener,
  config: Config,
  tls: Tls,
  log: Logger,
): Promise<Listening> {
  const { port, host, baseUrl, https } = config;
  const secure = createSecure((req, res) => void (tls.trust?.(req, res) || answer(req, res)), tls.current());
  Object.assign(secure.server, { requestTimeout: 0 });
  const at = await listening(secure.server, port, host, 'PORT');
  const { trust, answerTo } = tls;
  const plain = createServer(plainHttp({ baseUrl, port: () => at, answerTo, trust, forGood: config.hsts }));
  let httpPort: number | null = null;
  if (https && https.httpPort !== null) {
    try {
      httpPort = await listening(plain, https.httpPort, host, 'HTTP_PORT');
    } catch (error) {
      // People who type https:// come in all the same; whoever waits for a certificate is told by its failure.
      log.error(`Plain http is not answered, so nobody is sent on to https. ${(error as Error).message}`);
    }
  }
  tls.start(secure.use);
  return {
    port: at,
    httpPort,
    async close(grace) {
      tls.stop();
      await Promise.all([secure.close(grace), httpPort === null || closed(plain, grace)]);
    },
  };
}

/** Begins to answer, as the settings say. @throws with a sentence for the admin when a port cannot be had. */
export const listen = (
  answer: RequestListener,
  config: Config,
  tls: Tls | null,
  log: Logger,
): Promise<Listening> => (tls ? listenSecure(answer, config, tls, log) : listenPlain(answer, config));
