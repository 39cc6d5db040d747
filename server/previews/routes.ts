import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { FileRef } from '#server/documents/service.ts';
import { notModified } from '#server/http/conditional.ts';
import { actorOf, success } from '#server/http/context.ts';
import { readId } from '#server/http/input.ts';
import { sendGenerated } from '#server/http/send.ts';
import type { Picture, Previews } from './service.ts';

/**
 * The browser caches the picture but revalidates each use, which requires a session: after a sign-out nothing is shown, even
 * over plain HTTP, where Clear-Site-Data has no effect. With a valid session the response is a 304 without a body.
 */
const REVALIDATED = 'private, no-cache';

/** The next user of the computer after a sign-out must not find a readable page in the cache. */
const NOT_CACHED = 'private, no-store';

async function show(ctx: Context, { etag, bytes, open }: Picture, caching = REVALIDATED): Promise<void> {
  ctx.set({ ETag: etag, 'Cache-Control': caching, Vary: 'Cookie, Authorization' });
  ctx.status = 200;
  if (notModified(ctx, etag, new Date(NaN))) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'image/webp';
  if (ctx.method === 'GET') ctx.body = await open();
  ctx.length = bytes;
}

/**
 * Untrusted HTML is shown only in frames of this site, without scripts, forms or remote content; the page is
 * self-contained. It keeps the site's origin, so that the surrounding preview receives the keys Esc and arrows.
 */
const FRAMED = {
  'Content-Security-Policy':
    "sandbox allow-same-origin; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'Referrer-Policy': 'no-referrer',
};

/** Sends stored gzipped content, unpacked for clients that do not accept gzip. */
function sendZipped(ctx: Context, type: string, zipped: Buffer): void {
  const accepts = ctx.acceptsEncodings('gzip') === 'gzip';
  ctx.set('Cache-Control', NOT_CACHED);
  ctx.vary('Accept-Encoding');
  ctx.type = type;
  if (accepts) ctx.set('Content-Encoding', 'gzip');
  ctx.body = accepts ? zipped : gunzipSync(zipped);
}

/** Aborts when the response is closed: sent, or cancelled, as when the user has scrolled on. */
function closedSignal({ res }: Context): AbortSignal {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  return abort.signal;
}

/**
 * Previews of files and of their earlier versions: pictures and extracted content. An `<img>` or frame sends the session
 * cookie, which suffices for reading.
 */
export function previewRoutes({ previews }: { previews: Previews }): Router {
  const router = new Router({ prefix: '/api/documents' });
  previewsOf(router, '/:id', (params) => readId(params.id, 'item'), previews);
  previewsOf(
    router,
    '/:id/versions/:version',
    ({ id, version }) => ({ item: readId(id, 'item'), version: readId(version, 'version') }),
    previews,
  );
  return router;
}

/** Adds the routes of the previews below the path of a file or a version. */
function previewsOf(
  router: Router,
  path: string,
  refOf: (params: Record<string, string | undefined>) => FileRef,
  previews: Previews,
): void {
  router.get(`${path}/thumbnail`, async (ctx) => {
    const picture = await previews.thumbnail(actorOf(ctx), refOf(ctx.params), closedSignal(ctx));
    if (picture) return show(ctx, picture);
    // Not an error: most types have no thumbnail, and some files are unreadable.
    ctx.set('Cache-Control', REVALIDATED);
    ctx.status = 204;
    return undefined;
  });

  router.get(`${path}/pages`, async (ctx) => {
    ctx.body = success({ pages: await previews.pages(actorOf(ctx), refOf(ctx.params)) });
  });

  router.get(`${path}/pages/:page`, async (ctx) => {
    const actor = actorOf(ctx);
    const page = readId(ctx.params.page, 'page');
    const found = await previews.page(actor, refOf(ctx.params), page, closedSignal(ctx));
    if (!('stamped' in found)) return show(ctx, found, NOT_CACHED);
    // A stamped page is valid for this user at this minute only, so it has no ETag.
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'image/jpeg';
    ctx.body = found.stamped;
    return undefined;
  });

  router.get(`${path}/view`, async (ctx) => {
    const json = await previews.view(actorOf(ctx), refOf(ctx.params), closedSignal(ctx));
    sendZipped(ctx, 'application/json; charset=utf-8', json);
  });

  router.get(`${path}/view/body`, async (ctx) => {
    ctx.set(FRAMED);
    const body = await previews.body(actorOf(ctx), refOf(ctx.params), closedSignal(ctx));
    sendZipped(ctx, 'text/html; charset=utf-8', body);
  });

  router.get(`${path}/attachments/:place`, async (ctx) => {
    const [ref, place] = [refOf(ctx.params), readId(ctx.params.place, 'attachment')];
    const sending = ctx.method === 'GET';
    const { name, bytes } = await previews.attachment(actorOf(ctx), ref, place, closedSignal(ctx), {
      sending,
    });
    const type = 'application/octet-stream';
    await sendGenerated(ctx, { name, type, size: bytes.length, open: async () => Readable.from([bytes]) });
  });
}
