import { invalid } from '#server/http/errors.ts';
import type { Sheet, SheetFault } from '#server/sheets/contract.ts';
import { SheetsUnreadable } from '#server/sheets/contract.ts';
import type { Sheets } from '#server/sheets/service.ts';
import { headingsIn } from './columns.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_COLUMNS } from './contract.ts';

/** Rows of one import, beside the header. */
const ROWS_MAX = 5000;

export interface Table {
  /** The name of the sheet; '' in a file that has only one. */
  sheet: string;
  /** Names of the sheets that have something in them. */
  sheets: string[];
  /** Without the empty ones; `line` is the number that a spreadsheet gives the row. */
  rows: { line: number; cells: string[] }[];
}

const bad = (message: string) => invalid({ file: [message] }, 'unreadable_table');

const QUOTE = 'a quotation mark is opened and never closed';
const near = (line: number | undefined, why: string) =>
  `Near line ${line}: ${why}. Correct it and choose the file again.`;
const WORDS: Record<SheetFault, (line?: number) => string> = {
  not_a_table: () =>
    'This is not a CSV or Excel file. Save the list in Excel as "CSV UTF-8" or "Excel Workbook (.xlsx)" and choose it again.',
  old_format: () =>
    'This is an old (.xls) or a protected Excel file. Open it in Excel, save it as "Excel Workbook (.xlsx)" without a password, and choose that.',
  // Portals and accounting programs give such files the ending .xls.
  web_page: () =>
    'This is a web page and not a workbook, whatever its name says. Open it in Excel, save it as "Excel Workbook (.xlsx)" and choose that.',
  open_quote: (line) => near(line, QUOTE),
  endless_row: (line) => near(line, `this row has no end: either the file is no list, or ${QUOTE}`),
  damaged: () => 'This Excel file could not be read. Save it in Excel as "CSV UTF-8" and choose that.',
  too_large: () => 'This file could not be read. Save the list as "CSV UTF-8" in Excel and choose that.',
};

async function sheetsOf(sheets: Pick<Sheets, 'read'>, firm_id: number, bytes: Buffer): Promise<Sheet[]> {
  // Two rows more: the header, and one that tells that there are too many.
  const limits = { bytes: IMPORT_MAX_BYTES, rows: ROWS_MAX + 2, columns: IMPORT_MAX_COLUMNS };
  try {
    return await sheets.read(bytes, { firm_id, limits });
  } catch (error) {
    if (error instanceof SheetsUnreadable) throw bad(WORDS[error.fault](error.line));
    throw error;
  }
}

/** The first day that Excel knows is of 1900: a time of day alone is no date of anybody. */
const isDay = (text: string): boolean => /^\d{4}-/.test(text);

/**
 * The cells of a CSV or XLSX file as texts.
 * @param wanted the sheet to read; without one, that with the most known headings.
 * @throws {AppError} 422 on `file`, `unreadable_table`; 503 when too many files of the firm wait to be read.
 */
export async function readTable(
  reader: Pick<Sheets, 'read'>,
  firmId: number,
  bytes: Buffer,
  wanted?: string,
): Promise<Table> {
  const sheets = (await sheetsOf(reader, firmId, bytes))
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows }) => ({
      name,
      rows: rows.map(({ number, cells }) => ({
        line: number,
        cells: cells.map(({ text, kind }) =>
          kind === 'date' ? (isDay(text) ? text.slice(0, 10) : '') : text,
        ),
      })),
    }));
  const known = (rows: Table['rows']) => Math.max(...rows.slice(0, 20).map(({ cells }) => headingsIn(cells)));
  const [best] = sheets.toSorted((a, b) => known(b.rows) - known(a.rows));
  if (!best) throw bad('This file is empty.');
  const { name, rows } = sheets.find((one) => one.name === wanted) ?? best;
  if (rows.length === 1) throw bad('This file has a heading and nothing below it.');
  if (rows.length > ROWS_MAX + 1)
    throw bad(
      `This file has more than ${ROWS_MAX.toLocaleString('en-IN')} rows. Split it and import the parts one by one.`,
    );
  return { sheet: name, sheets: sheets.map((one) => one.name), rows };
}
