import type { IdentifierCheck, ValueKind } from '../contract.ts';
import { misreadIdentifiers } from '../identifiers/suggest-correction.ts';
import { SHAPES } from '../identifiers/shapes.ts';
import { readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { readPeriod, readYear, yearPeriod } from '../values/periods.ts';

/** A value in a text: its normal form and position. */
export interface FoundValue {
  value: string;
  start: number;
  end: number;
  check?: IdentifierCheck;
}

const AMOUNT =
  /(?<![\w.,/-])\(?(?:(?:₹|rs\.?|inr|`)\s*)?-?\s?(?:(?:₹|rs\.?|inr)\s*)?\d[\d,]*(?:\.\d{1,2})?(?:\/-)?-?\)?(?:\s?\(?(?:cr|dr)\b\.?\)?)?(?![\w%/(]|[.,-]\d)/gi;

/** The first amount of a text; a balance owed to the bank is negative. */
export function findAmount(text: string): FoundValue | null {
  // The dash of `:-` is not a minus sign.
  const plain = text.replace(/[:=]\s?[-–]/g, (between) => `${between.slice(0, -1)} `);
  for (const match of plain.matchAll(AMOUNT)) {
    const amount = readAmount(match[0]);
    // A long run of digits is an identifier, and a number in brackets a code.
    if (!amount || /\d{12}/.test(match[0]) || /^\(\d+\)$/.test(match[0].trim())) continue;
    const paise = amount.side === 'dr' ? -Math.abs(amount.paise) : amount.paise;
    return { value: String(paise), start: match.index, end: match.index + match[0].length };
  }
  return null;
}

/** The normal form of an identifier: uppercase without blanks; of an Aadhaar number the last four digits. */
export function normalIdentifier(name: string, raw: string): string {
  const compact = raw.toUpperCase().replace(/\s/g, '');
  return name === 'aadhaar' ? compact.slice(-4) : compact;
}

export function findIdentifier(text: string, name: string): FoundValue | null {
  const shape = SHAPES[name];
  const match = shape?.pattern.exec(text.toUpperCase());
  if (!shape || !match) return null;
  const raw = match.at(-1) ?? match[0];
  const start = match.index + match[0].lastIndexOf(raw);
  return {
    value: normalIdentifier(name, raw),
    start,
    end: start + raw.length,
    check: shape.check(raw.toUpperCase().replace(/[\s-]/g, '')),
  };
}

function findMisread(text: string, name: string): FoundValue | null {
  const [found] = misreadIdentifiers(text, name);
  return found ? { ...found, check: 'failed' } : null;
}

const foundAt = (text: string, raw: string, value: string): FoundValue => {
  const start = Math.max(0, text.indexOf(raw));
  return { value, start, end: start + raw.length };
};

const PUNCTUATION_AROUND = /^[\s:;.,|=–*-]+|[\s:;,|=–-]+$/g;

/** Finds a value of a kind in a text; null for none. */
export function findValue(kind: ValueKind, text: string, name = ''): FoundValue | null {
  switch (kind) {
    case 'amount':
      return findAmount(text);
    case 'identifier':
      return findIdentifier(text, name) ?? findMisread(text, name);
    case 'date': {
      const date = readDate(text);
      return (
        date && (text.includes(date.raw) ? foundAt(text, date.raw, date.day) : foundAt(text, text, date.day))
      );
    }
    case 'period': {
      if (name === 'year' || name === 'assessment_year') {
        const year = readYear(text, name === 'year' ? 'fy' : 'ay');
        return year && foundAt(text, year.raw, yearPeriod(year.year));
      }
      const period = readPeriod(text);
      return period && foundAt(text, text, period.period);
    }
    case 'number': {
      const match = /(?<![\w.])\d+(?:\.\d+)?(?!\w)/.exec(text);
      return match && foundAt(text, match[0], String(Number(match[0])));
    }
    default: {
      const plain = text.replace(PUNCTUATION_AROUND, '').trim();
      return plain && /[\p{L}\p{Nd}]/u.test(plain) ? foundAt(text, plain, plain.slice(0, 200)) : null;
    }
  }
}
