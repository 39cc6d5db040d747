import type { Middleware } from 'koa';
import type { RequestState } from './context.ts';
import { forbidden } from './errors.ts';

const ONLY = 'A connected program can upload and nothing else.';

/**
 * Rejects programs with an upload token everywhere except on `open` paths, so that a new route is closed to
 * them by default.
 */
export const restrictPrograms =
  (open: RegExp): Middleware =>
  (ctx, next) => {
    const { actor, barred } = ctx.state as RequestState;
    if ((actor ?? barred?.actor)?.program && !open.test(ctx.path)) throw forbidden(ONLY);
    return next();
  };
