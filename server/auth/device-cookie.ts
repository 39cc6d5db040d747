import type { Context } from 'koa';
import { newSecret } from '#server/http/secrets.ts';

const NAME = 'almirah_device';
const YEARS_2 = 2 * 365 * 24 * 60 * 60_000;

/**
 * What this browser is known by from one sign-in to the next; new for one that brings nothing. It opens nothing: it only
 * keeps an e-mail about a new device from being sent each time.
 */
export function deviceOf(ctx: Context): string {
  const present = ctx.cookies.get(NAME, { signed: false });
  return present && /^[\w-]{43}$/.test(present) ? present : newSecret();
}

export function keepDevice(ctx: Context, device: string): void {
  ctx.cookies.set(NAME, device, {
    maxAge: YEARS_2,
    httpOnly: true,
    sameSite: 'lax',
    signed: false,
    overwrite: true,
  });
}
