import { date, money, text } from './income-tax.ts';
import type { Maker } from './paper.ts';
import { grid } from './paper.ts';

/** How banks head their columns; the last two only on held-out papers. */
const HEADS: [string, 'two' | 'side' | 'suffix'][] = [
  ['Date|Narration|Chq./Ref.No.|Value Dt|Withdrawal Amt.|Deposit Amt.|Closing Balance', 'two'],
  ['Tran Date|Particulars|Chq No|Value Date|Debit|Credit|Balance', 'two'],
  ['Txn Date|Description|Ref No./Cheque No.|Value Date|Debit|Credit|Balance', 'two'],
  ['Date|Particulars|Cheque No|Value Date|Amount|Dr/Cr|Balance', 'side'],
  [
    'Transaction Date|Transaction Remarks|Cheque Number|Value Date|Withdrawal Amount (INR)|Deposit Amount (INR)|Balance (INR)',
    'two',
  ],
  ['Post Date|Details|Instrument Id|Value Date|Withdrawals|Deposits|Running Balance', 'suffix'],
];

const OWN: (typeof HEADS)[number] = [
  'Value Date|Remarks|Ref No|Txn Date|Debit Amount|Credit Amount|Available Balance',
  'suffix',
];

/** Heads that banks use beside these; the last has words that no rule knows. */
const MORE: typeof HEADS = [
  ['Date|Particulars|Inst No|Val Dt|Dr Amount|Cr Amount|Closing Bal', 'suffix'],
  ['Trn Date|Particular|Voucher No|Value Date|Payment|Receipt|Bal', 'two'],
  ['Posting Date|Transaction Particulars|UTR No|Value Date|Debit Amt|Credit Amt|Net Balance', 'two'],
  ['Book Date|Transaction Details|Reference|Value Date|Txn Amount|Type|Balance', 'side'],
  [
    'Transaction Date|Description|Cheque Details|Val Date|Amount Debited|Amount Credited|Current Balance',
    'two',
  ],
  ['Day|What for|Slip|Effective|Minus|Plus|Left', 'two'],
];

/** A statement whose balances chain. */
export const bankStatement: Maker = (facts, style) => {
  const [heads, kind] = facts.pick(style.held ? HEADS.slice(4) : [...HEADS.slice(0, 4), OWN, ...MORE]);
  const ifsc = facts.ifsc();
  let balance = facts.int(10_000, 900_000) * 100;
  const opening = balance;
  const count = facts.int(5, 70);
  let day = Date.UTC(2025, 3, 1);
  const rows = Array.from({ length: count }, () => {
    day += facts.int(0, 2) * 86_400_000;
    const on = style.date(new Date(day).toISOString().slice(0, 10));
    const [isDebit, amount] = [facts.chance(0.55), facts.money(20_000)];
    balance += isDebit ? -amount : amount;
    const narration = facts.pick([
      `UPI/${facts.digits(12)}/${facts.person()}/test@okaxis/payment for bill of the month`,
      `NEFT ${facts.firm()} HDFC0001234`,
      'ATM WDL',
      `IMPS-${facts.digits(12)}-${facts.person()}`,
      'SALARY',
      'INT.PD',
    ]);
    const shown =
      style.plain(Math.abs(balance)) +
      (kind === 'suffix' || balance < 0 ? (balance < 0 ? ' Dr' : ' Cr') : '');
    const money =
      kind === 'side'
        ? [style.plain(amount), isDebit ? 'DR' : 'CR']
        : isDebit
          ? [style.plain(amount), '']
          : ['', style.plain(amount)];
    return [on, narration, facts.chance(0.3) ? facts.digits(6) : '', on, ...money, shown];
  });
  // What some banks add; the order in which the money moved need not be that of the page.
  const newestFirst = !style.held && facts.chance(0.2);
  if (newestFirst) rows.reverse();
  const isNumbered = !style.held && facts.chance(0.3);
  const numbered = isNumbered ? rows.map((row, index) => [String(index + 1), ...row]) : rows;
  const headings = [...(isNumbered ? ['Sl No'] : []), ...heads.split('|')];
  return {
    type: 'bank_statement',
    head: facts.pick(['HDFC Bank', 'Axis Bank', 'State Bank of India', 'Canara Bank']),
    titles: ['Statement of Account', 'Account Statement', 'STATEMENT OF ACCOUNT'],
    fields: [
      text('holder_name', 'Account Holder;Customer Name|Account Name', facts.firm()),
      text('account_no', 'Account No;A/c No|Account Number', facts.digits(facts.pick([11, 14, 15]))),
      text('ifsc', 'IFSC;IFSC Code|IFS Code', ifsc),
      date(style, 'period_from', 'From|Period From', '2025-04-01'),
      date(style, 'period_to', 'To|Period To', '2025-09-30'),
      money(style, 'opening_balance', 'Opening Balance', opening),
      money(style, 'closing_balance', 'Closing Balance', balance),
    ],
    more: {
      html: grid(headings, numbered, { numbers: 3, lines: facts.chance(0.5) }),
      truth: [],
    },
    rows: count,
  };
};
