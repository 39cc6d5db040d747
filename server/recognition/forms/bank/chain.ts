import type { Transaction } from './transactions.ts';

type Amounts = Pick<Transaction, 'debit' | 'credit' | 'balance'>;

export interface Chain {
  /** Numbers of rows, from 0, at which the balance does not follow. */
  breaks: number[];
  opening: number | null;
  closing: number | null;
}

/** What a statement says of itself beside its rows; null for what it does not say. */
export interface Printed {
  opening: number | null;
  closing: number | null;
  debits: number | null;
  credits: number | null;
}

const moved = ({ debit, credit }: Amounts): number => (credit ?? 0) - (debit ?? 0);

/** Follows the balance from row to row, in the order in which the money moved. */
function follow(rows: readonly Amounts[], opening: number | null): Chain {
  const breaks: number[] = [];
  let balance = opening;
  for (const [at, row] of rows.entries()) {
    const expected = balance === null ? null : balance + moved(row);
    const still = row.debit === null && row.credit === null;
    // A balance that is printed once a day is asked of the last row of the day.
    if (row.balance === null) balance = expected;
    else {
      if ((expected !== null && expected !== row.balance) || (still && at > 0)) breaks.push(at);
      balance = row.balance;
    }
  }
  if (rows.length > 0 && rows.at(-1)!.balance === null) breaks.push(rows.length - 1);
  const [first] = rows;
  const began = opening ?? (first?.balance === null || !first ? null : first.balance - moved(first));
  return { breaks, opening: began, closing: balance };
}

/**
 * Whether every balance follows from the one before. Nothing is put right: where it does not follow, the row is named.
 * Some banks print the newest first; then it is followed from the last row up.
 */
export function chain(rows: readonly Amounts[], printed: Printed): Chain {
  const last = rows.length - 1;
  const down = follow(rows, printed.opening);
  const up = follow(rows.toReversed(), printed.opening);
  const isUp = up.breaks.length < down.breaks.length;
  const found = isUp ? { ...up, breaks: up.breaks.map((at) => last - at).toSorted((a, b) => a - b) } : down;
  const sum = (key: 'debit' | 'credit') => rows.reduce((all, row) => all + (row[key] ?? 0), 0);
  const differs =
    (printed.closing !== null && printed.closing !== found.closing) ||
    (printed.debits !== null && Math.abs(printed.debits) !== sum('debit')) ||
    (printed.credits !== null && Math.abs(printed.credits) !== sum('credit'));
  const end = isUp ? 0 : last;
  // A row that is missing at the end breaks no balance, but the sums.
  if (differs && last >= 0 && found.breaks.length === 0) found.breaks.push(end);
  return found;
}
