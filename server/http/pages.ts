import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Context, Middleware } from 'koa';
import { compressHtml } from './compress.ts';

/** The render function that Astro's build exports. */
export type RenderPage<Locals> = (
  req: IncomingMessage,
  res: ServerResponse,
  next: undefined,
  locals: Locals,
) => Promise<void>;

/**
 * Hands the request to Astro, with the services for its pages as `Astro.locals`. Koa does not respond any more,
 * so cookies and headers must be set before.
 */
export function createPages<Locals>(
  render: RenderPage<Locals>,
  localsOf: (ctx: Context) => Promise<Locals>,
): Middleware {
  return async (ctx) => {
    const locals = await localsOf(ctx);
    ctx.respond = false;
    ctx.res.statusCode = 200;
    compressHtml(ctx);
    const done = finished(ctx.res).catch(() => undefined);
    await render(ctx.req, ctx.res, undefined, locals);
    await done;
  };
}
