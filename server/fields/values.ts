import { gstinError, isTan, normaliseIdentifier, panError } from '#server/clients/contract.ts';
import { maskAadhaar } from '#server/text/aadhaar.ts';
import type { ValueKind } from '#server/recognition/contract.ts';
import { namesAssessmentYear } from '#server/text/written-years.ts';

/** A typed value in its normal form, or why it is invalid and what to do. */
export type Parsed = { value: string } | { fault: string };

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const AMOUNT = /^(?:\d{1,3}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?$/;
const NO_AMOUNT = 'Write an amount in rupees, such as 1,20,000.00';
const NO_DATE = 'Write a date as day, month and year, such as 07-04-2026';
const NO_PERIOD = 'Write a period such as FY 2025-26, Apr 2025 or Q1 2025-26';

const twoDigits = (number: number): string => String(number).padStart(2, '0');

function amount(text: string): Parsed {
  let rest = text.replace(/^(?:₹|Rs\.?|INR)\s*/i, '').replace(/\s*\/-$/, '');
  const bracketed = /^\((.*)\)$/.exec(rest);
  if (bracketed) rest = bracketed[1]!.trim();
  const signed = /^[-−–]\s*|\s*-$/.exec(rest);
  if (signed) rest = rest.replace(signed[0], '');
  rest = rest.replace(/^(?:₹|Rs\.?|INR)\s*/i, '');
  if (!AMOUNT.test(rest)) return { fault: NO_AMOUNT };
  const [rupees = '', paise = ''] = rest.replaceAll(',', '').split('.');
  const value = BigInt(rupees) * 100n + BigInt(paise.padEnd(2, '0'));
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return { fault: 'This amount is too large' };
  return { value: String(bracketed || signed ? -value : value) };
}

function dateOf(year: number, month: number, day: number): Parsed {
  const full = year < 100 ? 2000 + year : year;
  const date = new Date(Date.UTC(full, month - 1, day));
  const isValid =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && full >= 1900 && full < 2200;
  return isValid ? { value: `${full}-${twoDigits(month)}-${twoDigits(day)}` } : { fault: NO_DATE };
}

function date(text: string): Parsed {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(text);
  if (dotted) return dateOf(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const parts = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]*([a-z]{3})[a-z]*[-/., ]*(\d{4}|\d{2})$/i.exec(text);
  const month = parts ? MONTHS.indexOf(parts[2]!.toLowerCase()) + 1 : 0;
  return parts && month > 0 ? dateOf(Number(parts[3]), month, Number(parts[1])) : { fault: NO_DATE };
}

const yearName = (start: number): string => `${start}-${twoDigits((start + 1) % 100)}`;

function period(text: string): Parsed {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  // `2025-26` cannot be a month, but `2011-12` could be both: such a month must be written by name.
  if (month && Number(month[2]) !== (Number(month[1]) + 1) % 100) return { value: text };
  const parts = /^([a-z]{3})[a-z]*[-/., ]*(\d{4})$/i.exec(text);
  const monthNumber = parts ? MONTHS.indexOf(parts[1]!.toLowerCase()) + 1 : 0;
  if (parts && monthNumber > 0) return { value: `${parts[2]}-${twoDigits(monthNumber)}` };
  const slashed = /^(0?[1-9]|1[0-2])[/-](\d{4})$/.exec(text);
  if (slashed) return { value: `${slashed[2]}-${twoDigits(Number(slashed[1]))}` };
  const years = /((?:19|20)\d{2})\s*[-–/]\s*((?:19|20)?\d{2})(?!\d)/.exec(text);
  if (!years) return { fault: NO_PERIOD };
  const firstYear = Number(years[1]);
  if ((firstYear + 1) % 100 !== Number(years[2]) % 100) return { fault: NO_PERIOD };
  // The assessment year follows the financial year.
  const start = namesAssessmentYear(text) ? firstYear - 1 : firstYear;
  const quarter = /\bQ\s?([1-4])\b/i.exec(text);
  return { value: quarter ? `${yearName(start)} Q${quarter[1]}` : `FY ${yearName(start)}` };
}

function identifier(key: string, text: string): Parsed {
  const value = normaliseIdentifier(text);
  if (key === 'aadhaar') {
    const digits = value.replace(/\D/g, '');
    return digits.length >= 4
      ? { value: digits.slice(-4) }
      : { fault: 'Write the last four digits of the Aadhaar number' };
  }
  if (/(?:^|_)gstin$/.test(key)) {
    const fault = gstinError(value);
    return fault ? { fault } : { value };
  }
  if (/(?:^|_)pan$/.test(key)) {
    const fault = panError(value);
    return fault ? { fault } : { value };
  }
  if (/(?:^|_)tan$/.test(key) && !isTan(value))
    return { fault: 'A TAN is four letters, five digits and a letter' };
  return { value };
}

/** @param key the field key, which decides the check of an identifier. */
export function parseValue(kind: ValueKind, key: string, written: string): Parsed {
  const text = written.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text === '') return { fault: 'Write a value, or clear it' };
  if (kind === 'amount') return amount(text);
  if (kind === 'date') return date(text);
  if (kind === 'period') return period(text);
  if (kind === 'identifier') return identifier(key, text);
  if (kind === 'text') return { value: maskAadhaar(text).text };
  const number = text.replace(/\s*%$/, '').replaceAll(',', '');
  return /^-?\d{1,15}(?:\.\d{1,6})?$/.test(number)
    ? { value: number }
    : { fault: 'Write a number, such as 18 or 7.5' };
}
