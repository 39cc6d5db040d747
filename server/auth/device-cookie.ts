import type { Context } from 'koa';
import { newSecret } from '#server/http/secrets.ts';

const COOKIE = 'almirah_device';
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60_000;

/**
 * The random id by which a browser is recognised from one sign-in to the next; a new one without a valid cookie. The
 * id grants no access: it only keeps an e-mail about a new device from being sent at each sign-in.
 */
export function deviceIdOf(ctx: Context): string {
  const existing = ctx.cookies.get(COOKIE, { signed: false });
  return existing && /^[\w-]{43}$/.test(existing) ? existing : newSecret();
}

export function setDeviceCookie(ctx: Context, deviceId: string): void {
  ctx.cookies.set(COOKIE, deviceId, {
    maxAge: TWO_YEARS_MS,
    httpOnly: true,
    sameSite: 'lax',
    signed: false,
    overwrite: true,
  });
}
