/** In characters; a QR code holds less. */
const TOKEN_MAX = 4300;
const TOKEN = /^[\w-]{8,}\.[\w-]{20,}\.[\w-]{20,}$/;

/**
 * Whether a text may be the signed token of an e-invoice. Other codes are ignored: that of an Aadhaar letter holds
 * the number and personal data.
 */
export const isToken = (text: string): boolean => text.length <= TOKEN_MAX && TOKEN.test(text);
