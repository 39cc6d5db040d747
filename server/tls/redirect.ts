import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNear } from '#server/http/host.ts';

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,256})$/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/** Where programs ask, with a password or a token. */
const PROGRAMS = /^\/(?:api|dav)(?:\/|$)/i;

export interface PlainParts {
  baseUrl: string;
  /** On which https is served. */
  port: () => number;
  /** What an authority that asks for this token is told. */
  answerTo?: ((token: string) => string | undefined) | undefined;
  /** Answers what is to be had without a certificate; false for everything else. */
  trust?: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** Whether browsers may remember that they are sent on. */
  forGood: boolean;
}

/** What plain http answers where https is served: proofs for an authority, the page about trust, and where to go. */
export function plainHttp({ baseUrl, port, answerTo, trust, forGood }: PlainParts) {
  const base = new URL(baseUrl);
  return (req: IncomingMessage, res: ServerResponse): void => {
    req.resume();
    res.setHeader('X-Content-Type-Options', 'nosniff');
    const path = (req.url ?? '/').split('?')[0]!;
    const token = CHALLENGE.exec(path)?.[1];
    if (token !== undefined) {
      const proof = answerTo?.(token);
      res.writeHead(proof === undefined ? 404 : 200, { 'Content-Type': 'application/octet-stream' });
      res.end(proof ?? 'There is no such proof here.');
      return;
    }
    if (trust?.(req, res)) return;
    if (PROGRAMS.test(path)) {
      // Whoever is sent on goes on sending its password or token readably first, and nobody notices.
      res.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
      res.end(
        `Programs are answered by https alone: ${base.origin}. Change the address, and then the password.\n`,
      );
      return;
    }
    const host = req.headers.host ?? '';
    const name = HOST.test(host) ? host.toLowerCase().replace(/:\d+$/, '') : base.hostname;
    const suffix = port() === 443 ? '' : `:${port()}`;
    // By another name than the one of BASE_URL only this network comes here.
    const to = name !== base.hostname && isNear(name) ? `https://${name}${suffix}` : base.origin;
    const url = req.url?.startsWith('/') ? req.url : '/';
    res.writeHead(forGood ? 308 : 307, { Location: `${to}${url}`, 'Content-Type': 'text/plain' });
    res.end(`This server speaks https: ${to}\n`);
  };
}
