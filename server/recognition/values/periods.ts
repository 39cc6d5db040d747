import { yearsIn } from '#server/reading/words/dates.ts';
import { readDate } from './dates.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const MONTH_NAME = new RegExp(String.raw`\b${MONTH}[\s,.'’/-]*(20\d{2}|\d{2})?\b`, 'i');
const SPAN = new RegExp(String.raw`\b${MONTH}[\s\d,.'’]*(?:-|–|to)\s*${MONTH}\b`, 'i');

export interface Period {
  /** The start year of the financial year of the period. */
  year: number;
  /** See `RecognisedField` of kind `period`. */
  period: string;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
export const yearPeriod = (year: number): string => `FY ${year}-${twoDigits((year + 1) % 100)}`;
/** The financial year of a calendar month, from 1 to 12. */
export const fiscalYear = (year: number, month: number): number => (month >= 4 ? year : year - 1);
export const monthPeriod = (year: number, month: number): Period => ({
  year: fiscalYear(year, month),
  period: `${year}-${twoDigits(month)}`,
});
const quarterPeriod = (year: number, quarter: number): Period => ({
  year,
  period: `${year}-${twoDigits((year + 1) % 100)} Q${quarter}`,
});
export const wholeYear = (year: number): Period => ({ year, period: yearPeriod(year) });

/**
 * The financial year of `Assessment Year 2026-27`, `FY 2025-26` or `Tax Year 2026-27`. `kind` is that of a bare year.
 */
export function readYear(text: string, kind: 'fy' | 'ay' = 'fy'): { year: number; raw: string } | null {
  const [span] = yearsIn(text);
  if (!span) return null;
  const raw = text.slice(span.start, span.end);
  const hasPrefix = /^[a-z]/i.test(raw);
  const year = Number(span.term);
  return { year: !hasPrefix && kind === 'ay' ? year - 1 : year, raw };
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const quarterOf = (month: number): number => Math.floor(((month + 8) % 12) / 3) + 1;

/** The period between two dates that are the ends of a month, a quarter or a year. */
export function periodBetween(from: string, to: string): Period | null {
  const [a, b] = [from, to].map((day) => day.split('-').map(Number) as [number, number, number]);
  if (!a || !b || to < from) return null;
  const months = (b[0] - a[0]) * 12 + b[1] - a[1] + 1;
  const areWholeMonths = a[2] === 1 && new Date(Date.UTC(b[0], b[1], 0)).getUTCDate() === b[2];
  if (!areWholeMonths) return null;
  const year = fiscalYear(a[0], a[1]);
  if (months === 1) return monthPeriod(a[0], a[1]);
  if (months === 3 && a[1] % 3 === 1) return quarterPeriod(year, quarterOf(a[1]));
  return months === 12 && a[1] === 4 ? wholeYear(year) : null;
}

/**
 * Parses a month, quarter or year: `March 2026`, `Mar-26`, `032026`, `Q4 2025-26`, `Jan - Mar`, `2025-26`.
 * @param defaultYear the financial year where the text has none, as in `March`.
 */
export function readPeriod(text: string, defaultYear: number | null = null): Period | null {
  const year = readYear(text)?.year ?? defaultYear;
  const quarter = /\bq(?:uarter)?[\s.-]*([1-4])\b/i.exec(text)?.[1];
  if (quarter && year !== null) return quarterPeriod(year, Number(quarter));
  const numeric = /(?<!\d)(0[1-9]|1[0-2])[-/]?(20\d{2})(?!\d)/.exec(text);
  if (numeric && !readDate(text)) return monthPeriod(Number(numeric[2]), Number(numeric[1]));
  const iso = /(?<!\d)(20\d{2})-(0[1-9]|1[0-2])(?![\d-])/.exec(text);
  if (iso && readYear(text) === null) return monthPeriod(Number(iso[1]), Number(iso[2]));
  const span = SPAN.exec(text);
  if (span) {
    const [first, last] = [monthOf(span[1]!), monthOf(span[2]!)];
    const calendarYear = /20\d{2}/.exec(text)?.[0];
    const startYear = year ?? (calendarYear ? fiscalYear(Number(calendarYear), first) : null);
    if (startYear !== null && first % 3 === 1 && last === first + 2)
      return quarterPeriod(startYear, quarterOf(first));
    if (startYear !== null && first === 4 && last === 3) return wholeYear(startYear);
  }
  const monthName = MONTH_NAME.exec(text);
  if (monthName) {
    const month = monthOf(monthName[1]!);
    const statedYear =
      monthName[2] && (monthName[2].length === 4 ? Number(monthName[2]) : 2000 + Number(monthName[2]));
    const calendarYear =
      statedYear || (defaultYear === null ? null : month >= 4 ? defaultYear : defaultYear + 1);
    if (calendarYear) return monthPeriod(calendarYear, month);
  }
  return year === null ? null : wholeYear(year);
}
