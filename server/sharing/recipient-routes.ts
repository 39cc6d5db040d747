import { Router } from '@koa/router';
import { isVisitorCookie } from '#server/links/contract.ts';
import type { Context, Middleware } from 'koa';
import { rawBody } from '#server/http/body.ts';
import { showFaultsOn } from '#server/http/context.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { readId } from '#server/http/input.ts';
import type { Generated, Sendable } from '#server/http/send.ts';
import { UNTRUSTED_CONTENT_HEADERS, sendFile, sendGenerated } from '#server/http/send.ts';
import { wrongCodeQuery } from '#server/links/email-code.ts';
import { visitorLanguage } from '#server/links/visitor-language.ts';
import { COOKIE, innerRefIn } from './contract.ts';
import type { Sharing } from './service.ts';
import type { Visitor } from './visitors.ts';

/** No response may be cached, and no other site learns the address of a link. */
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

const PASSWORD_ERRORS = new Set(['password_needed', 'wrong_password']);
/** Enough for hundreds of selected ids. */
const MAX_FORM_BYTES = 32 * 1024;

function cookieOf(ctx: Context): string {
  const cookie = ctx.cookies.get(COOKIE, { signed: false });
  return isVisitorCookie(cookie) ? cookie : '';
}

const visitorOf = (ctx: Context): Visitor => ({
  token: String(ctx.params.token),
  cookie: cookieOf(ctx),
  ip: ctx.ip,
  language: visitorLanguage(ctx),
});

/** The fields of a form from one of our pages; null for any other form. */
async function formOf(ctx: Context, { recipients }: Sharing): Promise<URLSearchParams | null> {
  if (ctx.is('urlencoded') === false)
    throw new AppError(415, 'unsupported_media_type', 'Send the form as it is.');
  const fields = new URLSearchParams((await rawBody(ctx, MAX_FORM_BYTES)).toString('utf8'));
  return recipients.isOurs(visitorOf(ctx), fields.get('form') ?? '') ? fields : null;
}

/** Aborts when the client disconnects or the response ends. */
function abortSignalOf({ res }: Context): AbortSignal {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  return abort.signal;
}

/**
 * The endpoints for recipients of shared links, signed in or not: plain forms that redirect to the page, and the
 * shared bytes. The pages themselves are in site/pages/s. A form field proves that the form is ours: user sessions do
 * not apply here.
 */
