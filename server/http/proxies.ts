import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from './context.ts';

/** Names that an admin may write for whole ranges. */
const WORDS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Parses a list such as `127.0.0.1, 10.0.0.0/8, loopback` into networks in CIDR notation.
 * @returns undefined when a part is invalid or covers every address.
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
  return networks.length > 0 && networks.every((network) => network !== undefined) ? networks : undefined;
}

/** A predicate for addresses in one of `networks`; an IPv4 address also matches in its IPv6-mapped form. */
export function addressMatcher(networks: readonly string[]): (ip: string) => boolean {
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

const headerList = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Some proxies append the port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/**
 * The client's address and protocol. Starting from the connection, each address that belongs to a trusted proxy
 * is replaced by the one that this proxy saw. Entries of `X-Forwarded-For` further left were written by the
 * client and are ignored.
 */
function clientOf({ socket, headers }: IncomingMessage, ours: (ip: string) => boolean) {
  const hops = headerList(headers['x-forwarded-for']);
  let ip = socket.remoteAddress ?? '';
  let proxies = 0;
  while (ours(ip)) {
    const before = withoutPort(hops.pop() ?? '');
    if (!isIP(before)) break;
    ip = before;
    proxies += 1;
  }
  // Each proxy may append a protocol, though most leave the first entry as it is.
  const protocols = ours(socket.remoteAddress ?? '') ? headerList(headers['x-forwarded-proto']) : [];
  const protocol = protocols[Math.max(0, protocols.length - Math.max(1, proxies))];
  const secure =
    protocol === undefined ? 'encrypted' in socket && socket.encrypted : /^https$/i.test(protocol);
  return { ip, protocol: secure ? ('https' as const) : ('http' as const) };
}

/**
 * Sets the client address and the protocol of each request. Only the proxies in `networks` are trusted. A
 * forwarded request from any other address is logged once, because all users behind such a proxy share one rate
 * limit.
 */
export function trustProxies(networks: readonly string[], log: Logger): Middleware {
  const ours = addressMatcher(networks);
  let warned = false;
  return (ctx, next) => {
    const { ip, protocol } = clientOf(ctx.req, ours);
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
