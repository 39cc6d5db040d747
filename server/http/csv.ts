/** Also behind spaces and invisible signs, and as the wide forms that East Asian versions take for the same. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u;

/** A spreadsheet would run what begins like a formula; an apostrophe makes it text. */
function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(/\r?\n/g, '\r\n');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV that Excel opens rightly; put CSV_START in front of the first. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(',')}\r\n`;

/** The byte order mark, by which Excel knows the text for UTF-8. */
export const CSV_START = '\uFEFF';
