import type { Knex } from 'knex';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

/** Receipts are no tax invoices, and must not leave gaps in their numbering. */
export const RECEIPTS = 'RC';

/** `26-27` for a moment from 1 April 2026 to 31 March 2027 by the Indian clock. */
export function financialYear(date: Date): string {
  const local = new Date(date.getTime() + IST_OFFSET_MS);
  const first = local.getUTCFullYear() - (local.getUTCMonth() < 3 ? 1 : 0);
  const two = (year: number) => String(year % 100).padStart(2, '0');
  return `${two(first)}-${two(first + 1)}`;
}

/**
 * The next number of its series, such as `AL/26-27/000123`. It is taken only if `trx` commits, so that none is missing;
 * two transactions that take the same one meet in the table's unique keys.
 */
export async function nextNumber(
  trx: Knex.Transaction,
  prefix: string,
  date: Date,
): Promise<{ series: string; place: number; number: string }> {
  const series = `${prefix}/${financialYear(date)}`;
  const last = await trx('invoices').where({ series }).max({ place: 'place' }).first();
  const place = Number(last?.place ?? 0) + 1;
  return { series, place, number: `${series}/${String(place).padStart(6, '0')}` };
}
