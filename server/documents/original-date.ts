const DAY = 24 * 60 * 60_000;
const EARLIEST = Date.UTC(1980, 0, 1);
/** A date without a zone is taken as Indian time. */
const ZONE = '+05:30';

/**
 * Normalizes a file's last-modified time, as its sender reported it, to ISO 8601 in UTC. Null when it is missing,
 * malformed or implausible: devices whose clock was never set report 1970 or 2098.
 */
export function originalDate(date: string | null | undefined, now: Date): string | null {
  if (!date) return null;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(date) ? date : `${date}${ZONE}`;
  const time = /^\d{4}-\d\d-\d\dT/.test(date) ? Date.parse(zoned) : NaN;
  return time >= EARLIEST && time <= now.getTime() + DAY ? new Date(time).toISOString() : null;
}
