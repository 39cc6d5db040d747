import type { AstroGlobal } from 'astro';
import type { Language } from '#server/text/language.ts';
import { LANGUAGE_COOKIE, isLanguage, languageOf } from '#server/text/language.ts';
import { queryWithoutTold } from './toldOnce.ts';

type PageRequest = Pick<AstroGlobal, 'cookies' | 'locals' | 'request' | 'url'>;

/**
 * The language of a page for outside visitors: chosen on the page, chosen earlier, that in which the office writes to the client, or
 * preferred by the browser.
 */
export function visitorLanguage(
  { cookies, locals, request, url }: PageRequest,
  client: Language | null = locals.clientLanguage ?? null,
): Language {
  const param = url.searchParams.get('lang');
  const chosen = isLanguage(param) ? param : cookies.get(LANGUAGE_COOKIE)?.value;
  return languageOf(chosen, request.headers.get('accept-language'), client);
}

/** Stores the language chosen on the page in a cookie. Call it before the page renders, while headers can be set. */
export function saveChosenLanguage({ cookies, locals, url }: AstroGlobal): void {
  const param = url.searchParams.get('lang');
  if (!isLanguage(param) || cookies.get(LANGUAGE_COOKIE)?.value === param) return;
  cookies.set(LANGUAGE_COOKIE, param, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: locals.baseUrl.startsWith('https:'),
    maxAge: 365 * 24 * 60 * 60,
  });
}

/** The URL of the same page in another language, where a message is not told again. */
export const languageHref = ({ pathname, searchParams }: URL, language: Language): string =>
  pathname + queryWithoutTold(searchParams, { lang: language });
