import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPrivateName } from '#server/http/host.ts';

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,256})$/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Paths for programs, which send a password or a token. */
const PROGRAMS = /^\/(?:api|dav)(?:\/|$)/i;

interface PlainDependencies {
  baseUrl: string;
  /** The https port. */
  port: () => number;
  /** The ACME challenge response for a token. */
  challengeResponse?: ((token: string) => string | undefined) | undefined;
  /** Serves the page about trusting the authority; false for any other path. */
  trust?: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** Whether browsers may cache the redirect. */
  permanent: boolean;
}

/** The plain http listener beside https: ACME challenges, the page about trust, and redirects. */
export function plainHttp({ baseUrl, port, challengeResponse, trust, permanent }: PlainDependencies) {
  const base = new URL(baseUrl);
  return (req: IncomingMessage, res: ServerResponse): void => {
    req.resume();
    res.setHeader('X-Content-Type-Options', 'nosniff');
    const path = (req.url ?? '/').split('?')[0]!;
    const token = CHALLENGE.exec(path)?.[1];
    if (token !== undefined) {
      const proof = challengeResponse?.(token);
      res.writeHead(proof === undefined ? 404 : 200, { 'Content-Type': 'application/octet-stream' });
      res.end(proof ?? 'There is no such proof here.');
      return;
    }
    if (trust?.(req, res)) return;
    if (PROGRAMS.test(path)) {
      // A redirected program would keep sending its password or token in plain text first, unnoticed.
      res.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
      res.end(
        `Programs are answered by https alone: ${base.origin}. Change the address, and then the password.\n`,
      );
      return;
    }
    const host = req.headers.host ?? '';
    const name = HOST.test(host) ? host.toLowerCase().replace(/:\d+$/, '') : base.hostname;
    const suffix = port() === 443 ? '' : `:${port()}`;
    // Another name than that of BASE_URL is accepted only if it is private.
    const to = name !== base.hostname && isPrivateName(name) ? `https://${name}${suffix}` : base.origin;
    const url = req.url?.startsWith('/') ? req.url : '/';
    res.writeHead(permanent ? 308 : 307, { Location: `${to}${url}`, 'Content-Type': 'text/plain' });
    res.end(`This server speaks https: ${to}\n`);
  };
}
