import type { Language } from '#server/text/language.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';

const TEXTS: Record<Language, typeof en> = { en, hi };

/** Texts for clients by language; the compiler checks that every language is complete. */
export const textsIn = (language: Language) => TEXTS[language];
