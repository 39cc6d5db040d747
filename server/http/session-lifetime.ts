/** A session ends so long after the sign-in, however much it is used; its cookie is kept for as long. */
export const SESSION_LIFETIME_MS = 90 * 24 * 60 * 60_000;
