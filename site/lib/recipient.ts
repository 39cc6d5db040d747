import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { COOKIE, isCookie } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import { localeOf } from '#server/text/language.ts';
import { saveChosenLanguage, visitorLanguage } from './visitorLanguage.ts';

const SHORT = { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `29 Nov 2026` or `29 नव॰ 2026`, from ISO 8601. */
export const formatDay = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), SHORT).format(Date.parse(iso));

export const sharedLinkPath = (token: string): string => `/s/${encodeURIComponent(token)}`;

/** The visitor of a shared link's page. Sets the cookie to which the page's forms are bound. */
export function identifyRecipient(page: AstroGlobal) {
  const { params, cookies, locals } = page;
  saveChosenLanguage(page);
  const token = params['token'] ?? '';
  const given = cookies.get(COOKIE)?.value;
  const cookie = isCookie(given) ? given : randomBytes(32).toString('base64url');
  if (cookie !== given)
    cookies.set(COOKIE, cookie, {
      path: sharedLinkPath(token),
      httpOnly: true,
      sameSite: 'lax',
      secure: locals.baseUrl.startsWith('https:'),
      maxAge: PROOF_LIFETIME_MS / 1000,
    });
  return { token, cookie, ip: locals.ip, language: visitorLanguage(page) };
}

/** Parses an id in a URL; 0, which no row has, if it is none. */
export const parseId = (text: string | undefined): number =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
