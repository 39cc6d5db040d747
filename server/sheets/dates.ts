const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Day 0 of Excel, which takes 1900 for a leap year. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Until that day that never was. */
const LEAP = 60;
const FROM_1904 = 1462;
/** The last day of the year 9999. */
const LAST = 2_958_465;

/**
 * A number of days as the date and time that it shows, to the minute. 0 is what a formula leaves that points to an empty
 * cell, and shows nothing; null for what is no date.
 */
export function dateOf(days: number, from1904: boolean): string | null {
  if (days === 0) return '';
  if (days < 0 || days > LAST) return null;
  const minutes = Math.round((days * DAY_MS) / MINUTE_MS);
  const whole = Math.floor((minutes * MINUTE_MS) / DAY_MS);
  const time = new Date((minutes * MINUTE_MS) % DAY_MS).toISOString().slice(11, 16);
  if (whole === 0) return time;
  const day = from1904 ? whole + FROM_1904 : whole < LEAP ? whole + 1 : whole;
  const date = new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10);
  return time === '00:00' ? date : `${date} ${time}`;
}

/** A date that is written out, in the same form; '' for those before Excel's first. */
export function dayOf(text: string): string {
  const [, date = '', time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(text) ?? [];
  if (date === '') return text;
  if (date < '1900-01-01') return '';
  return time === '00:00' ? date : `${date} ${time}`;
}
