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
import { handleErrors } from './failure.ts';
import { securityHeaders } from './headers.ts';
import { explainForbidden } from './explain-forbidden.ts';
import type { OpenRequests } from './open-requests.ts';
import { restrictPrograms } from './program-access.ts';
import { trustProxies } from './proxies.ts';
import { checkHost } from './host.ts';
import { requestLog } from './request-log.ts';
import { requireSession } from './require-session.ts';
import { rejectUnmatched } from './routing.ts';
import { identifyUser } from './session.ts';
import type { WriteLimits } from './write-limit.ts';
import { writeLimit } from './write-limit.ts';

export interface AppDependencies {
  log: Logger;
  /** `trustProxy`: networks of the reverse proxies whose forwarded headers are trusted, in CIDR notation. */
  config: {
    baseUrl: string;
    trustProxy: readonly string[];
    /** Default: on when `baseUrl` is https. */ hsts?: boolean;
  };
  /** Signs cookies: at least 32 random bytes that survive a restart. */
  secret: string | Uint8Array;
  identity: Identity;
  routes: readonly Router[];
  /** Paths exempt from the CSRF check because their requests carry another proof, such as a signed webhook. */
  csrfExcept?: readonly (string | RegExp)[];
  /** Paths open to programs that hold an upload token; default: none. */
  forPrograms?: RegExp;
  /** Routes of the API that need no session, as they are declared; left out, each route decides for itself. */
  openRoutes?: readonly string[];
  /** Limits on the changes of one user; null or left out: no limit. */
  writes?: { limits: WriteLimits; now?: () => number } | null;
  /** Registry of the requests in progress. */
  openRequests?: OpenRequests;
  /** Problems that make the server unhealthy; empty when there are none. A rejection counts as a problem. */
  health(): Promise<readonly { code: string; message: string }[]>;
  /** Readiness for /readyz: false while the server starts or shuts down. Default: always ready. */
  ready?(): boolean;
  /** Counts every request and serves /metrics. */
  metrics?: Middleware;
  /** Static files; calls `next` for an unknown path. Runs before the user is identified. */
  assets?: Middleware;
  /** Handles every path that is neither a route nor a static file. */
  pages?: Middleware;
}

/** The middleware chain of every request, in this order. */
export function createApp(dependencies: AppDependencies): Koa {
  const { log, config, identity } = dependencies;
  const { origin, protocol } = new URL(config.baseUrl);
  const https = protocol === 'https:';
  const hsts = config.hsts ?? https;
  // Koa would trust any proxy; `trustProxies` below decides which proxies are trusted.
  const app = new Koa({ proxy: false });
  app.keys = [createHmac('sha256', dependencies.secret).update('cookies').digest('base64url')];
  app.on('error', (error: unknown, ctx?: Context) => {
    if (isDisconnect(error)) return;
    log.error(
      { err: error, request_id: (ctx?.state as RequestState | undefined)?.requestId },
      'answer failed',
    );
  });

  app.use(trustProxies(config.trustProxy, log));
  app.use((ctx, next) => {
    // A route may respond without reading the whole body: the rest is drained within limits.
    ctx.res.once('finish', () => drain(ctx.req));
    return next();
  });
  app.use(requestLog(log));
  if (dependencies.openRequests) app.use(dependencies.openRequests.watch);
  app.use(handleErrors(log, hsts));
  app.use(securityHeaders(hsts));
  app.use(health(dependencies));
  if (dependencies.metrics) app.use(dependencies.metrics);
  app.use(checkHost(config, log));
  if (dependencies.assets) app.use(dependencies.assets);
  app.use((ctx, next) => {
    // Behind a proxy that terminates TLS the connection is plain, yet the cookies must be Secure.
    ctx.cookies.secure = https;
    return next();
  });
  app.use(identifyUser(app, identity, https));
  app.use(explainForbidden);
  app.use(restrictPrograms(dependencies.forPrograms ?? /^$/));
  app.use(csrfGuard({ origin, except: dependencies.csrfExcept ?? [] }));
  if (dependencies.writes) app.use(writeLimit(dependencies.writes.limits, log, dependencies.writes.now));
  if (dependencies.openRoutes) app.use(requireSession(dependencies.routes, dependencies.openRoutes));
  for (const router of dependencies.routes) app.use(router.routes() as Middleware);
  app.use(rejectUnmatched);
  app.use(
    dependencies.pages ??
      (() => {
        throw notFound();
      }),
  );
  return app;
}

const NOT_READY = { code: 'not_ready', message: 'The server is starting or stopping.' };

const health =
  ({ log, health: check, ready }: AppDependencies): Middleware =>
  async (ctx, next) => {
    if (!/^\/(?:healthz|readyz)$/.test(ctx.path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    // /healthz reports whether the process works; /readyz also fails while it starts or shuts down.
    const checkNow = ctx.path === '/readyz' && ready && !ready() ? async () => [NOT_READY] : check;
    const problems = await checkNow().catch((error: unknown) => {
      log.error({ err: error }, 'not healthy');
      return [{ code: 'unknown', message: 'The server could not be asked.' }];
    });
    ctx.status = problems.length > 0 ? 503 : 200;
    ctx.body = problems.length > 0 ? { status: 'unavailable', problems } : { status: 'ok' };
    return undefined;
  };
