import type { FieldKey } from '../contract.ts';
import { pattern } from '../layout/labels.ts';
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

const WITHIN = 60;

/** The amounts of a line and of following lines without a label. */
function amountsFrom(lines: readonly Line[], at: number): { line: Line; words: Word[] } {
  const { page } = lines[at]!;
  for (let next = at; next < at + 4; next += 1) {
    const line = lines[next];
    if (!line || line.page !== page) break;
    const words = line.cells
      .filter(
        (cell, index) =>
          (index > 0 || next > at) && findAmount(cell.text) && /^[\s₹(\d.,)-]+$/.test(cell.text),
      )
      .flatMap((cell) => cell.words);
    if (words.length > 0) return { line, words };
  }
  return { line: lines[at]!, words: [] };
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
  let header: { at: number; columns: Column[] } | null = null;
  const done = new Set<RowRule>();
  const bySpot = Map.groupBy(reading.spots, ({ at }) => at);
  for (const [at] of lines.entries()) {
    const here = findHeader(lines.slice(at, at + 3), columns, needs);
    if (here?.from === 0) header = { at: at + here.to - 1, columns: here.columns };
    if (!header || at <= header.at || at - header.at > WITHIN) continue;
    const units = (bySpot.get(at) ?? []).flatMap((spot) => spot.units);
    const rule = rows.find(
      (one) => !done.has(one) && units.some(({ text }) => pattern(one.labels).test(text)),
    );
    if (!rule) continue;
    const { line, words } = amountsFrom(lines, at);
    if (words.length === 0) continue;
    done.add(rule);
    const named = header.columns.filter(({ isNumber }) => isNumber);
    const amounts = words.filter(({ text }) => findAmount(text));
    const byPlace = rowOf(line, header.columns);
    for (const [index, column] of named.entries()) {
      const key = rule.fields[column.key];
      const own = amounts.length === named.length ? [amounts[index]!] : (byPlace[column.key] ?? []);
      const found = key && findAmount(textOf(own));
      if (key && found && !reading.value(key))
        reading.add(key, found.value, own, line.page, `${reading.type}.row.${key}`);
    }
  }
}
