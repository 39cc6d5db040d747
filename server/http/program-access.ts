import type { Middleware } from 'koa';
import type { RequestState } from './context.ts';
import { forbidden } from './errors.ts';

const ONLY = 'A connected program can upload and nothing else.';

/**
 * Refuses programs with a token of their own whatever is not made for them, so that each new call is closed to them until
 * somebody opens it.
 * @param open paths that are.
 */
export const programsKeepTo =
  (open: RegExp): Middleware =>
  (ctx, next) => {
    const { actor, barred } = ctx.state as RequestState;
    if ((actor ?? barred?.actor)?.program && !open.test(ctx.path)) throw forbidden(ONLY);
    return next();
  };
