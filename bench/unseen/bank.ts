import type { DayStyle, MoneyStyle } from './paper.ts';
import type { Font } from './page.ts';

/** What stands in a column of a statement. */
export type Column =
  | 'no'
  | 'date'
  | 'value'
  | 'both-dates'
  | 'narration'
  | 'reference'
  | 'kind'
  | 'branch'
  | 'debit'
  | 'credit'
  | 'amount'
  | 'signed'
  | 'side'
  | 'balance';

/** How a bank lays its statement out. */
export interface Bank {
  name: string;
  ifsc: string;
  font: Font;
  size: number;
  columns: readonly [Column, string][];
  day: DayStyle;
  money: MoneyStyle;
  /** 'Cr' or 'Dr' after the balance. */
  sideAfterBalance?: string;
  /** First row that says what was before: its words, or none. */
  forward?: string;
  /** Head of the account: labels and values in one of these arrangements. */
  head: 'right-box' | 'pairs' | 'two-columns' | 'lines' | 'below';
  labels: {
    account: string;
    holder: string;
    ifsc: string;
    micr?: string;
    period: string;
    opening?: string;
    closing?: string;
  };
  /** Newest row first. */
  descending?: boolean;
  /** Words at the end, with totals. */
  totals?: 'line' | 'table' | 'row';
  /** What stands for an empty amount. */
  empty?: string;
  lines?: 'grid' | 'lines' | '';
  /** Repeat 'Brought forward' and 'Carried forward' at page breaks, with so many rows a page. */
  pageRows?: number;
}
