const SEPARATORS = /[\s()./\u2010-\u2015\u2212-]/g;
/** The country's prefix as people write it, or the trunk prefix before a number within the country. */
const PREFIX = /^(?:\+?91|0091|091|0)(?=\d{10}$)/;

/**
 * The ten digits of an Indian number written with +91, 91 or 0 in front, or with separators. Null when other than ten
 * digits remain: cutting there would make somebody else's number of it.
 */
export function tenDigits(text: string): string | null {
  const digits = text.replace(SEPARATORS, '').replace(PREFIX, '');
  return /^\d{10}$/.test(digits) ? digits : null;
}

/** Whether a number claims to be an Indian one and is not, for it has not ten digits behind its +91 or 91. */
export function isIncomplete(text: string): boolean {
  const digits = text.replace(SEPARATORS, '');
  const claims = /^(?:\+91|0091)/.test(digits) || /^91[6-9](?:\d{8}|\d{10,})$/.test(digits);
  return claims && tenDigits(text) === null;
}

/**
 * What stands in a field of ten digits after `text` came to stand there. An eleventh digit is not taken, unless the
 * first ones may be a prefix; what was pasted and has not ten digits stays whole, to be told as wrong.
 * @param before what stood there until then.
 */
export function typedDigits(text: string, before = ''): string {
  const ten = tenDigits(text);
  if (ten !== null) return ten;
  const digits = text.replace(/\D/g, '');
  const oneMore = before.length === 10 && digits.length === 11 && digits.startsWith(before);
  return oneMore && !/^(?:0|91)/.test(digits) ? before : digits;
}
