import { readDate } from '../../values/dates.ts';
import type { Layout, Line } from '../../layout/page.ts';

const MIN_HEADS = 4;
/** The columns that a list of invoices has, each in its own cell. */
const HEADS = [
  /^(?:(?:tax )?(?:invoice|inv|bill|voucher|vch|document|doc|note)\b.{0,12}|particulars)$/i,
  /^(?:(?:invoice|inv|bill|voucher|vch|document|doc|note)\.? ?)?(?:date|dt)\.?$/i,
  /^(?:(?:name of )?(?:the )?(?:party|customer|buyer|supplier|vendor|client|recipient)\b.{0,20}|gstin\b.{0,20})$/i,
];

const isHeading = ({ cells }: Line): boolean =>
  cells.length >= MIN_HEADS && HEADS.every((head) => cells.some(({ text }) => head.test(text.trim())));
const isEntry = ({ cells }: Line): boolean =>
  cells.length >= MIN_HEADS - 1 && cells.some(({ text }) => text.length < 16 && readDate(text) !== null);

/**
 * Whether a document is a register of sales or purchases: a table of invoices with the date and the party of each. Its
 * parties are not those of one invoice.
 */
export const isRegister = ({ lines }: Layout): boolean =>
  lines.some(
    (line, index) =>
      isHeading(line) &&
      lines.slice(index + 1, index + 3).filter((next) => next.page === line.page && isEntry(next)).length ===
        2,
  );
