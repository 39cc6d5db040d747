import { lazily } from './lazily.ts';

const IN_INDIA = 330 * 60_000;

const inIndia = (now: Date): string => new Date(now.getTime() + IN_INDIA).toISOString();

/** `2026-11-22`: the day that it is in India. */
export const dayInIndia = (now: Date): string => inIndia(now).slice(0, 10);

/** The moment at which a day begins in India, ISO 8601, UTC. @param day `2026-11-22`. */
export const startOfDayInIndia = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00+05:30`)).toISOString();

/** `2026-11-22 18.30`, for names: a colon could not stand in one. */
export const minuteInIndia = (now: Date): string =>
  inIndia(now).slice(0, 16).replace('T', ' ').replace(':', '.');

const IN_WORDS = { timeZone: 'Asia/Kolkata', day: 'numeric', month: 'short', year: 'numeric' } as const;
const DAY = lazily(() => new Intl.DateTimeFormat('en-IN', IN_WORDS));
const MOMENT = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', { ...IN_WORDS, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);

/** `22 Nov 2026`, in India, to be read. */
export const dayInWords = (at: Date): string => DAY().format(at);

/** `22 Nov 2026, 18:30 IST`, to be read. */
export const momentInWords = (at: Date): string => `${MOMENT().format(at)} IST`;
