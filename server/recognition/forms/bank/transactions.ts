import type { Line, Word } from '../../layout/page.ts';
import type { Column, Header, Row } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, rowOfLines, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Layout } from '../../layout/page.ts';
import { CLOSING, END, FORWARD, HEADINGS, NEEDED, OPENING, TOTAL } from './headings.ts';

/** Amounts in paise; a negative balance is owed to the bank. */
export interface Transaction {
  page: number;
  words: Word[];
  top: number;
  bottom: number;
  date: string | null;
  /** The text in the date column. */
  day: string;
  valueDate: string | null;
  narration: string[];
  reference: string;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

export interface Statement {
  rows: Transaction[];
  /** The balance printed in rows of the table; null for none. */
  opening: number | null;
  closing: number | null;
  debits: number | null;
  credits: number | null;
  /** The index of the heading line. */
  from: number;
}

/** A line further from its row, in line heights, does not belong to it. */
const MAX_GAP = 1.3;

const amountIn = (words: readonly Word[] | undefined): number | null => {
  const found = findAmount(textOf(words));
  return found && Number(found.value);
};

function readTransaction(line: Line, row: Row): Transaction {
  const dateText = textOf(row.date);
  const amount = amountIn(row.amount);
  const side = textOf(row.side) || /\b(cr|dr|c|d)\b\.?\)?$/i.exec(textOf(row.amount))?.[1] || '';
  const isDebit = /^\W*(?:d|withdraw)/i.test(side) || (side === '' && (amount ?? 0) < 0);
  const absolute = (paise: number | null) => (paise === null ? null : Math.abs(paise));
  const debit = row.amount ? (isDebit ? absolute(amount) : null) : absolute(amountIn(row.debit));
  const credit = row.amount ? (isDebit ? null : absolute(amount)) : absolute(amountIn(row.credit));
  return {
    page: line.page,
    words: [...line.words],
    top: line.top,
    bottom: line.bottom,
    date: readDate(dateText)?.day ?? null,
    day: dateText,
    valueDate: readDate(textOf(row.value_date))?.day ?? null,
    narration: row.narration ? [textOf(row.narration)] : [],
    reference: textOf(row.reference),
    // A zero in the other column is no amount.
    debit: debit === 0 && credit ? null : debit,
    credit: credit === 0 && debit ? null : credit,
    balance: amountIn(row.balance),
  };
}

/** Whether a row has amounts; a debit may be printed with a minus sign. */
const hasAmounts = ({ debit, credit, balance }: Transaction): boolean =>
  debit !== null || credit !== null || balance !== null;

/** Adds text lines to the nearest row; half of a narration may be above its row. */
function addTextsToRows(rows: Transaction[], texts: { line: Line; row: Row }[]): void {
  for (const { line, row } of texts) {
    const nearest = rows
      .filter(({ page }) => page === line.page)
      .map((transaction) => ({
        transaction,
        gap:
          line.top >= transaction.bottom - 20
            ? line.top - transaction.bottom
            : transaction.top - line.bottom + 1,
      }))
      .toSorted((a, b) => a.gap - b.gap)[0];
    if (!nearest || nearest.gap > (line.bottom - line.top) * MAX_GAP) continue;
    const { transaction } = nearest;
    const isAbove = line.bottom <= transaction.top + 20;
    const text = textOf(row.narration);
    if (text) transaction.narration[isAbove ? 'unshift' : 'push'](text);
    if (row.reference) transaction.reference += textOf(row.reference);
    // In a narrow column the month and the year are below the day.
    if (!transaction.date && row.date) {
      const parts = [transaction.day, textOf(row.date)];
      transaction.day = (isAbove ? parts.toReversed() : parts).filter(Boolean).join(' ');
      transaction.date = readDate(transaction.day)?.day ?? null;
    }
    transaction.words.push(...line.words);
    transaction.bottom = Math.max(transaction.bottom, line.bottom);
    transaction.top = Math.min(transaction.top, line.top);
  }
}

