import { namesAssessmentYear, yearsInText } from '#server/text/written-years.ts';
import type { DocumentType, Recognised, RecognisedField } from './contract.ts';
import { UNSURE } from './contract.ts';
import type { Layout } from './layout/page.ts';
import { fiscalYear, periodBetween, yearPeriod } from './values/periods.ts';

const HEAD_LINES = 60;
/** Accounts, dated after the year that they cover: `for the year ended 31st March, 2025`. */
const TYPES_OF_ACCOUNTS = new Set<DocumentType | null>(['audit_report', 'balance_sheet']);
const YEAR_END =
  /(?:as (?:at|on)|ended(?: on)?|ending on)\s+(?:the\s+)?(?:31(?:st)?[\s./-]*(?:march|mar|0?3)[\s,./-]*|march\s+31,?\s*)(20\d{2})/i;
/** Fields whose date decides the year of a document that states none. */
const DATE_FIELDS = ['invoice_date', 'deposit_date', 'date', 'date_of_filing'];
/** Types without a year, though they may mention one. */
const TYPES_WITHOUT_YEAR = new Set<DocumentType | null>([
  'pan_card',
  'aadhaar',
  'incorporation',
  'deed',
  'gst_registration',
]);

const headOf = ({ lines }: Layout): string =>
  lines
    .slice(0, HEAD_LINES)
    .map((line) => line.text)
    .join('\n');

const yearOfDay = (day: string): number => fiscalYear(Number(day.slice(0, 4)), Number(day.slice(5, 7)));

function yearOfPeriod(period: string): number | null {
  const year = /^(?:FY )?(\d{4})-\d{2}(?:$| Q)/.exec(period);
  if (!year) return null;
  const isMonth = /^\d{4}-\d{2}$/.test(period);
  return isMonth ? yearOfDay(`${period}-01`) : Number(year[1]);
}

/**
 * The financial year that contains a period, or all of it but its first or its last day, since banks often print the day
 * before or after; null for a period of two years, such as a calendar year, which may be filed under either.
 */
function yearBetween(from: string, to: string): number | null {
  const [first, last] = [yearOfDay(from), yearOfDay(to)];
  if (first === last) return first;
  const [beginsOnLastDay, endsOnFirstDay] = [from.endsWith('-03-31'), to.endsWith('-04-01')];
  if (last !== first + 1 || beginsOnLastDay === endsOnFirstDay) return null;
  return beginsOnLastDay ? last : first;
}

/** The year and the period of a document, by what it states, else by its date. */
export function yearOf(
  layout: Layout,
  type: DocumentType | null,
  fields: readonly RecognisedField[],
): Pick<Recognised, 'year' | 'period'> {
  const value = (key: string): string | undefined => fields.find((field) => field.key === key)?.value;
  if (TYPES_WITHOUT_YEAR.has(type)) return { year: null, period: null };
  const period = value('period');
  const yearFromPeriod = period === undefined ? null : yearOfPeriod(period);
  if (yearFromPeriod !== null) return { year: yearFromPeriod, period: period! };
  // A year that is asked in Review is not yet one.
  const year = fields.find(({ key, sure }) => key === 'year' && sure >= UNSURE)?.value;
  const statedYear = year === undefined ? null : yearOfPeriod(year);
  const [from, to] = [value('period_from'), value('period_to')];
  const between = from && to ? periodBetween(from, to) : null;
  if (statedYear !== null)
    return {
      year: statedYear,
      period: between?.year === statedYear ? between.period : yearPeriod(statedYear),
    };
  if (year === undefined && value('year') !== undefined) return { year: null, period: null };
  if (between) return between;
  if (from) return { year: to ? yearBetween(from, to) : yearOfDay(from), period: null };
  const yearEnd = TYPES_OF_ACCOUNTS.has(type) ? YEAR_END.exec(headOf(layout)) : null;
  if (yearEnd) return { year: Number(yearEnd[1]) - 1, period: yearPeriod(Number(yearEnd[1]) - 1) };
  const day = DATE_FIELDS.map(value).find((text) => text !== undefined);
  if (day) return { year: yearOfDay(day), period: null };
  const yearInText = yearNamedIn(headOf(layout));
  return yearInText === null
    ? { year: null, period: null }
    : { year: yearInText, period: yearPeriod(yearInText) };
}

/** The year that a text names. Figures alone are of an open kind where an assessment year is named, which begins a year later. */
function yearNamedIn(text: string): number | null {
  const years = /(?:y(?:ea)?r|f\.?y|a\.?y)/i.test(text) ? yearsInText(text) : [];
  const found = namesAssessmentYear(text) ? years.find(({ start }) => !/\d/.test(text[start]!)) : years[0];
  return found?.year ?? null;
}
