import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Middleware } from 'koa';
import sirv from 'sirv';

/**
 * Headers that browsers only read on documents, and the request id, which nobody looks up for a script; on each script and
 * font they would be two thirds of the response's headers.
 */
const REMOVED_HEADERS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Request-Id',
];
const NO_DOCUMENT = /\.(js|css|woff2|wasm)$/;

/**
 * Serves the files of the build, compressed beforehand. Names under `/_astro/` contain a content hash and are
 * cached for ever; every other file is revalidated.
 * @param folder the client folder of the build.
 */
export function createAssets(folder: string): Middleware {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders(res: ServerResponse, path: string) {
      const hashed = path.startsWith('/_astro/');
      res.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (NO_DOCUMENT.test(path)) REMOVED_HEADERS.forEach((name) => res.removeHeader(name));
    },
  });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    let found = true;
    // sirv sends the status before it opens the file and ignores stream errors: a file that a rebuild deleted
    // under a running server would crash the process.
    ctx.res.once('pipe', (file: Readable) => file.once('error', () => ctx.res.destroy()));
    // sirv looks the path up in memory, so it calls this synchronously when there is no such file.
    serve(ctx.req, ctx.res, () => {
      found = false;
    });
    if (!found) return next();
    ctx.respond = false;
    await finished(ctx.res).catch(() => undefined);
    return undefined;
  };
}
