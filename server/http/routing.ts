import type { Middleware } from 'koa';
import { AppError, notFound } from './errors.ts';
import { isApi } from './context.ts';

interface Matched {
  matched?: { methods: string[] }[];
  routeMatched?: boolean;
}

/** Runs after the routers: 405 for a path that exists with other methods, 404 for an unknown API path, both as JSON. */
export const rejectUnmatched: Middleware = (ctx, next) => {
  const { matched = [] } = ctx as Matched;
  const methods = [...new Set(matched.flatMap((layer) => layer.methods))].toSorted();
  if (methods.length > 0) {
    ctx.set('Allow', methods.join(', '));
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return undefined;
    }
    throw new AppError(
      405,
      'method_not_allowed',
      `${ctx.method} is not possible here, only ${methods.join(', ')}.`,
    );
  }
  if (isApi(ctx.path)) throw notFound('address');
  return next();
};
