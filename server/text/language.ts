/** The languages in which people outside of the firm are written to and shown pages; the firm's own screens have one. */
export const LANGUAGES = ['en', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each as it calls itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', hi: 'हिन्दी' };

export const isLanguage = (text: unknown): text is Language => LANGUAGES.includes(text as Language);

/** The cookie of somebody outside who has chosen a language on a page. */
export const LANGUAGE_COOKIE = 'almirah_language';

/** The language that a browser's `Accept-Language` wants most of those there are; English when none. */
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

/** What was chosen, or what the browser asks for. */
export const languageOf = (chosen: unknown, accepted: string | undefined | null): Language =>
  isLanguage(chosen) ? chosen : languageAccepted(accepted);

/** BCP 47, as dates and numbers are written in India. */
export const localeOf = (language: Language): string => `${language}-IN`;

const days = new Map<Language, Intl.DateTimeFormat>();

/** `29 November 2026` or `29 नवंबर 2026`, of `2026-11-29`. */
export function longDay(day: string, language: Language = 'en'): string {
  let format = days.get(language);
  if (!format) {
    const how = { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' } as const;
    format = new Intl.DateTimeFormat(localeOf(language), how);
    days.set(language, format);
  }
  return format.format(new Date(`${day}T00:00:00Z`));
}
