import type { CellObject } from '@e965/xlsx';
import { read } from '@e965/xlsx';
import { shown, SHORT_DATE } from '#server/previews/convert/figures.ts';
import { checkPackage, checkUnlocked, isZip, Locked, Unreadable } from '#server/previews/convert/limits.ts';
import type { FileText, PageText } from './contract.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';

const ROWS_MAX = 20_000;
const ROWS_MAX_AGAIN = 2000;
const SHEETS_MAX = 100;

function textOf(cell: CellObject | undefined): string {
  const text = shown(cell);
  return (typeof text === 'string' ? text : text.n).replace(/\s+/g, ' ').trim();
}

/** Reads Excel workbooks, also of before 2007: cells as shown, a page per sheet. @throws {Refused} */
export function readWorkbook(bytes: Buffer, budget: Budget): FileText {
  const rows = budget.isRetry ? ROWS_MAX_AGAIN : ROWS_MAX;
  let book;
  try {
    checkUnlocked(bytes);
    if (isZip(bytes)) checkPackage(bytes);
    book = read(bytes, {
      type: 'buffer',
      dense: true,
      sheetRows: rows + 1,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      dateNF: SHORT_DATE,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof Locked || /password|encrypt/i.test(why)) throw new Refused('locked', why);
    throw new Refused(error instanceof Unreadable ? 'too_large' : 'damaged', why);
  }
  const pages: PageText[] = [];
  for (const name of book.SheetNames.slice(0, SHEETS_MAX)) {
    if (budget.spent) break;
    const cells = (book.Sheets[name]?.['!data'] ?? []) as (CellObject | undefined)[][];
    if (cells.length > rows) budget.cut ??= 'size';
    const lines = Array.from(cells.slice(0, rows), (row = []) =>
      // Empty cells are kept, so that table recognition sees the columns.
      Array.from(row, textOf).join('\t').trimEnd(),
    );
    pages.push({
      page: pages.length + 1,
      label: name,
      text: budget.take(lines.filter((line) => line !== '').join('\n')),
    });
  }
  if (book.SheetNames.length > SHEETS_MAX) budget.cut ??= 'pages';
  return { kind: 'sheet', pages, count: book.SheetNames.length, cut: budget.cut };
}
