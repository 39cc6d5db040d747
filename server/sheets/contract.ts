/** The kind of a cell's value; `date` is a date, a time of day, or both. */
export type CellKind = 'text' | 'number' | 'date' | 'boolean' | 'error';

export interface Cell {
  /** Trimmed; '' for an empty cell. A date reads `2026-03-31`, `2026-03-31 10:30` or `10:30`. */
  text: string;
  kind: CellKind;
}

export interface Row {
  /** The row number of the spreadsheet, from 1. */
  number: number;
  /** Up to the last non-empty column. */
  cells: Cell[];
}

export interface Sheet {
  /** '' in a file with a single sheet. */
  name: string;
  /** Whether the author hid it. */
  hidden: boolean;
  /** The non-empty rows. */
  rows: Row[];
  /** Whether there are more rows. */
  more_rows: boolean;
  /** Whether there are more columns. */
  more_columns: boolean;
}

/** How much of a file is read; more rows and columns are left out. */
export interface SheetLimits {
  /** Of the file. */
  bytes: number;
  /** Non-empty rows per sheet. */
  rows: number;
  columns: number;
  sheets: number;
}

export const SHEET_FAULTS = [
  /** Neither a text table nor a readable workbook. */
  'not_a_table',
  /** A workbook of before 2007, or one with a password. */
  'old_format',
  'web_page',
  'open_quote',
  /** Of a text table: a row without end, or an unclosed quotation mark. */
  'endless_row',
  'damaged',
  /** The file takes more time, memory or text than a table may. */
  'too_large',
] as const;
export type SheetFault = (typeof SHEET_FAULTS)[number];

/** Why a file cannot be read; the caller words it for users. */
export class SheetsUnreadable extends Error {
  override name = 'SheetsUnreadable';
  readonly fault: SheetFault;
  /** The approximate line in a text table. */
  readonly line: number | undefined;

  constructor(fault: SheetFault, line?: number, options?: ErrorOptions) {
    super(`The sheets cannot be read: ${fault}.`, options);
    this.fault = fault;
    this.line = line;
  }
}
