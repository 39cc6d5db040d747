import type { Language } from '#server/text/language.ts';
import * as requestPageEn from '#messages/requestPage.ts';
import * as dropsEn from '#messages/drops.ts';
import * as portalEn from '#messages/portal.ts';
import * as recipientEn from '#messages/recipient.ts';
import type { Messages } from '../types.ts';
import * as requestPageHi from './hi/requestPage.ts';
import { drops as dropsHi } from './hi/drops.ts';
import { portal as portalHi } from './hi/portal.ts';
import * as recipientHi from './hi/recipient.ts';

/**
 * What people outside of the firm read, each in the language that they choose: the firm's own screens speak one. Another
 * language is one more folder beside `hi`, which the compiler checks.
 */
const RECIPIENT: Record<Language, Messages<typeof recipientEn>> = { en: recipientEn, hi: recipientHi };

export const recipientTexts = (language: Language) => RECIPIENT[language];

const REQUEST_PAGE: Record<Language, Messages<typeof requestPageEn>> = {
  en: requestPageEn,
  hi: requestPageHi,
};

export const requestPageTexts = (language: Language) => REQUEST_PAGE[language];

export const portalTexts = (language: Language) => ({ en: portalEn, hi: portalHi })[language];

export const dropTexts = (language: Language) => ({ en: dropsEn, hi: dropsHi })[language];
