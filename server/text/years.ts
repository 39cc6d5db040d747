import { dayInIndia } from './day-in-india.ts';
import { wholeYear, yearsInName } from './written-years.ts';

/**
 * The first calendar year of the financial year: 2025 for `FY 2025-26`, `AY 2026-27`, `2025-26`, `25-26` and `2025`; null
 * for other texts, such as `2025-27`.
 */
export const yearOf = (text: string): number | null => wholeYear(text.trim())?.year ?? null;

/** The year in the name of a folder, as `yearOf` gives it; null for none. */
export const yearOfFolder = (name: string): number | null => yearsInName(name)[0]?.year ?? null;

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
