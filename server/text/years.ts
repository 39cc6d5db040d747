import { dayInIndia } from './day-in-india.ts';

/** A financial or assessment year as people write it: `FY 2025-26`, `A.Y. 2026-2027`, `2025-26`. */
const YEAR =
  /^(?:(f\.?\s?y\.?|a\.?\s?y\.?|t\.?\s?y\.?|financial year|assessment year|tax year)[\s:.-]*)?((?:19|20)?\d{2})(?:\s?[-–/]\s?((?:19|20)?\d{2}))?$/i;

/**
 * The first calendar year of the financial year: 2025 for `FY 2025-26`, `AY 2026-27`, `2025-26`, `25-26` and `2025`; null
 * for other texts, such as `2025-27`.
 */
export function yearOf(text: string): number | null {
  const [, kind = '', from, to] = YEAR.exec(text.trim()) ?? [];
  if (from === undefined || (to === undefined && from.length === 2)) return null;
  const start = from.length === 2 ? 2000 + Number(from) : Number(from);
  const ends =
    to === undefined
      ? start + 1
      : to.length === 2
        ? Math.floor((start + 1) / 100) * 100 + Number(to)
        : Number(to);
  if (ends !== start + 1) return null;
  return /^a/i.test(kind) ? start - 1 : start;
}

const YEAR_IN_NAME = /(?:[fa]\.?y\.?[\s:.-]*)?(?:19|20)\d{2}\s?[-–]\s?(?:\d{4}|\d{2})/i;
/** The year in a folder's name, by `yearOf`; null for none. */
export function yearOfFolder(name: string): number | null {
  const year = YEAR_IN_NAME.exec(name)?.[0];
  return year === undefined ? null : yearOf(year);
}

const two = (year: number): string => String(year % 100).padStart(2, '0');

/** `2025-26` */
export const spanOfYear = (start: number): string => `${start}-${two(start + 1)}`;
/** `FY 2025-26` */
export const financialYear = (start: number): string => `FY ${spanOfYear(start)}`;

/** The first calendar year of the financial year of a day or month, which begins on 1 April: 2025 for `2026-03`. */
export function startOfFinancialYear(day: string): number {
  const [year, month] = day.split('-').map(Number);
  return month! < 4 ? year! - 1 : year!;
}

/**
 * Financial years to choose from, `2026-27`, from the next one back; the second is the current one. Years begin on
 * 1 April, Indian time.
 */
export function selectableYears(now: Date): string[] {
  const start = startOfFinancialYear(dayInIndia(now));
  return [1, 0, -1, -2, -3].map((step) => spanOfYear(start + step));
}

/** The spellings in names of the financial year that starts in `start`; `assessment` has those with `ay`. */
export const writtenYears = (start: number): { plain: string[]; assessment: string[] } => ({
  plain: [spanOfYear(start), `${start}-${start + 1}`, `fy${spanOfYear(start)}`, `fy${start}-${start + 1}`],
  assessment: [`ay${spanOfYear(start + 1)}`, `ay${start + 1}-${start + 2}`],
});

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats `2025-04` as `Apr 2025`; null for a period that is not a month. */
export function monthOf(period: string): string | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period) ?? [];
  return month === undefined ? null : `${MONTHS[Number(month) - 1]} ${year}`;
}
