/**
 * For so long a browser stays verified that has entered the code or the password of a link, and for so long it keeps the
 * cookie by which it is known.
 */
export const PROOF_LIFETIME_MS = 24 * 60 * 60_000;

/** Whether the text can be the value of the cookie that identifies a visitor's browser; any other is treated as missing. */
export const isVisitorCookie = (text: string | undefined): text is string => /^[\w-]{43}$/.test(text ?? '');
