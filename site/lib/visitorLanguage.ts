import type { AstroGlobal } from 'astro';
import type { Language } from '#server/text/language.ts';
import { LANGUAGE_COOKIE, isLanguage, languageOf } from '#server/text/language.ts';

type Asked = Pick<AstroGlobal, 'cookies' | 'request' | 'url'>;

/** The language of a page that people outside see: as chosen on it, chosen before, or as the browser asks for. */
export function visitorLanguage({ cookies, request, url }: Asked): Language {
  const given = url.searchParams.get('lang');
  const chosen = isLanguage(given) ? given : cookies.get(LANGUAGE_COOKIE)?.value;
  return languageOf(chosen, request.headers.get('accept-language'));
}

/** As `languageAt`, for a page that its sender wrote in a language: that counts until another is chosen. */
export function visitorLanguageOr({ cookies, url }: Asked, written: Language): Language {
  const given = url.searchParams.get('lang');
  const chosen = isLanguage(given) ? given : cookies.get(LANGUAGE_COOKIE)?.value;
  return isLanguage(chosen) ? chosen : written;
}

/** Keeps the language that was chosen on the page, for forms and the pages after it. To be called before anything is drawn. */
export function saveChosenLanguage({ cookies, locals, url }: AstroGlobal): void {
  const given = url.searchParams.get('lang');
  if (!isLanguage(given) || cookies.get(LANGUAGE_COOKIE)?.value === given) return;
  cookies.set(LANGUAGE_COOKIE, given, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: locals.baseUrl.startsWith('https:'),
    maxAge: 365 * 24 * 60 * 60,
  });
}

/** The same page in another language. */
export function languageHref({ pathname, searchParams }: URL, language: Language): string {
  const all = new URLSearchParams(searchParams);
  all.set('lang', language);
  // What was said once is not said again.
  all.delete('said');
  return `${pathname}?${all}`;
}
