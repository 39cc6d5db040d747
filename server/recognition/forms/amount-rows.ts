import type { FieldKey } from '../contract.ts';
import { labelPattern } from '../layout/labels.ts';
import type { ColumnRule, Column } from '../layout/table.ts';
import { findHeader, rowOf, textOf } from '../layout/table.ts';
import type { Line, Word } from '../layout/page.ts';
import { findAmount } from '../layout/values.ts';
import type { Reading } from './rules.ts';

/** A row of a form: its label, and the field of each amount column. */
export interface RowRule {
  labels: string;
  fields: Record<string, FieldKey>;
}

/** A row further below its heading, in lines, belongs to another table. */
const WITHIN = 60;

/** The amounts of a line and of following lines without a label. */
function amountsFrom(lines: readonly Line[], index: number): { line: Line; words: Word[] } {
  const { page } = lines[index]!;
  for (let next = index; next < index + 4; next += 1) {
    const line = lines[next];
    if (!line || line.page !== page) break;
    const words = line.cells
      .filter(
        (cell, column) =>
          (column > 0 || next > index) && findAmount(cell.text) && /^[\s₹(\d.,)-]+$/.test(cell.text),
      )
      .flatMap((cell) => cell.words);
    if (words.length > 0) return { line, words };
  }
  return { line: lines[index]!, words: [] };
}

/**
 * Reads rows of a form with column headings. A row with an amount for every column is read in order, any other by
 * position.
 */
export function readRows(
  reading: Reading,
  columns: readonly ColumnRule[],
  needs: string[][],
  rows: readonly RowRule[],
): void {
  const { lines } = reading.layout;
  let header: { index: number; columns: Column[] } | null = null;
  const done = new Set<RowRule>();
  const candidatesByLine = Map.groupBy(reading.candidates, ({ index }) => index);
  for (const [index] of lines.entries()) {
    const heading = findHeader(lines.slice(index, index + 3), columns, needs);
    if (heading?.from === 0) header = { index: index + heading.to - 1, columns: heading.columns };
    if (!header || index <= header.index || index - header.index > WITHIN) continue;
    const cells = (candidatesByLine.get(index) ?? []).flatMap(({ joined }) => joined);
    const rule = rows.find(
      (row) => !done.has(row) && cells.some(({ text }) => labelPattern(row.labels).test(text)),
    );
    if (!rule) continue;
    const { line, words } = amountsFrom(lines, index);
    if (words.length === 0) continue;
    done.add(rule);
    const numberColumns = header.columns.filter(({ isNumber }) => isNumber);
    const amounts = words.filter(({ text }) => findAmount(text));
    const byPosition = rowOf(line, header.columns);
    for (const [nth, column] of numberColumns.entries()) {
      const key = rule.fields[column.key];
      const amountWords =
        amounts.length === numberColumns.length ? [amounts[nth]!] : (byPosition[column.key] ?? []);
      const found = key && findAmount(textOf(amountWords));
      if (key && found && !reading.value(key))
        reading.add(key, found.value, amountWords, line.page, `${reading.type}.row.${key}`);
    }
  }
}
