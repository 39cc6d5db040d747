import type { FieldKey } from '../../contract.ts';
import type { Reading } from '../rules.ts';
import type { Transaction } from './transactions.ts';

/** Confidence in figures that contradict each other. */
const CONTRADICTED = 0.5;
/** A rupee, in paise. */
const ROUNDING = 100;

const differs = (one: number, other: number): boolean => Math.abs(one - other) > ROUNDING;

/**
 * Leaves balances and totals to a user where opening balance, credits and debits do not give the closing balance, since any
 * of them may be misread or altered. Where the rows lead from one balance to the other, only the totals can be wrong.
 */
export function doubtTotals(reading: Reading, rows: readonly Pick<Transaction, 'debit' | 'credit'>[]): void {
  const amountOf = (key: FieldKey): number | null => {
    const value = reading.value(key);
    return value === undefined ? null : Number(value);
  };
  const [opening, closing] = [amountOf('opening_balance'), amountOf('closing_balance')];
  const totals = { total_debits: amountOf('total_debits'), total_credits: amountOf('total_credits') };
  const { total_debits: debits, total_credits: credits } = totals;
  const moved = (key: 'debit' | 'credit'): number => rows.reduce((sum, row) => sum + (row[key] ?? 0), 0);
  const ofRows = { total_debits: moved('debit'), total_credits: moved('credit') };
  const follows = (debited: number, credited: number): boolean =>
    opening === null || closing === null || !differs(opening + credited - debited, closing);
  const areTotalled = debits !== null && credits !== null;
  const doubted: FieldKey[] = [];
  if (rows.length > 0 && follows(ofRows.total_debits, ofRows.total_credits)) {
    for (const key of ['total_debits', 'total_credits'] as const)
      if (totals[key] !== null && differs(Math.abs(totals[key]), ofRows[key])) doubted.push(key);
  } else if (areTotalled ? !follows(Math.abs(debits), Math.abs(credits)) : rows.length > 0)
    doubted.push('opening_balance', 'closing_balance', 'total_debits', 'total_credits');
  for (const field of reading.fields)
    if (doubted.includes(field.key as FieldKey)) field.sure = Math.min(field.sure, CONTRADICTED);
}
