import type { AstroGlobal } from 'astro';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { COOKIE } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import { localeOf } from '#server/text/language.ts';
import { visitorCookie } from './visitorCookie.ts';
import { saveChosenLanguage, visitorLanguage } from './visitorLanguage.ts';

const SHORT = { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `29 Nov 2026` or `29 नव॰ 2026`, from ISO 8601. */
export const formatDay = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), SHORT).format(Date.parse(iso));

export const sharedLinkPath = (token: string): string => `/s/${encodeURIComponent(token)}`;

/** The visitor of a shared link's page. Sets the language of the page. */
export async function identifyRecipient(page: AstroGlobal) {
  saveChosenLanguage(page);
  const token = page.params['token'] ?? '';
  const cookie = visitorCookie(page, {
    name: COOKIE,
    path: sharedLinkPath(token),
    maxAgeMs: PROOF_LIFETIME_MS,
  });
  const { recipients } = page.locals.services.sharing;
  page.locals.clientLanguage = await recipients.clientLanguage({ token, cookie });
  return { token, cookie, ip: page.locals.ip, language: visitorLanguage(page) };
}

/** Parses an id in a URL; 0, which no row has, if it is none. */
export const parseId = (text: string | undefined): number =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : 0;
