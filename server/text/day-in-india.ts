import { lazily } from './lazily.ts';

/** India has one time zone and no daylight saving time. */
export const IST_OFFSET_MS = 330 * 60_000;

const inIndia = (now: Date): string => new Date(now.getTime() + IST_OFFSET_MS).toISOString();

/** The current day in India: `2026-11-22`. */
export const dayInIndia = (now: Date): string => inIndia(now).slice(0, 10);

/** The moment at which a day begins in India, ISO 8601, UTC. @param day `2026-11-22`. */
export const startOfDayInIndia = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00+05:30`)).toISOString();

/** `2026-11-22 18.30`, for names, which cannot contain a colon. */
export const minuteInIndia = (now: Date): string =>
  inIndia(now).slice(0, 16).replace('T', ' ').replace(':', '.');

const IN_WORDS = { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short', year: 'numeric' } as const;
const DAY = lazily(() => new Intl.DateTimeFormat('en-US', IN_WORDS));
const MOMENT = lazily(
  () => new Intl.DateTimeFormat('en-US', { ...IN_WORDS, hour: 'numeric', minute: '2-digit' }),
);

/** `Nov 22, 2026`: the day in India, for display, as on the screens. A text is a moment as in ISO 8601. */
export const dayInWords = (moment: Date | string): string => DAY().format(new Date(moment));

/** `Nov 22, 2026, 6:30 PM`, for display as on the screens. */
export const timeInWords = (date: Date): string => MOMENT().format(date);

/** `Nov 22, 2026, 6:30 PM IST`, for display elsewhere. */
export const momentInWords = (date: Date): string => `${timeInWords(date)} IST`;
