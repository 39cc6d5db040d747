/**
 * For so long a browser stays verified that has entered the code or the password of a link, and for so long it keeps the
 * cookie by which it is known.
 */
export const PROOF_LIFETIME_MS = 24 * 60 * 60_000;
