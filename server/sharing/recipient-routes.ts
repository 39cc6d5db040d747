import { Router } from '@koa/router';
import type { Context } from 'koa';
import { rawBody } from '#server/http/body.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { readId } from '#server/http/input.ts';
import type { Generated, Sendable } from '#server/http/send.ts';
import { FROM_OUTSIDE, sendFile, sendGenerated } from '#server/http/send.ts';
import { LANGUAGE_COOKIE, languageOf } from '#server/text/language.ts';
import { COOKIE, isCookie, wantedIn } from './contract.ts';
import type { Sharing } from './service.ts';
import type { Visitor } from './visitors.ts';

/** Nothing that a recipient sees is kept, and no address of a link is told to anybody. */
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

const LOCKED_INSIDE = new Set(['password_needed', 'wrong_password']);
/** Bytes of a form: hundreds of chosen ids, and no more. */
const FORM_MAX = 32 * 1024;

function cookieOf(ctx: Context): string {
  const given = ctx.cookies.get(COOKIE, { signed: false });
  return isCookie(given) ? given : '';
}

const visitorOf = (ctx: Context): Visitor => ({
  token: String(ctx.params.token),
  cookie: cookieOf(ctx),
  ip: ctx.ip,
  language: languageOf(ctx.cookies.get(LANGUAGE_COOKIE, { signed: false }), ctx.get('accept-language')),
});

/** A form that a page of ours was sent with; null for any other. */
async function formOf(ctx: Context, { recipients }: Sharing): Promise<URLSearchParams | null> {
  if (ctx.is('urlencoded') === false)
    throw new AppError(415, 'unsupported_media_type', 'Send the form as it is.');
  const fields = new URLSearchParams((await rawBody(ctx, FORM_MAX)).toString('utf8'));
  return recipients.isOurs(visitorOf(ctx), fields.get('form') ?? '') ? fields : null;
}

/** Aborts when the reader has scrolled on, or has the answer. */
function askerOf({ res }: Context): AbortSignal {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  return abort.signal;
}

/**
 * What recipients of shared links do, signed in or not: plain forms that lead back to the page, and the bytes of what
 * was shared. The pages themselves are in site/pages/s. A form proves by a field of its own that it is ours: these paths
 * know no session of a user's.
 */
export function recipientRoutes({ sharing }: { sharing: Sharing }): Router {
  const { recipients } = sharing;
  const router = new Router({ prefix: '/s/:token' });

  const back = (ctx: Context, said?: string, to = ''): void => {
    ctx.set(PRIVATE);
    ctx.status = 303;
    ctx.set(
      'Location',
      `/s/${encodeURIComponent(String(ctx.params.token))}${to}${said ? `?said=${said}` : ''}`,
    );
  };

  /** Does what the form asks for, and says on the page how it went. */
  const form =
    (act: (ctx: Context, fields: URLSearchParams, visitor: Visitor) => Promise<string | void>) =>
    async (ctx: Context): Promise<void> => {
      try {
        const fields = await formOf(ctx, sharing);
        if (!fields) return back(ctx, 'again');
        const said = await act(ctx, fields, visitorOf(ctx));
        return ctx.status === 303 ? undefined : back(ctx, said ?? undefined);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        if (error.code === 'share_limit') return back(ctx, 'tomorrow');
        if (error.status === 429) return back(ctx, 'wait');
        if (LOCKED_INSIDE.has(error.code)) return back(ctx, 'locked');
        if (error.code === 'withheld_waiting') return back(ctx, 'preparing');
        if (error.code.startsWith('withheld_')) return back(ctx, 'withheld');
        // The page says what it is: gone, or asking to be opened.
        return back(ctx);
      }
    };

  router.post(
    '/code',
    form(async (_ctx, fields, visitor) => {
      await recipients.askCode(visitor, fields.get('email') ?? '');
      return 'sent';
    }),
  );

  router.post(
    '/verify',
    form(async (_ctx, fields, visitor) => {
      if (!(await recipients.giveCode(visitor, fields.get('code') ?? ''))) return 'code';
      await recipients.noteOpened(visitor).catch(beforePassword);
      return undefined;
    }),
  );

  router.post(
    '/password',
    form(async (_ctx, fields, visitor) => {
      if (!(await recipients.givePassword(visitor, fields.get('password') ?? ''))) return 'password';
      await recipients.noteOpened(visitor);
      return undefined;
    }),
  );

  router.post(
    '/open',
    form((_ctx, _fields, visitor) => recipients.noteOpened(visitor)),
  );

  const download = (ids: (ctx: Context, fields: URLSearchParams) => number[] | null) =>
    form(async (ctx, fields, visitor) => {
      const named = ids(ctx, fields);
      if (named === null) return 'none';
      const inside = named.length === 1 ? wantedIn(fields) : null;
      const grant = await recipients.begin(visitor, named, inside ?? undefined);
      back(ctx, undefined, `/get/${grant}`);
      return undefined;
    });
  // What is ticked; nothing ticked is not all of it.
  router.post(
    '/download',
    download((_ctx, fields) => {
      const ids = fields.getAll('id').map((id) => readId(id, 'file'));
      return ids.length === 0 ? null : ids;
    }),
  );
  router.post(
    '/download/all',
    download(() => []),
  );
  router.post(
    '/download/:id',
    download((ctx) => [readId(ctx.params.id, 'file')]),
  );

  router.get('/get/:grant', async (ctx) => {
    let file: Sendable | Generated;
    try {
      file = await recipients.download(visitorOf(ctx), String(ctx.params.grant));
    } catch (error) {
      // A person who comes back to an address that is over is led to the page, which says why; a program is told.
      const person = ctx.get('accept').includes('text/html');
      if (person && error instanceof AppError && error.status < 500) return back(ctx);
      throw error;
    }
    ctx.set(PRIVATE);
    return 'version' in file ? sendFile(ctx, file) : sendGenerated(ctx, file);
  });

  router.get('/files/:id', async (ctx) => {
    const file = await recipients.show(visitorOf(ctx), readId(ctx.params.id, 'file'));
    ctx.set(PRIVATE);
    await sendFile(ctx, file, { inline: true });
  });

  router.get('/pages/:id/:page', async (ctx) => {
    const [id, page] = [readId(ctx.params.id, 'file'), readId(ctx.params.page, 'page')];
    const found = await recipients.page(visitorOf(ctx), id, page, askerOf(ctx));
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

  // Of what lies in a file: `?entry=` names it in a ZIP, `?attachment=` in an e-mail.
  router.get('/inside/:id/:page', async (ctx) => {
    const [id, page] = [readId(ctx.params.id, 'file'), readId(ctx.params.page, 'page')];
    const wanted = wantedIn(ctx.URL.searchParams);
    if (!wanted) throw notFound('file');
    const picture = await recipients.innerPage(visitorOf(ctx), id, wanted, page, askerOf(ctx));
    ctx.set({ ...FROM_OUTSIDE, ...PRIVATE });
    ctx.type = 'image/webp';
    ctx.body = picture;
  });

  router.get('/thumbnails/:id', async (ctx) => {
    const found = await recipients.thumbnail(visitorOf(ctx), readId(ctx.params.id, 'file'), askerOf(ctx));
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

/** The address is proved, and the password is still asked for: it is not open yet. */
function beforePassword(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'not_proved') throw error;
}
