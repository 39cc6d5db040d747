// An assessment year follows the financial year that it assesses: the words before the figures decide which year is meant.
const ASSESSMENT = String.raw`(?:ass(?:ess(?:ment|mt)?|m?tt?|['’]t)|asmt)`;
const FINANCIAL = '(?:financial|fin|fiscal|previous|prev|accounting)';
const YEAR = String.raw`[\s._-]*y(?:ea)?rs?`;

/**
 * The sources of regular expressions (flags `iu`) for the words of an assessment year, `A.Y.` or `Asst. Year`, and of a
 * financial year, `F.Y.` or `Previous Year`.
 */
export const ASSESSMENT_YEAR = String.raw`(?:${ASSESSMENT}${YEAR}|a[\s._/]{0,2}y|निर्धारण\s*वर्ष)`;
export const FINANCIAL_YEAR = String.raw`(?:${FINANCIAL}${YEAR}|[fp][\s._/]{0,2}y)`;
const TAX_YEAR = String.raw`(?:tax${YEAR}|t[\s._/]{0,2}y)`;

/** The source for what may separate the words from the figures. */
export const BEFORE_FIGURES = String.raw`s?[\s.:_()[\]–—-]*`;

/** The source of an assertion before those words. `\b` would not do, since `_` counts as a letter there: `ITR_AY_2026-27`. */
export const BEFORE_WORDS = String.raw`(?:(?<!\p{L})|(?<=itr))`;
const KIND = String.raw`${BEFORE_WORDS}(?:(?<assessment>${ASSESSMENT_YEAR})|${FINANCIAL_YEAR}|${TAX_YEAR})${BEFORE_FIGURES}`;
/** The source of an assertion that no words of an assessment year are before, as they are in `A.Y. 2025-26`. */
export const NOT_ASSESSED = String.raw`(?<!${BEFORE_WORDS}${ASSESSMENT_YEAR}${BEFORE_FIGURES})`;
const FIRST = String.raw`(?<from>(?:19|20)\d{2})`;
const SECOND = String.raw`\s?(?<sign>[-–—/_])\s?(?<to>(?:19|20)?\d{2})(?!\d|[-_]\d|\k<sign>\d)`;

// Where no words are before the figures, a sign there shows that they belong to a number or a date, such as `1,2025-26`.
const IN_TEXT = new RegExp(String.raw`(?:${KIND}|(?<![\d.,/-]))${FIRST}${SECOND}`, 'giu');
const IN_NAME = new RegExp(String.raw`(?:${KIND}|(?<!\d))${FIRST}${SECOND}`, 'giu');
const WHOLE = new RegExp(
  String.raw`^(?:${KIND})?(?<from>(?:19|20)?\d{2})(?:\s?[-–—/_]\s?(?<to>(?:19|20)?\d{2}))?$`,
  'iu',
);

const NAMES_ASSESSMENT_YEAR = new RegExp(String.raw`${BEFORE_WORDS}${ASSESSMENT_YEAR}s?(?!\p{L})`, 'iu');
/** Whether a text, such as the label of a field, names an assessment year. */
export const namesAssessmentYear = (text: string): boolean => NAMES_ASSESSMENT_YEAR.test(text);

/** A year with its position. */
export interface WrittenYear {
  start: number;
  end: number;
  /** The calendar year in which its financial year begins. */
  year: number;
}

function yearOfMatch(match: RegExpExecArray): WrittenYear | null {
  const { assessment, from = '', to } = match.groups!;
  // A single year of two digits is any number.
  if (to === undefined && from.length === 2) return null;
  const first = from.length === 2 ? 2000 + Number(from) : Number(from);
  const last = to === undefined ? first + 1 : Number(to);
  if (to?.length === 2 ? (first + 1) % 100 !== last : last !== first + 1) return null;
  return {
    start: match.index,
    end: match.index + match[0].length,
    year: assessment === undefined ? first : first - 1,
  };
}

const yearsBy = (pattern: RegExp, text: string): WrittenYear[] =>
  Array.from(text.matchAll(pattern), yearOfMatch).filter((year) => year !== null);

/**
 * The years in a text, each with two years of figures that follow each other: `FY 2025-26`, `Asst. Year 2026-2027`,
 * `2025-26`.
 * @param text with ASCII digits.
 */
export const yearsInText = (text: string): WrittenYear[] => yearsBy(IN_TEXT, text);

/** The years in the name of a file or folder, where a year may follow any sign: `GST-2025-26`, `ITR_AY_2026_27`. */
export const yearsInName = (name: string): WrittenYear[] => yearsBy(IN_NAME, name);

/** The year that a text is, of which the second half may be missing: `AY 2026-27`, `25-26`, `2025`; null for others. */
export function wholeYear(text: string): WrittenYear | null {
  const match = WHOLE.exec(text);
  return match && yearOfMatch(match);
}
