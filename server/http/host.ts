import { isIP } from 'node:net';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { AppError, badRequest } from './errors.ts';
import { within } from './proxies.ts';

const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Says which address to use instead of the one that was. */
export const wrongAddress = (here: string, origin: string): AppError =>
  new AppError(
    421,
    'wrong_address',
    `This server is set up for ${origin}, not for ${here}. Open ${origin} instead.`,
  );

/**
 * Names under which no other site can make a browser come here: numbers, and names that the Internet does not have, such
 * as `localhost`, a machine's own or that of a container.
 */
export function isNear(name: string): boolean {
  return (
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || /\.(?:local|localhost)$/.test(name)
  );
}

/**
 * Refuses a request for another site's name, under which a page of that site could ask us as if it were ours. Proxies of
 * the admin's know themselves which names are served.
 * @throws {AppError} 400 for what is no host, or two of them, 421 with the address to use; each name is logged once.
 */
export function rightHost(
  { baseUrl, trustProxy }: { baseUrl: string; trustProxy: readonly string[] },
  log: Pick<Logger, 'warn'>,
): Middleware {
  const { hostname, origin } = new URL(baseUrl);
  const ours = within(trustProxy);
  const told = new Set<string>();
  return (ctx: Context, next) => {
    const host = ctx.get('host');
    if (host === '') return next();
    // Node takes the first; a proxy in front might have taken the other.
    const { rawHeaders, socket } = ctx.req;
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1 || !HOST.test(host))
      throw badRequest('The Host header of the request names no host.', 'bad_host');
    const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
    if (name === hostname || isNear(name) || ours(socket.remoteAddress ?? '')) return next();
    if (told.size < 20 && !told.has(name)) {
      told.add(name);
      log.warn({ host: name, base_url: origin }, 'asked under a name that BASE_URL does not have');
    }
    throw wrongAddress(name, origin);
  };
}
