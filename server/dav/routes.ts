import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { RequestState } from '#server/http/context.ts';
import { originOf } from '#server/http/context.ts';
import { drain } from '#server/http/drain.ts';
import { AppError, forbidden, unauthenticated } from '#server/http/errors.ts';
import { explainForbidden } from '#server/http/explain-forbidden.ts';
import { storageFailure } from '#server/http/storage-failure.ts';
import { WRITES_PER_MINUTE, writeLimit } from '#server/http/write-limit.ts';
import { sendError } from './errors.ts';
import { DAV, namesIn } from './paths.ts';
import type { Dav } from './service.ts';

/** Headers of every response. */
const CLASSES = { DAV: '1, 2', 'MS-Author-Via': 'DAV' };
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/i;
const NEEDS_HTTPS =
  'The drive opens over https only, since the password would be readable on the way. Use the https address of this server.';
const NEEDS_PASSWORD =
  'Sign in with the e-mail address of your account and an app password, which you make under Settings. The password of the account does not open the drive.';

function credentials(ctx: Context): { email: string; password: string } | null {
  const found = /^basic +([a-z0-9+/=_-]+)\s*$/i.exec(ctx.get('authorization'))?.[1];
  const text = Buffer.from(found ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { email: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Whether nobody on the network can read the password. */
const isPrivate = (ctx: Context): boolean =>
  (ctx.state as RequestState).protocol === 'https' || 'encrypted' in ctx.req.socket || LOOPBACK.test(ctx.ip);

/** The WebDAV routes. Cookies and session tokens have no effect here: each request carries an app password. */
export function davRoutes(dav: Dav, { limited, log }: { limited: boolean; log?: Logger }): Router {
  const router = new Router();
  if (dav.setting === 'off') return router;
  const limit: Middleware = limited
    ? writeLimit({ ...WRITES_PER_MINUTE, isBulk: () => true }, log ?? { warn: () => {} })
    : (_ctx, next) => next();

  async function authenticate(ctx: Context): Promise<Actor> {
    if (dav.setting !== 'plain' && !isPrivate(ctx)) throw forbidden(NEEDS_HTTPS);
    const login = credentials(ctx);
    const actor = login && (await dav.identify(login.email, login.password, originOf(ctx)));
    if (!actor) throw unauthenticated(NEEDS_PASSWORD);
    return actor;
  }

  const handleErrors: Middleware = async (ctx, next) => {
    ctx.state.actor = null;
    ctx.set(CLASSES);
    try {
      await next();
    } catch (thrown) {
      const error = storageFailure(thrown);
      if (!(error instanceof AppError) || ctx.headerSent || ctx.req.socket.destroyed) throw thrown;
      for (const name of ['ETag', 'Content-Range', 'Last-Modified', 'Content-Length']) ctx.remove(name);
      sendError(ctx, error);
      if (error.status === 401) ctx.set('WWW-Authenticate', 'Basic realm="Almirah", charset="UTF-8"');
      drain(ctx.req);
    }
  };

  const dispatch: Middleware = async (ctx) => {
    const state = ctx.state as RequestState;
    const actor = await authenticate(ctx);
    state.actor = actor;
    if (!may(actor, 'documents.read')) throw forbidden();
    state.requireLiveSession = async () => {
      state.actor = await authenticate(ctx);
    };
    await limit(ctx, async () => {
      if (ctx.req.url?.includes('#')) throw new AppError(400, 'bad_request', 'The address holds a fragment.');
      ctx.state.names = namesIn(ctx.path);
      ctx.set('Cache-Control', 'private, no-store');
      await dav.methods[ctx.method]!(ctx, actor);
      if (ctx.status === 201 || ctx.status === 204)
        ctx.body = ctx.status === 201 && !ctx.body ? '' : ctx.body;
    });
  };

  const path = `${DAV}{/*names}`;
  router.register(
    path,
    ['OPTIONS'],
    [
      handleErrors,
      (ctx) => {
        ctx.set('Allow', ['OPTIONS', ...Object.keys(dav.methods)].join(', '));
        ctx.status = 200;
        ctx.body = '';
      },
    ],
  );
  const methods = Object.keys(dav.methods).filter((method) => method !== 'HEAD');
  router.register(path, methods, [handleErrors, explainForbidden, dispatch]);
  return router;
}
