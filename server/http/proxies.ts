import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from './context.ts';

/** What an admin may write instead of addresses. */
const WORDS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * A list such as `127.0.0.1, 10.0.0.0/8, loopback`, as networks in CIDR notation.
 * @returns undefined when a part is none of these, or names every address there is.
 */
export function readProxies(text: string): string[] | undefined {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  const networks = parts.flatMap((part): readonly (string | undefined)[] => {
    const [address = '', bits, ...rest] = part.split('/');
    const family = isIP(address);
    if (!family) return WORDS[part.toLowerCase()] ?? [undefined];
    const most = family === 4 ? 32 : 128;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : 0;
    return [rest.length === 0 && length >= 1 && length <= most ? `${address}/${length}` : undefined];
  });
  return networks.length > 0 && networks.every((one) => one !== undefined) ? networks : undefined;
}

/** Whether an address lies in one of `networks`; an IPv4 one also when it comes written as IPv6. */
export function within(networks: readonly string[]): (ip: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (ip) => {
    const plain = ip.replace(/%.*$/, '');
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
}

const listOf = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Some proxies write the port as well: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * Whence a request came: the address of the connection or, as long as that belongs to a proxy of ours, the one which
 * that proxy saw. What stands further left in `X-Forwarded-For` was written by the client and counts for nothing.
 */
function whence({ socket, headers }: IncomingMessage, ours: (ip: string) => boolean) {
  const hops = listOf(headers['x-forwarded-for']);
  let ip = socket.remoteAddress ?? '';
  let proxies = 0;
  while (ours(ip)) {
    const before = withoutPort(hops.pop() ?? '');
    if (!isIP(before)) break;
    ip = before;
    proxies += 1;
  }
  // Each proxy adds one, though most have only the first write it.
  const protocols = ours(socket.remoteAddress ?? '') ? listOf(headers['x-forwarded-proto']) : [];
  const protocol = protocols[Math.max(0, protocols.length - Math.max(1, proxies))];
  const secure =
    protocol === undefined ? 'encrypted' in socket && socket.encrypted : /^https$/i.test(protocol);
  return { ip, protocol: secure ? ('https' as const) : ('http' as const) };
}

/**
 * Sets the address and the protocol of each request. Only the proxies in `networks` are believed; when others forward
 * requests the log says so once, for then all people behind them count as one place.
 */
export function behindProxies(networks: readonly string[], log: Logger): Middleware {
  const ours = within(networks);
  let warned = false;
  return (ctx, next) => {
    const { ip, protocol } = whence(ctx.req, ours);
    const from = ctx.req.socket.remoteAddress ?? '';
    if (!warned && ctx.get('x-forwarded-for') !== '' && !ours(from)) {
      warned = true;
      log.warn(
        `Requests from ${from} carry X-Forwarded-For, which is not believed: TRUST_PROXY does not name that address. ` +
          'If it is a proxy of yours, everybody behind it counts as one place, and the failed sign-ins of a few lock ' +
          `all out for a while: set TRUST_PROXY=${from.replace(/^::ffff:/, '')} and restart.`,
      );
    }
    ctx.request.ip = ip;
    (ctx.state as RequestState).protocol = protocol;
    return next();
  };
}
