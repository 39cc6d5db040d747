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
 * Kept by the browser, but each use of what was kept asks first, which the session answers for: after a sign-out, also
 * over plain http, where Clear-Site-Data does nothing, nothing is shown. The answer to a good session has no body.
 */
const ASKED_EACH_TIME = 'private, no-cache';

/** Whoever sits down at the computer after a sign-out must find no page that can be read. */
const READABLE = 'private, no-store';

async function show(ctx: Context, { etag, bytes, open }: Picture, caching = ASKED_EACH_TIME): Promise<void> {
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
 * What others wrote is shown in a frame of ours alone, where no script runs, no form is sent and nothing is loaded: all
 * that it needs is in it. It keeps our origin, so that the preview around it hears Esc and the arrows there.
 */
const FRAMED = {
  'Content-Security-Policy':
    "sandbox allow-same-origin; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
  'Referrer-Policy': 'no-referrer',
};

/** Answers with what is kept gzipped, and plain to the few who do not take it so. */
function sendZipped(ctx: Context, type: string, zipped: Buffer): void {
  const accepts = ctx.acceptsEncodings('gzip') === 'gzip';
  ctx.set('Cache-Control', READABLE);
  ctx.vary('Accept-Encoding');
  ctx.type = type;
  if (accepts) ctx.set('Content-Encoding', 'gzip');
  ctx.body = accepts ? zipped : gunzipSync(zipped);
}

/** Aborts when the reader has scrolled on, or has the answer. */
function askerOf({ res }: Context): AbortSignal {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  return abort.signal;
}

/**
 * Pictures of files and of their earlier versions, and what they hold. A page's `<img>` or frame sends the session's
 * cookie, which is enough to read.
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

/** The calls below one path, which names a file or a version. */
function previewsOf(
  router: Router,
  path: string,
  refOf: (params: Record<string, string | undefined>) => FileRef,
  previews: Previews,
): void {
  router.get(`${path}/thumbnail`, async (ctx) => {
    const picture = await previews.thumbnail(actorOf(ctx), refOf(ctx.params), askerOf(ctx));
    if (picture) return show(ctx, picture);
    // No fault: most kinds of files have none, and some files cannot be read.
    ctx.set('Cache-Control', ASKED_EACH_TIME);
    ctx.status = 204;
    return undefined;
  });

  router.get(`${path}/pages`, async (ctx) => {
    ctx.body = success({ pages: await previews.pages(actorOf(ctx), refOf(ctx.params)) });
  });

  router.get(`${path}/pages/:page`, async (ctx) => {
    const actor = actorOf(ctx);
    const page = readId(ctx.params.page, 'page');
    const found = await previews.page(actor, refOf(ctx.params), page, askerOf(ctx));
    if (!('stamped' in found)) return show(ctx, found, READABLE);
    // Nobody else's, not even the same person's a minute later: no tag, nothing to be compared with.
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'image/jpeg';
    ctx.body = found.stamped;
    return undefined;
  });

  router.get(`${path}/view`, async (ctx) => {
    const json = await previews.view(actorOf(ctx), refOf(ctx.params), askerOf(ctx));
    sendZipped(ctx, 'application/json; charset=utf-8', json);
  });

  router.get(`${path}/view/body`, async (ctx) => {
    ctx.set(FRAMED);
    const body = await previews.body(actorOf(ctx), refOf(ctx.params), askerOf(ctx));
    sendZipped(ctx, 'text/html; charset=utf-8', body);
  });

  router.get(`${path}/attachments/:place`, async (ctx) => {
    const [ref, place] = [refOf(ctx.params), readId(ctx.params.place, 'attachment')];
    const { name, bytes } = await previews.attachment(actorOf(ctx), ref, place, askerOf(ctx));
    const type = 'application/octet-stream';
    await sendGenerated(ctx, { name, type, size: bytes.length, open: async () => Readable.from([bytes]) });
  });
}
