/** Also after whitespace and invisible characters, and in the full-width forms that East Asian versions accept. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u;

/** A spreadsheet evaluates a cell that begins like a formula; a leading apostrophe makes it text. */
function cell(value: string | number | null): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(/\r?\n/g, '\r\n');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV for Excel; write CSV_START before the first line. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(cell).join(',')}\r\n`;

/** The byte order mark, which makes Excel read the file as UTF-8. */
export const CSV_START = '\uFEFF';

/** The sign that separates the fields of a CSV, by what is most frequent outside quotation marks. @param sample some of its first lines. */
export function delimiterOf(sample: string): string {
  const bare = sample.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: bare.split(sign).length - 1 }));
  return counts.toSorted((a, b) => b.count - a.count)[0]!.sign;
}
