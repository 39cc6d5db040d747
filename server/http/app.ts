import { createHmac } from 'node:crypto';
import type { Router } from '@koa/router';
import Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Identity, RequestState } from './context.ts';
import { csrfGuard } from './csrf.ts';
import { drain } from './drain.ts';
import { isDisconnect } from './disconnect.ts';
import { notFound } from './errors.ts';
import { failures } from './failure.ts';
import { securityHeaders } from './headers.ts';
import { explainsLack } from './explain-forbidden.ts';
import type { OpenRequests } from './open-requests.ts';
import { programsKeepTo } from './program-access.ts';
import { behindProxies } from './proxies.ts';
import { rightHost } from './host.ts';
import { requestLog } from './request-log.ts';
import { unrouted } from './routing.ts';
import { identifies } from './session.ts';
import type { WriteLimits } from './write-limit.ts';
import { writeLimit } from './write-limit.ts';

export interface AppParts {
  log: Logger;
  /** `trustProxy`: the networks of our own proxies, in CIDR notation. */
  config: { baseUrl: string; trustProxy: readonly string[]; /** Left out, on https. */ hsts?: boolean };
  /** Signs cookies. At least 32 random bytes, kept over restarts. */
  secret: string | Uint8Array;
  identity: Identity;
  routes: readonly Router[];
  /** Paths whose unsafe requests prove themselves, such as a signed webhook. */
  csrfExcept?: readonly (string | RegExp)[];
  /** Paths that are open to programs with a token of their own; left out, none. */
  forPrograms?: RegExp;
  /** How much one user may change; left out or null, nobody is held up. */
  writes?: { limits: WriteLimits; now?: () => number } | null;
  /** Where requests are noted while they are answered. */
  openRequests?: OpenRequests;
  /** What keeps the server from its work; empty when nothing does. A rejection counts as such too. */
  health(): Promise<readonly { code: string; message: string }[]>;
  /** Whether requests should come here: false while it starts and once it is told to stop. Left out, it always is. */
  ready?(): boolean;
  /** Counts every request, and answers who looks at the figures. */
  metrics?: Middleware;
  /** Static files; calls `next` for what it does not have. Runs before anyone is identified. */
  assets?: Middleware;
  /** Everything that is neither a route nor a file. */
  pages?: Middleware;
}

/** What every request passes, in this order. */
export function createApp(parts: AppParts): Koa {
  const { log, config, identity } = parts;
  const { origin, protocol } = new URL(config.baseUrl);
  const https = protocol === 'https:';
  const hsts = config.hsts ?? https;
  // Koa would believe whatever proxy; whom we believe is settled below.
  const app = new Koa({ proxy: false });
  app.keys = [createHmac('sha256', parts.secret).update('cookies').digest('base64url')];
  app.on('error', (error: unknown, ctx?: Context) => {
    if (isDisconnect(error)) return;
    log.error(
      { err: error, request_id: (ctx?.state as RequestState | undefined)?.requestId },
      'answer failed',
    );
  });

  app.use(behindProxies(config.trustProxy, log));
  app.use((ctx, next) => {
    // A route may answer without having read the body; the rest of it is not waited for without end.
    ctx.res.once('finish', () => drain(ctx.req));
    return next();
  });
  app.use(requestLog(log));
  if (parts.openRequests) app.use(parts.openRequests.watch);
  app.use(failures(log, hsts));
  app.use(securityHeaders(hsts));
  app.use(health(parts));
  if (parts.metrics) app.use(parts.metrics);
  app.use(rightHost(config, log));
  if (parts.assets) app.use(parts.assets);
  app.use((ctx, next) => {
    // Behind a proxy that ends TLS the connection looks plain, yet cookies must be Secure.
    ctx.cookies.secure = https;
    return next();
  });
  app.use(identifies(app, identity, https));
  app.use(explainsLack);
  app.use(programsKeepTo(parts.forPrograms ?? /^$/));
  app.use(csrfGuard({ origin, except: parts.csrfExcept ?? [] }));
  if (parts.writes) app.use(writeLimit(parts.writes.limits, log, parts.writes.now));
  for (const router of parts.routes) app.use(router.routes() as Middleware);
  app.use(unrouted);
  app.use(
    parts.pages ??
      (() => {
        throw notFound();
      }),
  );
  return app;
}

const NOT_READY = { code: 'not_ready', message: 'The server is starting or stopping.' };

const health =
  ({ log, health: check, ready }: AppParts): Middleware =>
  async (ctx, next) => {
    if (!/^\/(?:healthz|readyz)$/.test(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    // Alive is who answers at all; ready, who is neither still starting nor about to stop.
    const asked = ctx.path === '/readyz' && ready && !ready() ? async () => [NOT_READY] : check;
    const problems = await asked().catch((error: unknown) => {
      log.error({ err: error }, 'not healthy');
      return [{ code: 'unknown', message: 'The server could not be asked.' }];
    });
    ctx.status = problems.length > 0 ? 503 : 200;
    ctx.body = problems.length > 0 ? { status: 'unavailable', problems } : { status: 'ok' };
    return undefined;
  };
