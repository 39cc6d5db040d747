import type { Context } from 'koa';
import { AppError } from '#server/http/errors.ts';
import type { Sender } from './contract.ts';
import { FORM_HEADER, isSenderCookie, SENDER_COOKIE } from './contract.ts';

/** Nothing that a sender sees is kept, and no address of a link is told to anybody. */
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Who has come, and where the answer leads: the same for every kind of link. */
export function createComing(isOurs: (sender: Sender, form: string) => boolean) {
  const senderOf = (ctx: Context): Sender => {
    const cookie = ctx.cookies.get(SENDER_COOKIE, { signed: false });
    return { token: String(ctx.params.token), cookie: isSenderCookie(cookie) ? cookie : '', ip: ctx.ip };
  };
  const demandOurs = (sender: Sender, form: string): void => {
    if (!isOurs(sender, form))
      throw new AppError(419, 'not_ours', 'Open the page again, with cookies allowed, and try once more.');
  };
  return {
    senderOf,
    demandOurs,

    /** Who comes with a script of a page of ours. @throws {AppError} 419. */
    scriptOf(ctx: Context): Sender {
      const sender = senderOf(ctx);
      ctx.set(PRIVATE);
      demandOurs(sender, ctx.get(FORM_HEADER));
      return sender;
    },

    /** Back to the page, which says how it went. */
    back(ctx: Context, page: string, said: Record<string, string> = {}): void {
      ctx.set(PRIVATE);
      ctx.status = 303;
      const query = String(new URLSearchParams(said));
      ctx.set('Location', page + (query === '' ? '' : `?${query}`));
    },
  };
}
