import type { Knex } from 'knex';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { spanOfYear, startOfFinancialYear } from '#server/text/years.ts';

/** Receipts are no tax invoices, and must not leave gaps in their numbering. */
export const RECEIPTS = 'RC';

/** `26-27` for a moment from 1 April 2026 to 31 March 2027 by the Indian clock. */
export const yearInNumber = (date: Date): string =>
  spanOfYear(startOfFinancialYear(dayInIndia(date))).slice(2);

/**
 * The next number of its series, such as `AL/26-27/000123`. It is taken only if `trx` commits, so that none is missing;
 * two transactions that take the same one meet in the table's unique keys.
 */
export async function nextNumber(
  trx: Knex.Transaction,
  prefix: string,
  date: Date,
): Promise<{ series: string; place: number; number: string }> {
  const series = `${prefix}/${yearInNumber(date)}`;
  const last = await trx('invoices').where({ series }).max({ place: 'place' }).first();
  const place = Number(last?.place ?? 0) + 1;
  return { series, place, number: `${series}/${String(place).padStart(6, '0')}` };
}
