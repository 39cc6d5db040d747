const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Day 0 of Excel, which treats 1900 as a leap year. */
const EPOCH = Date.UTC(1899, 11, 30);
/** The serial number of February 29, 1900, which never existed. */
const FALSE_LEAP_DAY = 60;
const OFFSET_1904 = 1462;
/** The last day of the year 9999. */
const DAY_MAX = 2_958_465;

/**
 * Formats a serial number as date and time, to the minute. 0, the result of a formula that refers to an empty cell,
 * is ''; null for what is not a date.
 */
export function dateOf(days: number, from1904: boolean): string | null {
  if (days === 0) return '';
  if (days < 0 || days > DAY_MAX) return null;
  const minutes = Math.round((days * DAY_MS) / MINUTE_MS);
  const whole = Math.floor((minutes * MINUTE_MS) / DAY_MS);
  const time = new Date((minutes * MINUTE_MS) % DAY_MS).toISOString().slice(11, 16);
  if (whole === 0) return time;
  const day = from1904 ? whole + OFFSET_1904 : whole < FALSE_LEAP_DAY ? whole + 1 : whole;
  const date = new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10);
  return time === '00:00' ? date : `${date} ${time}`;
}

/** Formats an ISO date in the same way; '' for dates before Excel's first. */
export function dayOf(text: string): string {
  const [, date = '', time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(text) ?? [];
  if (date === '') return text;
  if (date < '1900-01-01') return '';
  return time === '00:00' ? date : `${date} ${time}`;
}
