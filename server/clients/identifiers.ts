import { mod36Holds } from '#server/text/check-digits.ts';
import type { ClientType } from './contract.ts';

/** Identifiers of Indian clients. All checks are offline: they verify the form and the check digit, not existence. */

const UNICODE_DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g;

/** The stored form: NFKC, upper case, ASCII hyphens, no spaces. */
export const normaliseIdentifier = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(UNICODE_DASHES, '-')
    .replace(/[\s\u200B-\u200D\uFEFF]/g, '')
    .toUpperCase();

/** The kind of holder, by the fourth letter of a PAN. */
export const PAN_HOLDERS: Readonly<Record<string, string>> = {
  A: 'an association of persons',
  B: 'a body of individuals',
  C: 'a company',
  F: 'a firm or LLP',
  G: 'a government',
  H: 'a Hindu undivided family',
  J: 'an artificial juridical person',
  L: 'a local authority',
  P: 'an individual',
  T: 'a trust',
};

/** Client types by the fourth letter of a PAN, the usual one first. */
export const PAN_TYPES: Readonly<Record<string, readonly ClientType[]>> = {
  A: ['AOP/BOI', 'Society'],
  B: ['AOP/BOI'],
  C: ['Company'],
  E: ['LLP'],
  F: ['Firm', 'LLP'],
  G: ['Government'],
  H: ['HUF'],
  J: ['AOP/BOI', 'Trust', 'Society', 'Government'],
  L: ['Government'],
  P: ['Individual'],
  T: ['Trust', 'Society'],
};

// Some registers write E for an LLP: a warning, not an error.
const PAN = /^[A-Z]{3}[ABCEFGHJLPT][A-Z]\d{4}[A-Z]$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;
const CIN = /^[LU]\d{5}[A-Z]{2}(?:18|19|20)\d{2}(?:PTC|PLC|OPC|NPL|FTC|FLC|GOI|SGC|GAP|GAT|ULL|ULT)\d{6}$/;
const LLPIN = /^[A-Z]{3}-\d{4}$/;

export const isPan = (text: string): boolean => PAN.test(text);
export const isTan = (text: string): boolean => TAN.test(text);
/** Whether the text is the CIN of a company or the LLPIN of a limited liability partnership. */
export const isCin = (text: string): boolean => CIN.test(text) || LLPIN.test(text);

const STATE = /^(?:0[1-9]|[12]\d|3[0-8]|9[79])/;
const NORMAL = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9A-J][0-9A-Z]$/;
/** Tax deductors have a GSTIN based on their TAN. */
const DEDUCTOR = /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z][DZ][0-9A-Z]$/;
/** UN bodies and embassies, non-residents, and foreign online services. */
const SPECIAL = [
  /^\d{4}[A-Z]{3}\d{5}[UO]N[A-Z0-9]$/,
  /^\d{4}[A-Z]{3}\d{5}NR[0-9A-Z]$/,
  /^99\d{2}[A-Z]{3}\d{5}OS[0-9A-Z]$/,
];

/** The reason why a normalised text is not a GSTIN; null when form and check digit are correct. */
export function gstinError(text: string): string | null {
  if (SPECIAL.some((form) => form.test(text))) return null;
  if (text.length !== 15) return 'A GSTIN has 15 characters, such as 27AAAPZ0000Q1ZL';
  if (!NORMAL.test(text) && !DEDUCTOR.test(text))
    return 'This is not the form of a GSTIN, such as 27AAAPZ0000Q1ZL';
  if (!STATE.test(text)) return `A GSTIN begins with a state code; ${text.slice(0, 2)} is none`;
  if (!mod36Holds(text)) return 'The check digit does not fit: one of the characters is wrong';
  return null;
}

/** The reason why a normalised text is not a PAN; null when it is one. */
export function panError(text: string): string | null {
  if (isPan(text)) return null;
  return /^[A-Z]{5}\d{4}[A-Z]$/.test(text)
    ? `The fourth letter of a PAN is the kind of holder, such as P for an individual or C for a company; ${text[3]} is none`
    : 'A PAN has five letters, four digits and a letter, such as AAAPZ0000A';
}

/** The PAN within an ordinary GSTIN. */
export function panOf(gstin: string): string | null {
  const pan = gstin.slice(2, 12);
  return gstin.length === 15 && isPan(pan) ? pan : null;
}
