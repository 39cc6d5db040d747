/** A small correction of the clock by a time server must not end a link. */
const LEEWAY = 60_000;

/**
 * Whether something created with a lifetime of `lifetime` ms is valid at `now`. An expiry further away than
 * that comes from a clock that has been set back since: the link counts as expired, or it would outlive its
 * lifetime by that error.
 */
export const isWithinLifetime = (expiresAt: number, lifetime: number, now: number): boolean =>
  now < expiresAt && expiresAt <= now + lifetime + LEEWAY;
