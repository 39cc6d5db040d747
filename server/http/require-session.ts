import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { RequestState } from './context.ts';
import { actorOf, isApi } from './context.ts';

/**
 * Rejects a call of the API without a session before its route reads any input, so that the answer is 401 whatever
 * was sent. A new route needs a session by default; an unknown address stays a 404.
 * @param open routes that need none or check it themselves, as they are declared: `/api/documents/:id/content`.
 */
export function requireSession(routers: readonly Router[], open: readonly string[]): Middleware {
  const routeOf = ({ path, method }: Context) =>
    routers
      .flatMap(({ stack }) => stack)
      .find((layer) => layer.methods.includes(method) && layer.match(path))
      ?.path.toString();
  return (ctx, next) => {
    const { actor } = ctx.state as RequestState;
    if (actor || !isApi(ctx.path)) return next();
    const route = routeOf(ctx);
    if (route !== undefined && !open.includes(route)) actorOf(ctx);
    return next();
  };
}
