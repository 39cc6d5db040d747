import { isCalendarDay } from '#server/text/calendar-day.ts';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';
import * as t from '#messages/documents.ts';

const DAY = /^(?:19|20|21)\d{2}-\d{2}-\d{2}$/;
export const isIsoDate = (text: string): boolean => DAY.test(text) && isCalendarDay(text);

interface Period {
  id: string;
  label: string;
  from: string;
  to: string;
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

/** Common search periods: the last days, and financial years from April to March. `now` in milliseconds. */
export function periods(now: number): Period[] {
  const today = new Date(now + IST_OFFSET_MS);
  const year = today.getUTCMonth() < 3 ? today.getUTCFullYear() - 1 : today.getUTCFullYear();
  const financial = (from: number): Period => ({
    id: `fy${from}`,
    label: t.financialYear(`${from}-${String((from + 1) % 100).padStart(2, '0')}`),
    from: `${from}-04-01`,
    to: `${from + 1}-03-31`,
  });
  const last = (days: number): Period => ({
    id: `d${days}`,
    label: t.lastDays(days),
    from: day(today.getTime() - (days - 1) * DAY_MS),
    to: '',
  });
  return [last(7), last(30), financial(year), financial(year - 1), financial(year - 2)];
}
