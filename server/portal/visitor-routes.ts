import { Router } from '@koa/router';
import type { Context } from 'koa';
import { rawBody } from '#server/http/body.ts';
import { showFaultsOn } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';
import { readId } from '#server/http/input.ts';
import { PROOF_LIFETIME_MS, isVisitorCookie } from '#server/links/contract.ts';
import { COOKIE } from '#server/sharing/contract.ts';
import { wrongCodeQuery } from '#server/links/email-code.ts';
import { visitorLanguage } from '#server/links/visitor-language.ts';
import { PORTAL_COOKIE } from './contract.ts';
import type { Portal } from './service.ts';
import type { PortalVisitor } from './visitors.ts';

/** Responses are not cached or indexed, and the URL of a page, which is a secret, is not sent as referrer. */
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};
/** Bytes of a form. */
const FORM_MAX = 4 * 1024;

function visitorOf(ctx: Context): PortalVisitor {
  const cookie = ctx.cookies.get(PORTAL_COOKIE, { signed: false });
  return {
    token: String(ctx.params.token),
    cookie: isVisitorCookie(cookie) ? cookie : '',
    ip: ctx.ip,
    language: visitorLanguage(ctx),
  };
}

/** The forms of a client's page, which is itself in site/pages/c, and its redirects to shared links. */
export function portalVisitorRoutes({ portal: { visitors, https } }: { portal: Portal }): Router {
  const router = new Router({ prefix: '/c/:token' });

  const pageOf = (ctx: Context): string => `/c/${encodeURIComponent(String(ctx.params.token))}`;
  const back = (ctx: Context, outcome?: string): void => {
    ctx.set(PRIVATE);
    ctx.status = 303;
    ctx.set('Location', `${pageOf(ctx)}${outcome ? `?said=${outcome}` : ''}`);
  };
  const form =
    (act: (visitor: PortalVisitor, fields: URLSearchParams, ctx: Context) => Promise<string | void>) =>
    async (ctx: Context): Promise<void> => {
      showFaultsOn(ctx, pageOf(ctx));
      try {
        if (ctx.is('urlencoded') === false)
          throw new AppError(415, 'unsupported_media_type', 'Send the form as it is.');
        const visitor = visitorOf(ctx);
        const fields = new URLSearchParams((await rawBody(ctx, FORM_MAX)).toString('utf8'));
        if (!visitors.isOurs(visitor, fields.get('form') ?? '')) return back(ctx, 'again');
        back(ctx, (await act(visitor, fields, ctx)) ?? undefined);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        back(ctx, error.status === 429 ? 'wait' : undefined);
      }
    };

  router.post(
    '/code',
    form(async (visitor, fields, ctx) => {
      const language = visitorLanguage(ctx, await visitors.clientLanguage(visitor.token));
      await visitors.requestCode({ ...visitor, language }, fields.get('email') ?? '');
      return 'sent';
    }),
  );
  router.post(
    '/verify',
    form(async (visitor, fields) =>
      (await visitors.verifyCode(visitor, fields.get('code') ?? '')) ? undefined : wrongCodeQuery(fields),
    ),
  );
  router.post(
    '/leave',
    form(async (visitor) => {
      await visitors.leave(visitor);
      return 'left';
    }),
  );

  router.get('/links/:id', async (ctx) => {
    showFaultsOn(ctx, pageOf(ctx));
    const visitor = visitorOf(ctx);
    try {
      const pass = await visitors.passTo(visitor, readId(ctx.params.id, 'link'));
      const path = `/s/${pass}`;
      ctx.cookies.set(COOKIE, visitor.cookie, {
        path,
        httpOnly: true,
        sameSite: 'lax',
        signed: false,
        maxAge: PROOF_LIFETIME_MS,
        secure: https,
      });
      ctx.set(PRIVATE);
      ctx.status = 303;
      ctx.set('Location', path);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // The page then shows that it is gone, asks for an address, or says that the link is not shared any more.
      back(ctx, error.status === 404 ? 'gone' : undefined);
    }
  });

  return router;
}
