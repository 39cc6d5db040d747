import type { Language } from '#server/text/language.ts';

/** What stands beneath an e-mail, by its language. */
const TEXTS: Record<Language, { uses(sender: string, product: string): string }> = {
  en: { uses: (sender, product) => `${sender} uses ${product}` },
  hi: { uses: (sender, product) => `${sender} अपने दस्तावेज़ ${product} में रखता है` },
};
export const textsIn = (language: Language) => TEXTS[language];
