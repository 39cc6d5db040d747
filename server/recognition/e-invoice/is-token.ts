/** Characters: a QR code holds less. */
const TOKEN_MAX = 4300;
const TOKEN = /^[\w-]{8,}\.[\w-]{20,}\.[\w-]{20,}$/;

/**
 * Whether it may be the signed text of an e-invoice. Other codes are left alone: that of an Aadhaar letter holds the
 * number and the person.
 */
export const isToken = (text: string): boolean => text.length <= TOKEN_MAX && TOKEN.test(text);
