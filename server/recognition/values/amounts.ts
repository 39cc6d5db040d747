const DIGITS = /^(?:\d{1,3}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
const CURRENCY = /^(?:₹|rs\.?|inr|`)\s*/i;

export interface Amount {
  /** An integer; negative for brackets or a minus sign before or after. */
  paise: number;
  /** Of a balance: `cr` is owed by the bank. */
  side: 'cr' | 'dr' | null;
}

/**
 * Parses an amount in Indian notation: `₹ 1,23,456.50/-`, `(12,050)`, `5.2 lakh`, `34,279.01 Cr`. `Cr` is credit, not
 * crore; broken grouping is not an amount.
 */
export function readAmount(text: string): Amount | null {
  let rest = text
    .normalize('NFKC')
    .replace(/[\u2212\u2013]/g, '-')
    .trim();
  let [sign, unit, side] = [1, 1, null as Amount['side']];
  const strip = (pattern: RegExp): string | null => {
    const match = pattern.exec(rest);
    if (match) rest = rest.replace(pattern, '').trim();
    return match?.[0].trim().toLowerCase() ?? null;
  };
  strip(CURRENCY);
  strip(/\/-$|\s*only\.?$/i);
  if (/^\(.*\)$/.test(rest)) {
    sign = -1;
    rest = rest.slice(1, -1).trim();
    strip(CURRENCY);
  }
  side = (strip(/\s*\(?\b(?:cr|dr)\b\.?\)?$|(?<=\d)(?:cr|dr)\.?$/i)?.replace(/[^a-z]/g, '') ??
    null) as Amount['side'];
  const words = strip(/\s*(?:lakhs?|lacs?|crores?)\.?$/i);
  if (words) unit = words.startsWith('l') ? 100_000 : 10_000_000;
  if (strip(/^-\s*/) !== null) sign = -sign;
  strip(CURRENCY);
  if (strip(/-$/) !== null) sign = -sign;
  // 0021 and (0005) are codes.
  if (!DIGITS.test(rest) || /^0\d/.test(rest)) return null;
  const [whole = '', part = ''] = rest.replaceAll(',', '').split('.');
  if (unit === 1 && part.length > 2) return null;
  const paise = Math.round((Number(whole) * 100 + Number(`0.${part || 0}`) * 100) * unit);
  return Number.isSafeInteger(paise) ? { paise: sign * paise || 0, side } : null;
}

/** Whether it is written as money, with paise or grouping, and so not a year, a serial number or a code. */
export const looksLikeMoney = (text: string): boolean =>
  /\d,\d{2,3}\b|\d\.\d{2}\b|₹|\brs\b|\binr\b|\/-/i.test(text);
