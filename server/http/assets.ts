import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Middleware } from 'koa';
import sirv from 'sirv';

/**
 * Serves what the build made, compressed beforehand. Names under `/_astro/` change with their content, so the
 * browser may keep them for ever; everything else it asks about again.
 * @param folder the built client folder.
 */
export function createAssets(folder: string): Middleware {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(res: ServerResponse, path: string) {
      const hashed = path.startsWith('/_astro/');
      res.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    let found = true;
    // sirv opens the file after the status is out and listens for no error: one that is gone, since the site was built
    // anew under a running server, would end the process.
    ctx.res.once('pipe', (file: Readable) => file.once('error', () => ctx.res.destroy()));
    // The list of files is in memory, so sirv says at once whether there is one.
    serve(ctx.req, ctx.res, () => {
      found = false;
    });
    if (!found) return next();
    ctx.respond = false;
    await finished(ctx.res).catch(() => undefined);
    return undefined;
  };
}
