const DAY = 24 * 60 * 60_000;
const EARLIEST = Date.UTC(1980, 0, 1);
/** Clocks of offices in India, where a date comes without a zone. */
const ZONE = '+05:30';

/**
 * When a file was last changed where it came from: ISO 8601 in UTC. Null for what was not given, and for what cannot be
 * true: a clock that was never set says 1970 or 2098.
 */
export function originalDate(given: string | null | undefined, now: Date): string | null {
  if (!given) return null;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(given) ? given : `${given}${ZONE}`;
  const time = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(zoned) : NaN;
  return time >= EARLIEST && time <= now.getTime() + DAY ? new Date(time).toISOString() : null;
}
