const IN_INDIA = 330 * 60_000;

const inIndia = (now: Date): string => new Date(now.getTime() + IN_INDIA).toISOString();

/** `2026-11-22`: the day that it is in India. */
export const dayInIndia = (now: Date): string => inIndia(now).slice(0, 10);

/** `2026-11-22 18.30`, for names: a colon could not stand in one. */
export const minuteInIndia = (now: Date): string =>
  inIndia(now).slice(0, 16).replace('T', ' ').replace(':', '.');
