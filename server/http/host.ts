import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { AppError, badRequest } from './errors.ts';
import { addressMatcher } from './proxies.ts';

const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** The error for a request to the wrong host name, with the right address. */
export const wrongAddress = (here: string, origin: string): AppError =>
  new AppError(
    421,
    'wrong_address',
    `This server is set up for ${origin}, not for ${here}. Open ${origin} instead.`,
  );

/**
 * Whether no other site can own the name, so that it is safe from DNS rebinding: IP addresses, and names
 * without a public domain, such as `localhost`, a machine name or a container name.
 */
export function isPrivateName(name: string): boolean {
  return (
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || /\.(?:local|localhost)$/.test(name)
  );
}

/**
 * Rejects requests for a foreign host name, which a page of another site could use to call this server as its
 * own origin (DNS rebinding). Requests through a trusted proxy pass: the proxy knows which names it serves.
 * Each foreign name is logged once.
 * @throws {AppError} 400 for a missing or repeated host, 421 with the address to use.
 */
export function checkHost(
  { baseUrl, trustProxy }: { baseUrl: string; trustProxy: readonly string[] },
  log: Pick<Logger, 'warn'>,
): Middleware {
  const { hostname, origin } = new URL(baseUrl);
  const ours = addressMatcher(trustProxy);
  const logged = new Set<string>();
  return (ctx: Context, next) => {
    const host = ctx.get('host');
    if (host === '') return next();
    // Node uses the first Host header; a proxy in front may have used another one.
    const { rawHeaders, socket } = ctx.req;
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1 || !HOST.test(host))
      throw badRequest('The Host header of the request names no host.', 'bad_host');
    const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
    if (name === hostname || isPrivateName(name) || ours(socket.remoteAddress ?? '')) return next();
    if (logged.size < 20 && !logged.has(name)) {
      logged.add(name);
      log.warn({ host: name, base_url: origin }, 'asked under a name that BASE_URL does not have');
    }
    throw wrongAddress(name, origin);
  };
}
