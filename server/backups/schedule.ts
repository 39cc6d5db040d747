import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The latest time up to `now` at which it was `minutes` after midnight in India. */
export function lastTime(minutes: number, now: Date): Date {
  const inIndia = now.getTime() + IST_OFFSET_MS;
  const today = Math.floor(inIndia / DAY) * DAY + minutes * MINUTE;
  return new Date((today <= inIndia ? today : today - DAY) - IST_OFFSET_MS);
}

export const nextTime = (minutes: number, now: Date): Date =>
  new Date(lastTime(minutes, now).getTime() + DAY);

/** `01:30` */
export const timeOfDay = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
