import { dayInIndia, dayInWords, timeInWords } from '#server/text/day-in-india.ts';
import * as common from '#messages/common.ts';
export { formatBytes } from '#server/text/format-bytes.ts';

/** A fixed time zone, so that server and browser render the same text. */
const TIME_ZONE = 'Asia/Kolkata';

const weekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: TIME_ZONE,
});
const clock = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  timeZone: TIME_ZONE,
});
const integer = new Intl.NumberFormat('en-IN');

/** `Nov 20, 2026`, from a moment or a day of ISO 8601; '' for an invalid date. */
export function formatDate(iso: string | null | undefined): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '' : dayInWords(date);
}

/** `Nov 20, 2026, 4:05 PM`. */
export function formatDateTime(iso: string | null | undefined): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '' : timeInWords(date);
}

/** `Fri, Nov 20, 2026`. */
export const formatDay = (iso: string): string => weekday.format(Date.parse(iso));

/** `4:05 PM`. */
export const formatTime = (iso: string): string => clock.format(Date.parse(iso));

/** `2026-11-20`, in India. `time` in milliseconds. */
export const isoDateInIndia = (time: number): string => dayInIndia(new Date(time));

/** 'Just now', 'Nh ago', 'Nd ago', then the date; 'Unknown' without one. `now` in milliseconds. */
export function relativeTime(iso: string | null | undefined, now = Date.now()): string {
  const time = Date.parse(iso ?? '');
  if (Number.isNaN(time)) return common.unknown;
  const hours = Math.floor((now - time) / 3_600_000);
  if (hours < 1) return common.justNow;
  if (hours < 24) return common.hoursAgo(hours);
  if (hours < 168) return common.daysAgo(Math.floor(hours / 24));
  return dayInWords(new Date(time));
}

/** `1,23,456`, in Indian grouping. */
export const formatCount = (count: number): string => integer.format(count);
