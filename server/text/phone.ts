const SEPARATORS = /[\s()./\u2010-\u2015\u2212-]/g;
/** The country code in its usual spellings, or the trunk prefix of a domestic number. */
const PREFIX = /^(?:\+?91|0091|091|0)(?=\d{10}$)/;

/**
 * The ten digits of an Indian number written with +91, 91 or 0 in front, or with separators. Null unless exactly ten
 * digits remain: truncating would produce somebody else's number.
 */
export function tenDigits(text: string): string | null {
  const digits = text.replace(SEPARATORS, '').replace(PREFIX, '');
  return /^\d{10}$/.test(digits) ? digits : null;
}

/** Whether a number has the Indian country code but not ten digits after it. */
export function isIncomplete(text: string): boolean {
  const digits = text.replace(SEPARATORS, '');
  const hasCountryCode = /^(?:\+91|0091)/.test(digits) || /^91[6-9](?:\d{8}|\d{10,})$/.test(digits);
  return hasCountryCode && tenDigits(text) === null;
}

/**
 * The new value of a ten-digit field after an edit. Ignores an eleventh typed digit unless the first digits may be a
 * prefix; pasted text without ten digits stays complete, so that validation reports it.
 * @param before the previous value.
 */
export function typedDigits(text: string, before = ''): string {
  const complete = tenDigits(text);
  if (complete !== null) return complete;
  const digits = text.replace(/\D/g, '');
  const isEleventhDigit = before.length === 10 && digits.length === 11 && digits.startsWith(before);
  return isEleventhDigit && !/^(?:0|91)/.test(digits) ? before : digits;
}
