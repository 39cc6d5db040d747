const DAY_MS = 24 * 60 * 60_000;

/** A session ends so long after the sign-in, however much it is used; its cookie is kept for as long. */
export const SESSION_LIFETIME_MS = 90 * DAY_MS;
/** A session that was not used for so long ends earlier. */
export const SESSION_IDLE_MS = 30 * DAY_MS;
