import { invalid } from '#server/http/errors.ts';
import type { Sheet, SheetFault } from '#server/sheets/contract.ts';
import { SheetsUnreadable } from '#server/sheets/contract.ts';
import type { Sheets } from '#server/sheets/service.ts';
import { countHeadings } from './import-columns.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_COLUMNS } from './contract.ts';

/** Rows per import, without the header. */
const MAX_ROWS = 5000;

export interface Table {
  /** The name of the sheet; '' in a file that has only one. */
  sheet: string;
  /** Names of the sheets that have something in them. */
  sheets: string[];
  /** Non-empty rows; `line` is the row number in a spreadsheet. */
  rows: { line: number; cells: string[] }[];
}

const unreadable = (message: string) => invalid({ file: [message] }, 'unreadable_table');

const QUOTE = 'a quotation mark is opened and never closed';
const nearLine = (line: number | undefined, why: string) =>
  `Near line ${line}: ${why}. Correct it and choose the file again.`;
const FAULT_TEXTS: Record<SheetFault, (line?: number) => string> = {
  not_a_table: () =>
    'This is not a CSV or Excel file. Save the list in Excel as "CSV UTF-8" or "Excel Workbook (.xlsx)" and choose it again.',
  old_format: () =>
    'This is an old (.xls) or a protected Excel file. Open it in Excel, save it as "Excel Workbook (.xlsx)" without a password, and choose that.',
  // Portals and accounting programs save HTML tables with the extension .xls.
  web_page: () =>
    'This is a web page and not a workbook, whatever its name says. Open it in Excel, save it as "Excel Workbook (.xlsx)" and choose that.',
  open_quote: (line) => nearLine(line, QUOTE),
  endless_row: (line) => nearLine(line, `this row has no end: either the file is no list, or ${QUOTE}`),
  damaged: () => 'This Excel file could not be read. Save it in Excel as "CSV UTF-8" and choose that.',
  too_large: () => 'This file could not be read. Save the list as "CSV UTF-8" in Excel and choose that.',
};

async function readSheets(sheets: Pick<Sheets, 'read'>, firm_id: number, bytes: Buffer): Promise<Sheet[]> {
  // Two extra rows: the header, and one that reveals too many rows.
  const limits = { bytes: IMPORT_MAX_BYTES, rows: MAX_ROWS + 2, columns: IMPORT_MAX_COLUMNS };
  try {
    return await sheets.read(bytes, { firm_id, limits });
  } catch (error) {
    if (error instanceof SheetsUnreadable) throw unreadable(FAULT_TEXTS[error.fault](error.line));
    throw error;
  }
}

/** Whether the text is a date: Excel dates begin in 1900, and a time alone has none. */
const isDay = (text: string): boolean => /^\d{4}-/.test(text);

/**
 * Reads the cells of a CSV or XLSX file as text.
 * @param wanted the name of the sheet; by default the sheet with the most known headings.
 * @throws {AppError} 422 on `file`, `unreadable_table`; 503 when too many files of the firm wait to be read.
 */
export async function readTable(
  reader: Pick<Sheets, 'read'>,
  firmId: number,
  bytes: Buffer,
  wanted?: string,
): Promise<Table> {
  const sheets = (await readSheets(reader, firmId, bytes))
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
  const headingCount = (rows: Table['rows']) =>
    Math.max(...rows.slice(0, 20).map(({ cells }) => countHeadings(cells)));
  const [best] = sheets.toSorted((a, b) => headingCount(b.rows) - headingCount(a.rows));
  if (!best) throw unreadable('This file is empty.');
  const { name, rows } = sheets.find((sheet) => sheet.name === wanted) ?? best;
  if (rows.length === 1) throw unreadable('This file has a heading and nothing below it.');
  if (rows.length > MAX_ROWS + 1)
    throw unreadable(
      `This file has more than ${MAX_ROWS.toLocaleString('en-IN')} rows. Split it and import the parts one by one.`,
    );
  return { sheet: name, sheets: sheets.map((sheet) => sheet.name), rows };
}
