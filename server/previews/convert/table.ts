import type { CellObject, WorkSheet } from '@e965/xlsx';
import { read, utils } from '@e965/xlsx';
import type { Cell, SheetView } from '../contract.ts';
import { COLUMNS_SHOWN, ROWS_SHOWN } from '../contract.ts';
import { Budget } from './budget.ts';
import { readCsv } from './csv.ts';
import { shown, SHORT_DATE, written } from './figures.ts';
import { checkPackage, checkUnlocked, isCompound, isZip, Locked, Unreadable } from './limits.ts';

/** Rows read: some beyond those shown, to tell content from rows that are only formatted, which may reach the last row. */
const ROWS_READ = ROWS_SHOWN + 1000;
const SHEETS_MAX = 100;

function rowsOf(sheet: WorkSheet, isPage: boolean): { rows: Cell[][]; columns: number } {
  const dense = (sheet['!data'] ?? []) as (CellObject | undefined)[][];
  let columns = 0;
  const rows = Array.from(dense, (cells = []) => {
    columns = Math.max(columns, cells.findLastIndex((cell) => cell !== undefined && shown(cell) !== '') + 1);
    return Array.from(cells.slice(0, COLUMNS_SHOWN), (cell) => {
      const text = shown(cell);
      return isPage && typeof text === 'string' ? written(text) : text;
    });
  });
  return { rows, columns };
}

function view(
  name: string,
  sheet: WorkSheet,
  { budget, isPage }: { budget: Budget; isPage: boolean },
): SheetView {
  const { rows, columns } = rowsOf(sheet, isPage);
  const shownPart = budget.sheet(name, rows);
  const full: unknown = sheet['!fullref'];
  const declaredRows = typeof full === 'string' ? utils.decode_range(full).e.r + 1 : 0;
  return {
    ...shownPart,
    // Without content in the 1000 rows below those shown, the rest of the declared range is only formatting.
    total_rows:
      shownPart.total_rows > ROWS_SHOWN ? Math.max(declaredRows, shownPart.total_rows) : shownPart.total_rows,
    total_columns: Math.max(columns, shownPart.total_columns),
  };
}

function readWorkbook(bytes: Buffer, how: { budget: Budget; isPage: boolean }): SheetView[] {
  let book;
  try {
    book = read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows: ROWS_READ,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      dateNF: SHORT_DATE,
      // Cells of an HTML page stay texts: 01-02-2026 is not converted.
      raw: how.isPage,
    });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw new Locked(error.message);
    throw error;
  }
  const hidden = new Set(
    book.Workbook?.Sheets?.flatMap((sheet, index) => (sheet.Hidden ? [book.SheetNames[index]] : [])),
  );
  const names = [...book.SheetNames.entries()].filter(([, name]) => !hidden.has(name)).slice(0, SHEETS_MAX);
  return names.flatMap(([index, name]) => {
    const sheet = book.Sheets[name];
    return sheet ? [{ ...view(name, sheet, how), number: index + 1 }] : [];
  });
}

/** Reads a table by its content: accounting programs and banks name HTML, XML and plain text .xls, and Excel opens them all. */
export function readTable(bytes: Buffer): SheetView[] {
  const budget = new Budget();
  if (bytes.length < 4) return [readCsv(bytes, budget)];
  checkUnlocked(bytes);
  if (isZip(bytes)) checkPackage(bytes);
  const head = bytes.toString('latin1', 0, 1024).replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  const isMarkup = /^\s*</.test(head.replaceAll('\0', ''));
  const isOldBinary = bytes[0] === 0x09 && bytes[1]! <= 8 && bytes[1]! % 2 === 0;
  if (!isZip(bytes) && !isCompound(bytes) && !isMarkup && !isOldBinary) return [readCsv(bytes, budget)];
  const sheets = readWorkbook(bytes, { budget, isPage: isMarkup && !/<\?xml/i.test(head) });
  if (sheets.length === 0) throw new Unreadable('It has no sheets.');
  return sheets;
}
