import type { Transaction } from './transactions.ts';

type Amounts = Pick<Transaction, 'debit' | 'credit' | 'balance'>;

export interface Chain {
  /** Indexes of rows whose balance does not follow. */
  breaks: number[];
  opening: number | null;
  closing: number | null;
}

/** Balances and totals printed outside of the table; null where missing. */
export interface Printed {
  opening: number | null;
  closing: number | null;
  debits: number | null;
  credits: number | null;
}

const change = ({ debit, credit }: Amounts): number => (credit ?? 0) - (debit ?? 0);

/** Follows the running balance in the order of the transactions. */
function follow(rows: readonly Amounts[], opening: number | null): Chain {
  const breaks: number[] = [];
  let balance = opening;
  for (const [index, row] of rows.entries()) {
    const expected = balance === null ? null : balance + change(row);
    const hasNoAmount = row.debit === null && row.credit === null;
    // Some banks print a balance only on the last row of a day.
    if (row.balance === null) balance = expected;
    else {
      if ((expected !== null && expected !== row.balance) || (hasNoAmount && index > 0)) breaks.push(index);
      balance = row.balance;
    }
  }
  if (rows.length > 0 && rows.at(-1)!.balance === null) breaks.push(rows.length - 1);
  const [first] = rows;
  const start = opening ?? (first?.balance === null || !first ? null : first.balance - change(first));
  return { breaks, opening: start, closing: balance };
}

/**
 * Checks that every balance follows from the one before, and reports rows where it does not; nothing is corrected.
 * Newest-first statements are followed from the last row up.
 */
export function checkBalances(rows: readonly Amounts[], printed: Printed): Chain {
  const last = rows.length - 1;
  const down = follow(rows, printed.opening);
  const up = follow(rows.toReversed(), printed.opening);
  const isUp = up.breaks.length < down.breaks.length;
  const chain = isUp
    ? { ...up, breaks: up.breaks.map((index) => last - index).toSorted((a, b) => a - b) }
    : down;
  const sum = (key: 'debit' | 'credit') => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
  const differs =
    (printed.closing !== null && printed.closing !== chain.closing) ||
    (printed.debits !== null && Math.abs(printed.debits) !== sum('debit')) ||
    (printed.credits !== null && Math.abs(printed.credits) !== sum('credit'));
  const end = isUp ? 0 : last;
  // A missing last row shows only in the totals and the closing balance.
  if (differs && last >= 0 && chain.breaks.length === 0) chain.breaks.push(end);
  return chain;
}
