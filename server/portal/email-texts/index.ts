import type { Language } from '#server/text/language.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';

const TEXTS: Record<Language, typeof en> = { en, hi };

/** What clients read, in their language; another language is one more file, which the compiler checks. */
export const textsIn = (language: Language) => TEXTS[language];
