import { createHmac, randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { RequestState } from './context.ts';
import { isApi } from './context.ts';
import { csrfMismatch } from './errors.ts';
import { wrongAddress } from './host.ts';
import { isSameSecret } from './secrets.ts';
import { sessionCookie } from './session.ts';

const COOKIE = 'XSRF-TOKEN';
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Bound to the session cookie, so that a token from another session does not match. */
function seal(ctx: Context, nonce: string, session: string): string {
  const key = String((ctx.app.keys as string[])[0]);
  return createHmac('sha256', key).update(`csrf\0${nonce}\0${session}`).digest('base64url');
}

function fits(ctx: Context, token: string, session: string): boolean {
  const [nonce = '', mark = ''] = token.split('.');
  return isSameSecret(mark, seal(ctx, nonce, session));
}

/** Sets the token that the browser's next unsafe request must repeat in `X-XSRF-TOKEN`. */
export function issueCsrfToken(ctx: Context): void {
  const session = (ctx.state as RequestState).nextCookie ?? ctx.cookies.get(sessionCookie(ctx)) ?? '';
  const present = ctx.cookies.get(COOKIE, { signed: false }) ?? '';
  const nonce = randomBytes(16).toString('base64url');
  // A token that is still valid stays: replacing it would break a request that another tab is sending.
  ctx.cookies.set(COOKIE, fits(ctx, present, session) ? present : `${nonce}.${seal(ctx, nonce, session)}`, {
    httpOnly: false,
    sameSite: 'lax',
    signed: false,
    overwrite: true,
  });
}

function fromElsewhere(ctx: Context, origin: string): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site && site !== 'same-origin' && site !== 'none') return true;
  const from = ctx.get('origin');
  // The address bar may say 127.0.0.1 where BASE_URL says localhost. A page can forge neither header.
  return from !== '' && from !== origin && from !== `${(ctx.state as RequestState).protocol}://${ctx.host}`;
}

const sameProtocol = (a: string, b: string): boolean => new URL(a).protocol === new URL(b).protocol;

function carriesToken(ctx: Context): boolean {
  const cookie = ctx.cookies.get(COOKIE, { signed: false });
  const header = ctx.get('x-xsrf-token');
  if (!cookie || !header || !isSameSecret(cookie, header)) return false;
  return fits(ctx, cookie, ctx.cookies.get(sessionCookie(ctx)) ?? '');
}

/** Whether a browser sends the form of a page itself, which happens before the script of the page has loaded. */
const isPageForm = (ctx: Context): boolean =>
  ctx.method === 'POST' &&
  !isApi(ctx.path) &&
  !/^\/[/\\]/.test(ctx.path) &&
  ctx.get('accept').includes('text/html');

/**
 * Rejects an unsafe request that another site could have made the browser send. Bearer requests are exempt: no
 * browser adds that header by itself. `except` lists paths with a proof of their own, such as a signed webhook.
 * The form of a page is not read either, but the page is shown anew, since a person would not know how to go on.
 */
export const csrfGuard =
  ({ origin, except }: { origin: string; except: readonly (string | RegExp)[] }): Middleware =>
  (ctx, next) => {
    const { bearer } = ctx.state as RequestState;
    if (
      SAFE.has(ctx.method) ||
      bearer !== null ||
      except.some((exception) =>
        typeof exception === 'string' ? exception === ctx.path : exception.test(ctx.path),
      )
    )
      return next();
    if (!fromElsewhere(ctx, origin) && carriesToken(ctx)) return next();
    // Our own page, opened over http while BASE_URL is https: the browser never sends its Secure cookies back.
    const from = ctx.get('origin');
    if (URL.canParse(from) && new URL(from).host === ctx.get('host') && !sameProtocol(from, origin)) {
      throw wrongAddress(from, origin);
    }
    if (!isPageForm(ctx)) throw csrfMismatch();
    ctx.status = 303;
    ctx.set('Location', ctx.path + ctx.search);
    return undefined;
  };
