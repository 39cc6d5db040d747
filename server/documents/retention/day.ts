import { dayInWords } from '#server/text/day-in-india.ts';
import type { CountsFrom } from './contract.ts';

/** The last day of the Indian financial year of a day, such as `2026-03-31`. */
function endOfYear(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return `${month > 3 ? year + 1 : year}-03-31`;
}

/** Adds months to a day. A day beyond the end of the month overflows into the next month, like SQLite's `date()`. */
function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10);
}

/**
 * The last day on which a file has to be kept.
 * @param uploadDay the day in India on which its content was uploaded; @param enteredDay the day that a user has entered.
 * @returns null when the rule needs an entered day and there is none.
 */
export function lastDay(
  { months, counts_from }: { months: number; counts_from: CountsFrom },
  { uploadDay, enteredDay }: { uploadDay: string; enteredDay: string | null },
): string | null {
  if (counts_from === 'said_day' && enteredDay === null) return null;
  const from = enteredDay ?? uploadDay;
  return monthsAfter(counts_from === 'year_end' ? endOfYear(from) : from, months);
}

/** `7 years`, `18 months`. */
export function periodInWords(months: number): string {
  const [count, unit] = months % 12 === 0 ? [months / 12, 'year'] : [months, 'month'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Formats a day as `Mar 31, 2033`. */
export const dayToRead = (day: string): string => dayInWords(`${day}T00:00:00Z`);
