import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Logger } from 'pino';
import { WrongPassphrase } from '../datadir/keys/passphrase.ts';
import { passphrasePage, send, sendHealth, unlockedPage } from './locked-page.ts';

/** Limit of the submitted form. */
const MAX_FORM_BYTES = 8192;
/** Each wrong passphrase doubles the wait before the next try: 2, 4, 8 … seconds, up to this. */
const MAX_WAIT_SECONDS = 600;

interface UnlockOptions<T> {
  appName: string;
  baseUrl: string;
  /** @throws {WrongPassphrase} */
  open(passphrase: string): Promise<T>;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
/** Headers that proxies add: a request with one of them did not originate on this machine. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Whether the request originates on this machine, and not from another site in its browser. */
function isOwn({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '') || !LOOPBACK.test(host)) return false;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return (
    (origin === undefined || origin === `http://${host}`) &&
    (!site || /^(?:same-origin|none)$/.test(`${site}`))
  );
}

async function bodyOf(req: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_FORM_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Takes the passphrase on the loopback address; wrong tries are throttled. */
export function createUnlockServer<T>({ appName, baseUrl, open, now, log }: UnlockOptions<T>) {
  let wrong = 0;
  let waitsUntil = 0;
  let busy = false;
  let done!: (opened: T) => void;
  const opened = new Promise<T>((resolve) => (done = resolve));

  /** One try; the vault is open on status 200. */
  async function attempt(passphrase: string): Promise<{ status: number; message: string; wait?: number }> {
    const wait = Math.ceil((waitsUntil - now()) / 1000);
    if (wait > 0)
      return {
        status: 429,
        wait,
        message: `Too soon after a wrong passphrase. Try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
      };
    // Each try takes 256 MB, and parallel tries would bypass the throttling.
    if (busy)
      return { status: 429, wait: 2, message: 'Another passphrase is being tried. Try again in a moment.' };
    busy = true;
    try {
      const vault = await open(passphrase);
      log.info('The vault was unlocked.');
      done(vault);
      return {
        status: 200,
        message: `Unlocked. The server is starting, and answers at ${baseUrl} in a moment.`,
      };
    } catch (error) {
      if (!(error instanceof WrongPassphrase)) {
        log.warn({ err: error }, 'The passphrase could not be tried.');
        return { status: 503, message: (error as Error).message };
      }
      wrong += 1;
      waitsUntil = now() + 1000 * Math.min(2 ** wrong, MAX_WAIT_SECONDS);
      log.warn(`A wrong passphrase was typed; ${wrong} since the start.`);
      return { status: 403, message: error.message };
    } finally {
      busy = false;
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (sendHealth(req, res)) return;
    if (!isOwn(req)) return send(res, 421, { message: 'A vault is unlocked on its own machine only.' });
    const path = (req.url ?? '').split('?')[0];
    if (path === '/' && (req.method === 'GET' || req.method === 'HEAD'))
      return send(res, 200, passphrasePage(appName, null));
    if (path !== '/unlock' || req.method !== 'POST')
      return send(res, 404, { message: 'There is nothing here.' });
    const body = await bodyOf(req);
    const passphrase = body === null ? null : new URLSearchParams(body).get('passphrase');
    const { status, message, wait } = passphrase
      ? await attempt(passphrase)
      : { status: 422, message: 'Type the passphrase.' };
    const headers: Record<string, string> = wait ? { 'Retry-After': String(wait) } : {};
    if (/json/.test(req.headers.accept ?? '')) return send(res, status, { message }, headers);
    return send(
      res,
      status,
      status === 200 ? unlockedPage(appName, baseUrl) : passphrasePage(appName, message),
      headers,
    );
  }

  const server = createServer((req, res) => {
    // No connection may outlive this server.
    res.setHeader('Connection', 'close');
    answer(req, res).catch(() => res.destroy());
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 50;
  return { server, opened };
}

/**
 * Waits until somebody on this machine has entered the passphrase.
 * @throws an error with a message for the admin when the port is not available.
 */
export async function waitForPassphrase<T>(port: number, parts: Omit<UnlockOptions<T>, 'now'>): Promise<T> {
  const { server, opened } = createUnlockServer({ ...parts, now: () => performance.now() });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) =>
      reject(new Error(`${error.message}. Set UNLOCK_PORT to another number, or stop what uses this one.`)),
    );
    server.listen(port, '127.0.0.1');
  });
  const { port: boundPort } = server.address() as { port: number };
  parts.log.warn(
    `The vault is locked. On this machine open http://127.0.0.1:${boundPort} and type the passphrase, or run "npm run admin -- key unlock"; ` +
      `from another one: ssh -L ${boundPort}:127.0.0.1:${boundPort} THIS_MACHINE`,
  );
  try {
    return await opened;
  } finally {
    server.close();
    server.closeIdleConnections();
  }
}
