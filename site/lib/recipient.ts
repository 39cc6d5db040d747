import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { COOKIE, isCookie } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import { localeOf } from '#server/text/language.ts';
import { keepLanguage, languageAt } from './visitorLanguage.ts';

const SHORT = { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `29 Nov 2026` or `29 नव॰ 2026`; the time is ISO 8601. */
export const dayOf = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), SHORT).format(Date.parse(iso));

export const addressOf = (token: string): string => `/s/${encodeURIComponent(token)}`;

/** Who comes with the link of this page. The browser is given a cookie for it, by which its forms are known. */
export function visitorAt(page: AstroGlobal) {
  const { params, cookies, locals } = page;
  keepLanguage(page);
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
  return { token, cookie, ip: locals.ip, language: languageAt(page) };
}

/** An id in an address; 0, which nothing has, for what is none. */
export const idAt = (text: string | undefined): number =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
