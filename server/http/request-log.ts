import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from './context.ts';
import { inRequest } from './request-context.ts';

/** Whatever looks like a secret in a path: link tokens have 128 bits or more, words in routes are shorter. */
const SECRET = /[\w-]{22,}(?:\.[\w-]+)*/g;
/** The token of a shared link, request, drop link or client page, valid or guessed. */
const SHARED = /^(\/[cdrs]\/)[^/]+/i;
/** Names of clients and files in WebDAV paths, also where a program writes the address in another way. */
const NAMES = /^(.*?\/dav\/).+/is;
/** The methods that only WebDAV has: with them any path holds names. */
const OF_WEBDAV = /^(?:PROPFIND|PROPPATCH|MKCOL|COPY|MOVE|LOCK|UNLOCK|REPORT|SEARCH)$/;
/** How often a path is decoded: programs encode one twice at most. */
const DECODINGS = 3;
/** Routine requests, logged at debug level. */
const QUIET = /^\/(?:(?:healthz|readyz|metrics)$|_astro\/)/;

function levelOf(status: number, path: string): 'error' | 'warn' | 'info' | 'debug' {
  if (status >= 500) return 'error';
  if (status === 419 || status === 429) return 'warn';
  return QUIET.test(path) ? 'debug' : 'info';
}

/** One spelling of a path: `//dav/…` and `/%64av/…` are not routes, but hold names too. */
function plainly(path: string): string {
  let plain = path;
  for (let round = 0; round < DECODINGS; round += 1)
    plain = plain.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return plain.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
}

const withoutNames = (method: string, path: string): string =>
  OF_WEBDAV.test(method) && !/^\/dav\/?$/.test(path)
    ? '/dav/[hidden]'
    : plainly(path)
        .slice(0, 300)
        .replace(SHARED, '$1[hidden]')
        .replace(NAMES, '$1[hidden]')
        .replace(SECRET, '[hidden]');

/**
 * Assigns the request id (never taken from the client) and writes one log line when the request ends. The line
 * holds no query string, header or body, since those carry tokens and passwords.
 */
export function requestLog(log: Logger): Middleware {
  const write = (ctx: Context, started: number): void => {
    const { requestId, actor } = ctx.state as RequestState;
    const complete = ctx.res.writableFinished;
    log[levelOf(ctx.status, ctx.path)](
      {
        request_id: requestId,
        method: ctx.method,
        path: withoutNames(ctx.method, ctx.path),
        status: ctx.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ip: ctx.ip,
        ...(actor && { user_id: actor.userId }),
        ...(!complete && { cut: true }),
      },
      complete ? 'request' : 'request cut short',
    );
  };

  return (ctx, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    Object.assign(ctx.state, { requestId, actor: null, bearer: null } satisfies Omit<
      RequestState,
      'protocol'
    >);
    ctx.set('X-Request-Id', requestId);
    ctx.res.once('close', () => write(ctx, started));
    return inRequest({ requestId, ip: ctx.ip, userAgent: ctx.get('user-agent').slice(0, 400) }, next);
  };
}
