import { boxOf } from '../../layout/page.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading } from '../rules.ts';
import { addTable } from '../tables.ts';

/** Amount, BSR code, date, serial number, and whether it was matched. */
const ROW =
  /^\W*(?:\d{1,3}\.?\s+)?([\d,]+(?:\.\d{2})?)\s+(\d{7})\s+(\d{1,2}[-/.](?:\d{1,2}|[a-z]{3})[-/.]\d{2,4})\s+(\d{4,5})(?:\s+(?:status\W*)?([FUPO]|matched|unmatched|final|provisional)\b)?/i;

/**
 * Reads challans in Form 16 Part A and Form 16A by their sequence: amount, seven digits, a date, up to five digits.
 */
export function readChallanRows(reading: Reading): void {
  const { layout } = reading;
  const rows = layout.lines.flatMap((line) => {
    const [, paid, bsr, day, serial, status] = ROW.exec(line.text.replaceAll('\t', ' ')) ?? [];
    const amount = paid === undefined ? null : findAmount(paid);
    const date = day === undefined ? null : readDate(day);
    if (!amount || !date) return [];
    const cells = [amount.value, bsr!, date.day, serial!, status?.toUpperCase() ?? null];
    return [{ page: line.page, box: boxOf(layout, line.words), cells }];
  });
  addTable(reading, 'tax_challans', rows);
}
