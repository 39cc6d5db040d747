import { parentPort, workerData } from 'node:worker_threads';
import type { WorkSheet } from '@e965/xlsx';
import { utils, write } from '@e965/xlsx';
import type { SheetContent } from './workbook.ts';

const DATE = 'dd-mm-yyyy';
/** Indian digit grouping: a format has no room for the sign of negative amounts, which get the western grouping. */
const AMOUNT = '[>=10000000]#\\,##\\,##\\,##0.00;[>=100000]#\\,##\\,##0.00;#,##0.00';
const NEGATIVE = '#,##0.00';
const amountFormat = (number: number): string => (number < 0 ? NEGATIVE : AMOUNT);

function sheetOf({ headings, rows, widths }: SheetContent): WorkSheet {
  const sheet: WorkSheet = { '!cols': widths.map((wch) => ({ wch })) };
  const put = (row: number, column: number, cell: WorkSheet[string]) => {
    sheet[utils.encode_cell({ r: row, c: column })] = cell;
  };
  headings.forEach((heading, column) => put(0, column, { t: 's', v: heading }));
  rows.forEach((cells, index) =>
    cells.forEach((cell, column) => {
      if (cell === null) return;
      // A string cell, also where it begins like a formula.
      if (typeof cell === 'string') put(index + 1, column, { t: 's', v: cell });
      else if ('date' in cell) put(index + 1, column, { t: 'n', v: cell.date, z: DATE });
      else
        put(index + 1, column, {
          t: 'n',
          v: cell.number,
          ...(cell.amount && { z: amountFormat(cell.number) }),
        });
    }),
  );
  const last = { r: rows.length, c: Math.max(0, headings.length - 1) };
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: last });
  sheet['!autofilter'] = { ref: sheet['!ref'] };
  return sheet;
}

const content = workerData as SheetContent;
const book = utils.book_new();
utils.book_append_sheet(book, sheetOf(content), content.name);
// oxlint-disable-next-line require-post-message-target-origin -- between threads there is no origin
parentPort!.postMessage(write(book, { type: 'buffer', bookType: 'xlsx', compression: true }));
