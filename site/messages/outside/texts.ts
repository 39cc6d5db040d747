import type { Language } from '#server/text/language.ts';
import * as recipientEn from '#messages/recipient.ts';
import type { Messages } from '../types.ts';
import * as recipientHi from './hi/recipient.ts';

/**
 * What people outside of the firm read, each in the language that they choose: the firm's own screens speak one. Another
 * language is one more folder beside `hi`, which the compiler checks.
 */
const RECIPIENT: Record<Language, Messages<typeof recipientEn>> = { en: recipientEn, hi: recipientHi };

export const recipientTexts = (language: Language) => RECIPIENT[language];