/** Takes the date of the line above, if that line has no amounts. */
const withDateAbove = (row: Transaction, above: Transaction | null): Transaction =>
  row.date || above?.page !== row.page || row.top - above.bottom > (row.bottom - row.top) * MAX_GAP
    ? row
    : { ...row, date: above.date, valueDate: row.valueDate ?? above.valueDate };

/** The rows of the table; a row may span several lines whose cells are vertically centred. */
function* rowsOf(layout: Layout, header: Header): Generator<{ line: Line; row: Row }> {
  let band: { lines: Line[]; columns: Column[]; dated: boolean } | null = null;
  const rowOfBand = ({ lines, columns }: NonNullable<typeof band>): { line: Line; row: Row } => ({
    line: lines.length === 1 ? lines[0]! : joinLines(lines),
    row: rowOfLines(lines, columns),
  });
  for (const { line, columns } of linesBelow(layout, header, HEADINGS, NEEDED)) {
    const isDated = readDate(textOf(rowOf(line, columns).date)) !== null;
    const last = band?.lines.at(-1);
    const isSameRow =
      last && last.page === line.page && line.top < last.bottom - (line.bottom - line.top) * 0.15;
    if (band && isSameRow && !(isDated && band.dated)) {
      band.lines.push(line);
      band.dated ||= isDated;
      continue;
    }
    if (band) yield rowOfBand(band);
    band = { lines: [line], columns, dated: isDated };
  }
  if (band) yield rowOfBand(band);
}

const joinLines = (lines: readonly Line[]): Line => ({
  page: lines[0]!.page,
  cells: lines.flatMap(({ cells }) => cells),
  words: lines.flatMap(({ words }) => words),
  text: lines.map(({ text }) => text).join('\t'),
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(({ bottom }) => bottom)),
});

/** The heading line of the transactions; null if none is known. */
export const headingOf = ({ lines }: Layout): Header | null => findHeader(lines, HEADINGS, NEEDED);

/** The transactions under a heading. */
export function readTransactions(layout: Layout, header: Header): Statement {
  const statement: Statement = {
    rows: [],
    opening: null,
    closing: null,
    debits: null,
    credits: null,
    from: header.from,
  };
  const texts: { line: Line; row: Row }[] = [];
  let ended = false;
  // A line with a date whose amounts are on the next line.
  let withoutAmounts: Transaction | null = null;
  for (const { line, row } of rowsOf(layout, header)) {
    const transaction = readTransaction(line, row);
    const { date, debit, credit, balance } = transaction;
    if (ended && !date) continue;
    const hasMovement = debit !== null || credit !== null;
    const anyAmount = balance ?? credit ?? debit;
    if (OPENING.test(line.text) && anyAmount !== null && !(hasMovement && balance !== null)) {
      // The balance carried over from the page before.
      if (statement.rows.length === 0) statement.opening ??= anyAmount;
    } else if (FORWARD.test(line.text) && !(date && hasMovement)) continue;
    else if (CLOSING.test(line.text) && !(hasMovement && date))
      statement.closing = anyAmount ?? statement.closing;
    else if (TOTAL.test(line.text) && !date) {
      [statement.debits, statement.credits] = [debit, credit];
      ended = true;
    } else if (END.test(line.text) && !date) ended = true;
    else if (date || (hasMovement && balance !== null)) {
      if (!hasAmounts(transaction)) {
        texts.push({ line, row });
        withoutAmounts = transaction;
        continue;
      }
      ended = false;
      statement.rows.push(withDateAbove(transaction, withoutAmounts));
      withoutAmounts = null;
    } else if (!hasAmounts(transaction)) texts.push({ line, row });
    // An amount below its row, where a narration fills the first line.
    else if (statement.rows.length > 0 || withoutAmounts) {
      statement.rows.push(withDateAbove(transaction, withoutAmounts));
      withoutAmounts = null;
    }
  }
  addTextsToRows(statement.rows, texts);
  // A date printed once applies to all rows below.
  let day: string | null = null;
  // Under one heading `Date (Value Date)` only the value date is read; it is then the date as well.
  // A date that cannot be read is left empty rather than guessed.
  for (const row of statement.rows)
    if (row.date || row.valueDate || !/\d/.test(row.day)) day = row.date ??= row.valueDate ?? day;
  return statement;
}
