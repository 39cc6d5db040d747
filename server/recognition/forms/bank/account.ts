import type { AccountNumber } from '../../identifiers/account-numbers.ts';
import { accountNumbers } from '../../identifiers/account-numbers.ts';
import type { Line } from '../../layout/page.ts';
import type { Reading } from '../rules.ts';
import { transactionsFrom } from './find.ts';

const SURE: Record<AccountNumber['position'], number> = { after: 0.97, beside: 0.96, below: 0.93 };
/** Confidence where several accounts may be the statement's, or only a loan is named. */
const OPEN = 0.6;

/** Banks print a number with and without leading zeros, and partly hidden. */
const plain = (value: string): string => value.replace(/^0*[X*]+|^0+/, '');
const isSame = (one: string, other: string): boolean =>
  plain(one).endsWith(plain(other)) || plain(other).endsWith(plain(one));

/** Each account once, as its fullest number. */
function distinct(numbers: readonly AccountNumber[]): AccountNumber[] {
  const accounts: AccountNumber[] = [];
  for (const number of numbers) {
    const at = accounts.findIndex(({ value }) => isSame(value, number.value));
    if (at < 0) accounts.push(number);
    else if (plain(number.value).length > plain(accounts[at]!.value).length) accounts[at] = number;
  }
  return accounts;
}

/** The label of an account that is no part of a narration: it begins its cell, and the line has no amount. */
const LABEL = /^(?:(?:savings?|current)\s+)?(?:account|a\/c)\s*(?:no|number)\b/i;
const isHeading = ({ cells, text }: Line): boolean =>
  !/\d\.\d\d\b/.test(text) && cells.some((cell) => LABEL.test(cell.text));

/** Reads the account of a statement. Where several may be meant, all are asked about. */
export function readAccount(reading: Reading): void {
  const { lines } = reading.layout;
  const rows = transactionsFrom(reading.layout) ?? Infinity;
  const numbers = accountNumbers(lines).filter(({ line }) => line < rows || isHeading(lines[line]!));
  const own = distinct(numbers.filter(({ isOther }) => !isOther));
  const accounts = own.length > 0 ? own : distinct(numbers);
  const isOpen = accounts.length > 1 || own.length === 0;
  for (const { value, words, page, position } of accounts)
    reading.add(
      'account_no',
      value,
      words,
      page,
      `bank_statement.account_no.${position}`,
      isOpen ? OPEN : SURE[position],
    );
}
