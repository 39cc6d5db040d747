import type { ClientType } from './contract.ts';

/** The numbers by which Indian offices know a client. Everything here is offline: form and check digit, not existence. */

const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g;

/** As it is stored and compared: NFKC, upper case, plain dashes, no spaces. */
export const normaliseIdentifier = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/[\s\u200B-\u200D\uFEFF]/g, '')
    .toUpperCase();

/** The fourth letter of a PAN says what its holder is. */
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

/** What types of client have a PAN with that letter, the usual one first. */
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

// Some registers write E for a limited liability partnership: told as unusual, not refused.
const PAN = /^[A-Z]{3}[ABCEFGHJLPT][A-Z]\d{4}[A-Z]$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;
const CIN = /^[LU]\d{5}[A-Z]{2}(?:18|19|20)\d{2}(?:PTC|PLC|OPC|NPL|FTC|FLC|GOI|SGC|GAP|GAT|ULL|ULT)\d{6}$/;
const LLPIN = /^[A-Z]{3}-\d{4}$/;

export const isPan = (text: string): boolean => PAN.test(text);
export const isTan = (text: string): boolean => TAN.test(text);
/** A company's number, or the LLPIN of a limited liability partnership. */
export const isCin = (text: string): boolean => CIN.test(text) || LLPIN.test(text);

const STATE = /^(?:0[1-9]|[12]\d|3[0-8]|9[79])/;
const NORMAL = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9A-J][0-9A-Z]$/;
/** Deductors of tax hold a number made of their TAN. */
const DEDUCTOR = /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z][DZ][0-9A-Z]$/;
/** United Nations bodies and embassies, non-residents, online services from abroad. */
const SPECIAL = [
  /^\d{4}[A-Z]{3}\d{5}[UO]N[A-Z0-9]$/,
  /^\d{4}[A-Z]{3}\d{5}NR[0-9A-Z]$/,
  /^99\d{2}[A-Z]{3}\d{5}OS[0-9A-Z]$/,
];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The fifteenth character that the first fourteen ask for. */
export function gstinCheckDigit(text: string): string {
  let sum = 0;
  for (let at = 0; at < 14; at += 1) {
    const product = ALPHABET.indexOf(text[at] ?? '0') * (at % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return ALPHABET[(36 - (sum % 36)) % 36]!;
}

/** Why a normalised text is no GSTIN; null when it is one as far as form and check digit tell. */
export function gstinFault(text: string): string | null {
  if (SPECIAL.some((form) => form.test(text))) return null;
  if (text.length !== 15) return 'A GSTIN has 15 characters, such as 27AAAPZ0000Q1ZL';
  if (!NORMAL.test(text) && !DEDUCTOR.test(text))
    return 'This is not the form of a GSTIN, such as 27AAAPZ0000Q1ZL';
  if (!STATE.test(text)) return `A GSTIN begins with a state code; ${text.slice(0, 2)} is none`;
  if (gstinCheckDigit(text) !== text[14])
    return 'The check digit does not fit: one of the characters is wrong';
  return null;
}

/** The PAN that a GSTIN of the usual kind holds. */
export function panOf(gstin: string): string | null {
  const pan = gstin.slice(2, 12);
  return gstin.length === 15 && isPan(pan) ? pan : null;
}

const D = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const P = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Twelve digits whose last is the Verhoeff check of the others; one in ten of all such numbers is by chance. */
export function isAadhaar(digits: string): boolean {
  if (!/^[2-9]\d{11}$/.test(digits)) return false;
  let check = 0;
  [...digits].toReversed().forEach((digit, at) => {
    check = Number(D[check]![Number(P[at % 8]![Number(digit)])]);
  });
  return check === 0;
}

/** The law bars showing an Aadhaar number: whatever could be one keeps its last four digits only. */
export const maskAadhaar = (text: string): string =>
  text.replace(/(?<!\d)(?<!\d[ -])[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\d)(?![ -]\d{4})/g, (found) => {
    const digits = found.replace(/\D/g, '');
    return isAadhaar(digits) ? `XXXX XXXX ${digits.slice(-4)}` : found;
  });
