/** The languages of e-mails and pages for people outside the firm; the firm's own screens are in English. */
export const LANGUAGES = ['en', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', hi: 'हिन्दी' };

export const isLanguage = (text: unknown): text is Language => LANGUAGES.includes(text as Language);

/** The cookie with the language that a person outside the firm has chosen on a page. */
export const LANGUAGE_COOKIE = 'almirah_language';

/** The supported language with the highest preference in an `Accept-Language` header; English if there is none. */
export function languageAccepted(header: string | undefined | null): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...terms] = part.trim().toLowerCase().split(';');
      const q = terms.map((term) => /^\s*q=([\d.]+)$/.exec(term)?.[1]).find(Boolean);
      return { language: tag.split('-')[0], q: q === undefined ? 1 : Number(q) };
    })
    .filter(({ language, q }) => isLanguage(language) && q > 0)
    .toSorted((a, b) => b.q - a.q);
  return (wanted[0]?.language as Language | undefined) ?? 'en';
}

/** The chosen language, or else that of the client whom the page is for, or else the preference of the browser. */
export function languageOf(
  chosen: unknown,
  accepted: string | undefined | null,
  client: Language | null = null,
): Language {
  return isLanguage(chosen) ? chosen : (client ?? languageAccepted(accepted));
}

/** The BCP 47 locale for the Indian format of dates and numbers. */
export const localeOf = (language: Language): string => `${language}-IN`;

const days = new Map<Language, Intl.DateTimeFormat>();

/** Formats `2026-11-29` as `29 November 2026` or `29 नवंबर 2026`. */
export function longDay(day: string, language: Language = 'en'): string {
  let format = days.get(language);
  if (!format) {
    const how = { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' } as const;
    format = new Intl.DateTimeFormat(localeOf(language), how);
    days.set(language, format);
  }
  return format.format(new Date(`${day}T00:00:00Z`));
}
