import { yearsInText } from '#server/text/written-years.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NAMED =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

const WHOLE = String.raw`(?:\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})|\d{1,2}-(?:\d{1,2}|[A-Za-z]{3,9})-\d{4})`;
/**
 * Not within a longer number, but after a word, as in `dt.31.03.2025`, and on either side of the dash of a period, as in
 * `01/04/2024-31/03/2025`.
 */
const BEFORE = String.raw`(?=\d)(?:(?<![A-Za-z\d]|\d[.,/-])|(?<=(?<!\d)${WHOLE}-))`;
const AFTER = String.raw`(?![A-Za-z\d/]|-(?!${WHOLE}(?!\d)))`;

/** Dates are day first, as in India, or ISO. A two-digit year is of this century. */
const PATTERNS: [pattern: RegExp, order: 'dmy' | 'ymd' | 'mdy'][] = [
  [new RegExp(String.raw`${BEFORE}(\d{4})-(\d{2})-(\d{2})${AFTER}`, 'g'), 'ymd'],
  [new RegExp(String.raw`${BEFORE}(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${AFTER}`, 'g'), 'dmy'],
  [
    new RegExp(
      String.raw`${BEFORE}(\d{1,2})(?:st|nd|rd|th)?([-/. ]*)${NAMED}[-/., ']*(\d{4}|\d{2})${AFTER}`,
      'gi',
    ),
    'dmy',
  ],
  [new RegExp(String.raw`\b${NAMED}\.? ?(\d{1,2})(?:st|nd|rd|th)?(?:, ?| )(\d{4})${AFTER}`, 'gi'), 'mdy'],
];

interface Span {
  start: number;
  end: number;
  /** Its normal form. */
  term: string;
}

function day(year: string, month: string, date: string): string | null {
  const y = year.length === 2 ? 2000 + Number(year) : Number(year);
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const m = named < 0 ? Number(month) : named + 1;
  const d = Number(date);
  if (y < 1900 || y > 2199 || !(m >= 1 && m <= 12) || !(d >= 1 && d <= 31)) return null;
  return `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
}

/** The dates in a text: `07-04-2026`, `7 Apr 2026` and `2026-04-07` are the same. @param text with ASCII digits. */
export function daysIn(text: string): Span[] {
  const found: Span[] = [];
  for (const [pattern, order] of PATTERNS)
    for (const match of text.matchAll(pattern)) {
      const parts = match.slice(1).filter((part) => part !== undefined && /[\da-z]/i.test(part));
      const [a = '', b = '', c = ''] = parts;
      const term = order === 'ymd' ? day(a, b, c) : order === 'mdy' ? day(c, a, b) : day(c, b, a);
      if (term) found.push({ start: match.index, end: match.index + match[0].length, term });
    }
  return found;
}

/**
 * The financial years in a text, by the year in which each begins: `FY 2025-26`, `AY 2026-27` and `2025-26` are 2025,
 * since an assessment year follows its financial year. @param text with ASCII digits.
 */
export const yearsIn = (text: string): Span[] =>
  yearsInText(text).map(({ start, end, year }) => ({ start, end, term: String(year) }));
