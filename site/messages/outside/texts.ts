import type { Language } from '#server/text/language.ts';
import * as askedEn from '#messages/asked.ts';
import * as dropsEn from '#messages/drops.ts';
import * as portalEn from '#messages/portal.ts';
import * as recipientEn from '#messages/recipient.ts';
import type { Messages } from '../types.ts';
import * as askedHi from './hi/asked.ts';
import { drops as dropsHi } from './hi/drops.ts';
import { portal as portalHi } from './hi/portal.ts';
import * as recipientHi from './hi/recipient.ts';

/**
 * What people outside of the firm read, each in the language that they choose: the firm's own screens speak one. Another
 * language is one more folder beside `hi`, which the compiler checks.
 */
const RECIPIENT: Record<Language, Messages<typeof recipientEn>> = { en: recipientEn, hi: recipientHi };

export const recipientTexts = (language: Language) => RECIPIENT[language];

const ASKED: Record<Language, Messages<typeof askedEn>> = { en: askedEn, hi: askedHi };

export const askedTexts = (language: Language) => ASKED[language];

export const portalTexts = (language: Language) => ({ en: portalEn, hi: portalHi })[language];

export const dropTexts = (language: Language) => ({ en: dropsEn, hi: dropsHi })[language];
