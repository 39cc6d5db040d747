import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { COOKIE, isCookie } from '#server/sharing/contract.ts';

const DAY = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
/** `29 November 2026`, of `2026-11-29`. */
export const longDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

export const addressOf = (token: string): string => `/s/${encodeURIComponent(token)}`;

/** Who comes with the link of this page. The browser is given a cookie for it, by which its forms are known. */
export function visitorAt({ params, cookies, locals }: AstroGlobal) {
  const token = params['token'] ?? '';
  const given = cookies.get(COOKIE)?.value;
  const cookie = isCookie(given) ? given : randomBytes(32).toString('base64url');
  if (cookie !== given)
    cookies.set(COOKIE, cookie, {
      path: addressOf(token),
      httpOnly: true,
      sameSite: 'lax',
      secure: locals.baseUrl.startsWith('https:'),
      maxAge: 24 * 60 * 60,
    });
  return { token, cookie, ip: locals.ip };
}

/** An id in an address; 0, which nothing has, for what is none. */
export const idAt = (text: string | undefined): number =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
