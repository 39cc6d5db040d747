/** A clock that a time server sets back by a little ends nothing. */
const LEEWAY = 60_000;

/**
 * Whether what was made for `lifetime` milliseconds is good at `now`. One that would last longer than that was made
 * before the clock was set back: it is over, or it would last for as long as the clock was wrong.
 */
export const stillGood = (expiresAt: number, lifetime: number, now: number): boolean =>
  now < expiresAt && expiresAt <= now + lifetime + LEEWAY;
