import type { Layout } from '../../layout/page.ts';
import type { Header } from '../../layout/table.ts';
import type { Chain, Printed } from './chain.ts';
import { chain } from './chain.ts';
import { columnsByChain } from './columns-by-chain.ts';
import type { Transaction } from './transactions.ts';
import { headingOf, readTransactions } from './transactions.ts';

export interface Found extends Chain {
  rows: Transaction[];
}

/** The share of rows with a balance from which on a missing balance counts as unread. */
const BALANCED = 0.7;

function read(layout: Layout, header: Header, said: Printed): Found {
  const { rows, opening, closing, debits, credits } = readTransactions(layout, header);
  const found = chain(rows, {
    opening: opening ?? said.opening,
    closing: closing ?? said.closing,
    debits: debits ?? said.debits,
    credits: credits ?? said.credits,
  });
  // A row without a date was not read properly.
  const undated = rows.flatMap(({ date }, at) => (date === null ? [at] : []));
  const others = [...unbalanced(rows), ...(layout.scanned ? outOfOrder(rows) : [])];
  const breaks = [...new Set([...found.breaks, ...undated, ...others])].toSorted((a, b) => a - b);
  return { rows, ...found, breaks };
}

/** Rows without a balance, where nearly every row has one; some banks print it once a day. */
function unbalanced(rows: readonly Transaction[]): number[] {
  const without = rows.flatMap(({ balance }, at) => (balance === null ? [at] : []));
  return without.length < rows.length * (1 - BALANCED) ? without : [];
}

/** Rows of a scan whose date lies outside of both neighbours' order: a digit was misread. */
function outOfOrder(rows: readonly Transaction[]): number[] {
  const days = rows.map(({ date }) => date ?? '');
  const against = (isUp: boolean): number[] =>
    days.flatMap((day, at) => {
      const before = days[at - 1];
      return before !== undefined && (isUp ? day > before : day < before) ? [at - 1, at] : [];
    });
  const [down, up] = [against(false), against(true)];
  return down.length <= up.length ? down : up;
}

const brokenShare = ({ rows, breaks }: Found): number =>
  rows.length === 0 ? 1 : breaks.length / rows.length;

/**
 * Finds the transactions of a statement by its headings, and where these are unknown or do not chain, by the columns
 * that do. Null where there is no such table.
 * @param said balances and totals printed outside of the table.
 */
export function findTransactions(layout: Layout, said: Printed): Found | null {
  const heading = headingOf(layout);
  const headed = heading && read(layout, heading, said);
  if (headed && headed.rows.length > 0 && headed.breaks.length === 0) return headed;
  const columns = columnsByChain(layout, heading);
  const chained = columns && read(layout, columns, said);
  if (!chained || !headed) return chained ?? headed;
  // Missing rows are worse than rows that break.
  const isBetter = chained.rows.length >= headed.rows.length && brokenShare(chained) < brokenShare(headed);
  return isBetter ? chained : headed;
}

/** The line of the heading over the transactions; null for none. */
export const transactionsFrom = (layout: Layout): number | null =>
  (headingOf(layout) ?? columnsByChain(layout, null))?.from ?? null;
