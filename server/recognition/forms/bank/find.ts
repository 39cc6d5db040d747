import type { Layout } from '../../layout/page.ts';
import type { Header } from '../../layout/table.ts';
import type { Chain, Printed } from './chain.ts';
import { checkBalances } from './chain.ts';
import { columnsByChain } from './columns-by-chain.ts';
import type { Transaction } from './transactions.ts';
import { headingOf, readTransactions } from './transactions.ts';

interface FoundTransactions extends Chain {
  rows: Transaction[];
}

/** The share of rows with a balance from which on a missing balance counts as unread. */
const BALANCED = 0.7;

function read(layout: Layout, header: Header, printed: Printed): FoundTransactions {
  const { rows, opening, closing, debits, credits } = readTransactions(layout, header);
  const chain = checkBalances(rows, {
    opening: opening ?? printed.opening,
    closing: closing ?? printed.closing,
    debits: debits ?? printed.debits,
    credits: credits ?? printed.credits,
  });
  // A row without a date was not read properly.
  const undated = rows.flatMap(({ date }, index) => (date === null ? [index] : []));
  const suspicious = [...withoutBalance(rows), ...(layout.scanned ? outOfOrder(rows) : [])];
  const breaks = [...new Set([...chain.breaks, ...undated, ...suspicious])].toSorted((a, b) => a - b);
  return { rows, ...chain, breaks };
}

/** Rows without a balance, where nearly every row has one; some banks print it once a day. */
function withoutBalance(rows: readonly Transaction[]): number[] {
  const missing = rows.flatMap(({ balance }, index) => (balance === null ? [index] : []));
  return missing.length < rows.length * (1 - BALANCED) ? missing : [];
}

/** Rows of a scan whose date lies outside of both neighbours' order: a digit was misread. */
function outOfOrder(rows: readonly Transaction[]): number[] {
  const days = rows.map(({ date }) => date ?? '');
  const contrary = (isDescending: boolean): number[] =>
    days.flatMap((day, index) => {
      const previous = days[index - 1];
      return previous !== undefined && (isDescending ? day > previous : day < previous)
        ? [index - 1, index]
        : [];
    });
  const [inAscending, inDescending] = [contrary(false), contrary(true)];
  return inAscending.length <= inDescending.length ? inAscending : inDescending;
}

const brokenShare = ({ rows, breaks }: FoundTransactions): number =>
  rows.length === 0 ? 1 : breaks.length / rows.length;

/**
 * Finds the transactions of a statement by its headings, and where these are unknown or a balance does not follow, by
 * the columns where balances follow. Null where there is no such table.
 * @param printed balances and totals printed outside of the table.
 */
export function findTransactions(layout: Layout, printed: Printed): FoundTransactions | null {
  const heading = headingOf(layout);
  const headed = heading && read(layout, heading, printed);
  if (headed && headed.rows.length > 0 && headed.breaks.length === 0) return headed;
  const columns = columnsByChain(layout, heading);
  const chained = columns && read(layout, columns, printed);
  if (!chained || !headed) return chained ?? headed;
  // Missing rows are worse than rows that break.
  const isBetter = chained.rows.length >= headed.rows.length && brokenShare(chained) < brokenShare(headed);
  return isBetter ? chained : headed;
}

/** The line of the heading over the transactions; null for none. */
export const transactionsFrom = (layout: Layout): number | null =>
  (headingOf(layout) ?? columnsByChain(layout, null))?.from ?? null;
