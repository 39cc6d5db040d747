import { fiscalYear, yearPeriod } from '../../values/periods.ts';
import type { Reading } from '../rules.ts';

/** Confidence in a year that the period of its document contradicts. */
const CONTRADICTED = 0.5;

const yearOfDay = (day: string): string =>
  yearPeriod(fiscalYear(Number(day.slice(0, 4)), Number(day.slice(5, 7))));

/** Leaves the year of a certificate to a user where its period is in another one, since either may be misread. */
export function doubtYear(reading: Reading): void {
  const year = reading.fields.find(({ key }) => key === 'year');
  const [from, to] = [reading.value('period_from'), reading.value('period_to')];
  if (!year || !from || !to || yearOfDay(from) !== yearOfDay(to) || yearOfDay(from) === year.value) return;
  year.sure = Math.min(year.sure, CONTRADICTED);
}
