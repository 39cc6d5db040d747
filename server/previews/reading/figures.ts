import type { CellObject } from '@e965/xlsx';
import { SSF } from '@e965/xlsx';
import type { Cell } from '../contract.ts';

/** How Excel in India writes what has the format "short date" of wherever the reader is. */
export const SHORT_DATE = 'dd-mm-yyyy';
/** Groups of two before the last of three. */
const INDIAN = /#,##,##0/g;
/** The last part of what groups in India by conditions, which the library does not know with more than one `#`. */
const LONG_GROUP = /#+,##0/g;

/** Digits grouped by three, as they are grouped in India: 1,234,567.50 becomes 12,34,567.50. */
const groupedAsInIndia = (text: string): string =>
  text.replace(/\d{1,3}(?:,\d{3})+/, (whole) => {
    const digits = whole.replaceAll(',', '');
    return `${digits.slice(0, -3).replace(/\B(?=(?:\d{2})+$)/g, ',')},${digits.slice(-3)}`;
  });

/** A number in the format of its cell, as Excel in India writes it. */
export function figure(value: number, given: string): string {
  const format = given === 'm/d/yy' ? SHORT_DATE : given;
  try {
    const plain = SSF.format(format.replace(INDIAN, '#,##0').replace(LONG_GROUP, '#,##0'), value, {
      dateNF: SHORT_DATE,
    }) as string;
    return plain.trim() === '' ? plain : INDIAN.test(format) ? groupedAsInIndia(plain) : plain;
  } catch {
    // A format that is none; Excel would not open the file.
    return String(value);
  } finally {
    INDIAN.lastIndex = 0;
  }
}

const LOOKS_LIKE_A_FIGURE = /^[-+(]?\s?(?:₹|Rs\.?|INR|\$)?\s?\d[\d,]{0,17}(?:\.\d+)?\)?\s?(?:%|[CD]r\.?)?$/i;

/** A cell of a file that knows only text. */
export function written(text: string): Cell {
  const bare = text.trim();
  return LOOKS_LIKE_A_FIGURE.test(bare) ? { n: bare } : text;
}

/** What stands in a cell: the result that was saved with it. Nothing is computed. */
export function shown(cell: CellObject | undefined): Cell {
  if (!cell) return '';
  const { t, v, w, z } = cell;
  if (t === 'n' && typeof v === 'number') {
    const format = typeof z === 'string' ? z : 'General';
    // What the library has written itself follows neither India's groups nor India's short dates.
    const ours = w === undefined || format === 'm/d/yy' || format.includes('##,##');
    return { n: (ours ? figure(v, format) : w).trim() };
  }
  if (t === 'b') return v ? 'TRUE' : 'FALSE';
  if (t === 'e') return w ?? '#ERROR!';
  return v === undefined || v === null ? '' : (w ?? String(v));
}
