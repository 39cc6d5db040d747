import type { CellObject } from '@e965/xlsx';
import { SSF } from '@e965/xlsx';
import type { Cell } from '../contract.ts';

/** The locale-dependent "short date" format, as in Excel in India. */
export const SHORT_DATE = 'dd-mm-yyyy';
/** The Indian grouping: groups of two digits before the last group of three. */
const INDIAN = /#,##,##0/g;
/** The last group in formats that express Indian grouping by conditions; the library supports it with one `#` only. */
const LONG_GROUP = /#+,##0/g;

/** Converts groups of three digits to Indian grouping: 1,234,567.50 becomes 12,34,567.50. */
const groupedAsInIndia = (text: string): string =>
  text.replace(/\d{1,3}(?:,\d{3})+/, (whole) => {
    const digits = whole.replaceAll(',', '');
    return `${digits.slice(0, -3).replace(/\B(?=(?:\d{2})+$)/g, ',')},${digits.slice(-3)}`;
  });

/** Formats a number with the format of its cell, like Excel in India. */
export function figure(value: number, cellFormat: string): string {
  const format = cellFormat === 'm/d/yy' ? SHORT_DATE : cellFormat;
  try {
    const plain = SSF.format(format.replace(INDIAN, '#,##0').replace(LONG_GROUP, '#,##0'), value, {
      dateNF: SHORT_DATE,
    }) as string;
    return plain.trim() === '' ? plain : INDIAN.test(format) ? groupedAsInIndia(plain) : plain;
  } catch {
    // The format is invalid.
    return String(value);
  } finally {
    INDIAN.lastIndex = 0;
  }
}

const LOOKS_LIKE_A_FIGURE = /^[-+(]?\s?(?:₹|Rs\.?|INR|\$)?\s?\d[\d,]{0,17}(?:\.\d+)?\)?\s?(?:%|[CD]r\.?)?$/i;

/** A cell of a text format: a text that looks like a number is aligned like one. */
export function written(text: string): Cell {
  const bare = text.trim();
  return LOOKS_LIKE_A_FIGURE.test(bare) ? { n: bare } : text;
}

/** The displayed text of a cell, from the saved result; formulas are not evaluated. */
export function shown(cell: CellObject | undefined): Cell {
  if (!cell) return '';
  const { t, v, w, z } = cell;
  if (t === 'n' && typeof v === 'number') {
    const format = typeof z === 'string' ? z : 'General';
    // The library's own text has neither Indian grouping nor the Indian short date.
    const ours = w === undefined || format === 'm/d/yy' || format.includes('##,##');
    return { n: (ours ? figure(v, format) : w).trim() };
  }
  if (t === 'b') return v ? 'TRUE' : 'FALSE';
  if (t === 'e') return w ?? '#ERROR!';
  return v === undefined || v === null ? '' : (w ?? String(v));
}
