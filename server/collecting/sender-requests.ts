import type { Context } from 'koa';
import { isVisitorCookie } from '#server/links/contract.ts';
import { AppError } from '#server/http/errors.ts';
import type { Sender } from './contract.ts';
import { FORM_HEADER, SENDER_COOKIE } from './contract.ts';

/** No response may be cached, and no other site learns the address of a link. */
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Reads the sender from a request and redirects responses, the same for every kind of link. */
export function createSenderRequests(isOurs: (sender: Sender, form: string) => boolean) {
  const senderOf = (ctx: Context): Sender => {
    const cookie = ctx.cookies.get(SENDER_COOKIE, { signed: false });
    return { token: String(ctx.params.token), cookie: isVisitorCookie(cookie) ? cookie : '', ip: ctx.ip };
  };
  const requireOurs = (sender: Sender, form: string): void => {
    if (!isOurs(sender, form))
      throw new AppError(419, 'not_ours', 'Open the page again, with cookies allowed, and try once more.');
  };
  return {
    senderOf,
    requireOurs,

    /** The sender of a script request from one of our pages. @throws {AppError} 419. */
    scriptOf(ctx: Context): Sender {
      const sender = senderOf(ctx);
      ctx.set(PRIVATE);
      requireOurs(sender, ctx.get(FORM_HEADER));
      return sender;
    },

    /** Redirects to the page with the outcome in its query. */
    back(
      ctx: Context,
      page: string,
      outcome: Record<string, string> | [name: string, value: string][] = [],
    ): void {
      ctx.set(PRIVATE);
      ctx.status = 303;
      const query = String(new URLSearchParams(outcome));
      ctx.set('Location', page + (query === '' ? '' : `?${query}`));
    },
  };
}
