/** What a cell holds; `date` is a day, a time of day, or both. */
export type CellKind = 'text' | 'number' | 'date' | 'boolean' | 'error';

export interface Cell {
  /** Trimmed; '' where nothing stands. A date reads `2026-03-31`, `2026-03-31 10:30` or `10:30`. */
  text: string;
  kind: CellKind;
}

export interface Row {
  /** As a spreadsheet numbers it, from 1. */
  number: number;
  /** From the first column to the last that has something. */
  cells: Cell[];
}

export interface Sheet {
  /** '' in a file that has only one. */
  name: string;
  /** Whether its author has hidden it. */
  hidden: boolean;
  /** Those that have something in them. */
  rows: Row[];
  /** Whether it goes on below these rows. */
  more_rows: boolean;
  /** Whether it goes on to the right of these columns. */
  more_columns: boolean;
}

/** How much is read of a file; what lies beyond `rows` and `columns` is left out. */
export interface SheetLimits {
  /** Of the file. */
  bytes: number;
  /** With something in them, of each sheet. */
  rows: number;
  columns: number;
  sheets: number;
}

export const SHEET_FAULTS = [
  /** Neither a table of text nor a workbook that can be read. */
  'not_a_table',
  /** A workbook of before 2007, or one under a password. */
  'old_format',
  'web_page',
  'open_quote',
  /** Of a table of text; a quotation mark that never closes looks alike. */
  'endless_row',
  'damaged',
  /** The file asks for more time, memory or text than a table is worth. */
  'too_large',
] as const;
export type SheetFault = (typeof SHEET_FAULTS)[number];

/** Why a file gives no sheets, for whoever asked to put into words. */
export class SheetsUnreadable extends Error {
  override name = 'SheetsUnreadable';
  readonly fault: SheetFault;
  /** Near which line of a table of text. */
  readonly line: number | undefined;

  constructor(fault: SheetFault, line?: number, options?: ErrorOptions) {
    super(`The sheets cannot be read: ${fault}.`, options);
    this.fault = fault;
    this.line = line;
  }
}