export function recipientRoutes({ sharing }: { sharing: Sharing }): Router {
  const { recipients } = sharing;
  const router = new Router({ prefix: '/s/:token' });

  const pageOf = (ctx: Context): string => `/s/${encodeURIComponent(String(ctx.params.token))}`;
  const redirectToPage = (ctx: Context, notice?: string, to = ''): void => {
    ctx.set(PRIVATE);
    ctx.status = 303;
    ctx.set('Location', `${pageOf(ctx)}${to}${notice ? `?said=${notice}` : ''}`);
  };

  /** Handles a form and redirects to the page with the outcome. */
  const form =
    (act: (ctx: Context, fields: URLSearchParams, visitor: Visitor) => Promise<string | void>) =>
    async (ctx: Context): Promise<void> => {
      showFaultsOn(ctx, pageOf(ctx));
      try {
        const fields = await formOf(ctx, sharing);
        if (!fields) return redirectToPage(ctx, 'again');
        const notice = await act(ctx, fields, visitorOf(ctx));
        return ctx.status === 303 ? undefined : redirectToPage(ctx, notice ?? undefined);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        if (error.code === 'share_limit') return redirectToPage(ctx, 'tomorrow');
        if (error.status === 429) return redirectToPage(ctx, 'wait');
        if (PASSWORD_ERRORS.has(error.code)) return redirectToPage(ctx, 'locked');
        if (error.code === 'withheld_waiting') return redirectToPage(ctx, 'preparing');
        if (error.code.startsWith('withheld_')) return redirectToPage(ctx, 'withheld');
        // The page itself shows that it is gone or asks to be opened.
        return redirectToPage(ctx);
      }
    };

  router.post(
    '/code',
    form(async (ctx, fields, visitor) => {
      const language = visitorLanguage(ctx, await recipients.clientLanguage(visitor));
      await recipients.requestCode({ ...visitor, language }, fields.get('email') ?? '');
      return 'sent';
    }),
  );

  router.post(
    '/verify',
    form(async (_ctx, fields, visitor) => {
      if (!(await recipients.verifyCode(visitor, fields.get('code') ?? ''))) return wrongCodeQuery(fields);
      await recipients.noteOpened(visitor).catch(ignoreMissingPassword);
      return undefined;
    }),
  );

  router.post(
    '/password',
    form(async (_ctx, fields, visitor) => {
      if (!(await recipients.verifyPassword(visitor, fields.get('password') ?? ''))) return 'password';
      await recipients.noteOpened(visitor);
      return undefined;
    }),
  );

  router.post(
    '/open',
    form((_ctx, _fields, visitor) => recipients.noteOpened(visitor)),
  );

  /** Answers a script with the address to which a form would be redirected, since a script cannot read that. */
  const toldToScript: Middleware = async (ctx, next) => {
    await next();
    if (ctx.status !== 303 || ctx.get('accept') !== 'application/json') return;
    const to = ctx.response.get('Location');
    ctx.remove('Location');
    ctx.status = 200;
    ctx.body = { to };
  };
  const download = (ids: (ctx: Context, fields: URLSearchParams) => number[] | null) =>
    form(async (ctx, fields, visitor) => {
      const selectedIds = ids(ctx, fields);
      if (selectedIds === null) return 'none';
      const inside = selectedIds.length === 1 ? innerRefIn(fields) : null;
      const grant = await recipients.begin(visitor, selectedIds, inside ?? undefined);
      redirectToPage(ctx, undefined, `/get/${grant}`);
      return undefined;
    });
  // Downloads the selected items; an empty selection does not mean all.
  router.post(
    '/download',
    toldToScript,
    download((_ctx, fields) => {
      const ids = fields.getAll('id').map((id) => readId(id, 'file'));
      return ids.length === 0 ? null : ids;
    }),
  );
  router.post(
    '/download/all',
    toldToScript,
    download(() => []),
  );
  router.post(
    '/download/:id',
    toldToScript,
    download((ctx) => [readId(ctx.params.id, 'file')]),
  );

  router.get('/get/:grant', async (ctx) => {
    const person = ctx.get('accept').includes('text/html');
    if (person) showFaultsOn(ctx, pageOf(ctx));
    let file: Sendable | Generated;
    try {
      file = await recipients.download(visitorOf(ctx), String(ctx.params.grant));
    } catch (error) {
      // A browser that returns to an expired address is redirected to the page, which explains it; a program gets the
      // error.
      if (person && error instanceof AppError && error.status < 500) return redirectToPage(ctx);
      throw error;
    }
    ctx.set(PRIVATE);
    return 'version' in file ? sendFile(ctx, file) : sendGenerated(ctx, file);
  });

  router.get('/files/:id', async (ctx) => {
    const sending = ctx.method !== 'HEAD';
    const file = await recipients.show(visitorOf(ctx), readId(ctx.params.id, 'file'), { sending });
    ctx.set(PRIVATE);
    await sendFile(ctx, file, { inline: true });
  });

  router.get('/pages/:id/:page', async (ctx) => {
    const [id, page] = [readId(ctx.params.id, 'file'), readId(ctx.params.page, 'page')];
    const found = await recipients.page(visitorOf(ctx), id, page, abortSignalOf(ctx));
    ctx.set(PRIVATE);
    if ('stamped' in found) {
      ctx.type = 'image/jpeg';
      ctx.body = found.stamped;
      return;
    }
    ctx.type = 'image/webp';
    ctx.length = found.bytes;
    if (ctx.method === 'GET') ctx.body = await found.open();
  });

  // A page of a part of a file: `?entry=` names an entry of a ZIP, `?attachment=` an attachment of an e-mail.
  router.get('/inside/:id/:page', async (ctx) => {
    const [id, page] = [readId(ctx.params.id, 'file'), readId(ctx.params.page, 'page')];
    const wanted = innerRefIn(ctx.URL.searchParams);
    if (!wanted) throw notFound('file');
    const picture = await recipients.innerPage(visitorOf(ctx), id, wanted, page, abortSignalOf(ctx));
    ctx.set({ ...UNTRUSTED_CONTENT_HEADERS, ...PRIVATE });
    ctx.type = 'image/webp';
    ctx.body = picture;
  });

  router.get('/thumbnails/:id', async (ctx) => {
    const found = await recipients.thumbnail(
      visitorOf(ctx),
      readId(ctx.params.id, 'file'),
      abortSignalOf(ctx),
    );
    ctx.set({ ...PRIVATE, 'Cache-Control': 'private, max-age=300' });
    if (!found) {
      ctx.status = 204;
      return;
    }
    ctx.type = 'image/webp';
    ctx.length = found.bytes;
    if (ctx.method === 'GET') ctx.body = await found.open();
  });

  return router;
}

/** The address is proved but the password is still missing: the link is not open yet. */
function ignoreMissingPassword(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'not_proved') throw error;
}
