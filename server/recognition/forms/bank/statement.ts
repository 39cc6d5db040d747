import type { Layout } from '../../layout/page.ts';
import { boxOf } from '../../layout/page.ts';
import { findHeader } from '../../layout/table.ts';
import { readDate } from '../../values/dates.ts';
import { HEADINGS, NEEDED } from './headings.ts';
import type { FieldKey } from '../../contract.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { addTable } from '../tables.ts';
import { readAccount } from './account.ts';
import { bankName } from './banks.ts';
import { findTransactions } from './find.ts';
import { headingOf } from './transactions.ts';
import { doubtTotals } from './totals.ts';
import type { Transaction } from './transactions.ts';
import { readSpan } from '../span.ts';

const paise = (amount: number | null): string | null => (amount === null ? null : String(amount));
const cellsOf = (row: Transaction): (string | null)[] => [
  row.date,
  row.valueDate,
  row.narration.join(' ') || null,
  row.reference || null,
  paise(row.debit),
  paise(row.credit),
  paise(row.balance),
];

function readRows(reading: Reading): void {
  const { layout } = reading;
  const printedAmount = (key: FieldKey): number | null => {
    const value = reading.value(key);
    return value === undefined ? null : Number(value);
  };
  const found = findTransactions(layout, {
    opening: printedAmount('opening_balance'),
    closing: printedAmount('closing_balance'),
    debits: printedAmount('total_debits'),
    credits: printedAmount('total_credits'),
  });
  if (!found) return doubtTotals(reading, []);
  const { rows, breaks, opening, closing } = found;
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const sure = breaks.length === 0 ? 0.96 : 0.5;
  if (opening !== null && printedAmount('opening_balance') === null)
    reading.add(
      'opening_balance',
      String(opening),
      first.words,
      first.page,
      'bank_statement.chain.opening',
      sure,
    );
  if (closing !== null && printedAmount('closing_balance') === null)
    reading.add(
      'closing_balance',
      String(closing),
      last.words,
      last.page,
      'bank_statement.chain.closing',
      sure,
    );
  doubtTotals(reading, rows);
  const days = rows.flatMap(({ date }) => date ?? []).toSorted();
  if (days.length > 0 && !reading.value('period_from')) {
    reading.add('period_from', days[0]!, first.words, first.page, 'bank_statement.rows.first', 0.8);
    reading.add('period_to', days.at(-1)!, last.words, last.page, 'bank_statement.rows.last', 0.8);
  }
  addTable(
    reading,
    'transactions',
    rows.map((row) => ({ page: row.page, box: boxOf(layout, row.words), cells: cellsOf(row) })),
    breaks,
  );
}

/** `Balance as on 1 Apr 2025` is the balance before the first row where the period begins on that day. */
function readBalanceOfDay(reading: Reading): void {
  const found = reading.locate('closing_balance', 'balance as (?:on|at)[^:]{0,30}');
  const day = found && readDate(reading.layout.lines[found.line]!.text)?.day;
  const from = reading.value('period_from');
  if (!found || !day || !from) return;
  const key = day <= from ? 'opening_balance' : 'closing_balance';
  if (!reading.value(key))
    reading.add(key, found.value, found.words, found.page, 'bank_statement.balance_of_day');
}

/**
 * Reads the addressee over the address, `M/S. SHARMA TRADERS`, with low confidence, since nothing says that this is
 * the holder.
 */
function readAddressee(reading: Reading): void {
  if (reading.value('holder_name')) return;
  const { lines } = reading.layout;
  const end = Math.min(15, headingOf(reading.layout)?.from ?? 15);
  const cells = lines.slice(0, end).flatMap((line) => line.cells.map((cell) => ({ cell, page: line.page })));
  const found =
    cells.find(({ cell }) => /^m\/s\b/i.test(cell.text)) ??
    cells.find(
      ({ cell: { text } }) =>
        /^[A-Z][A-Za-z.&']*(?: [A-Za-z.&()']+){1,6}$/.test(text) &&
        !/\bbank\b|statement|account|branch|page|summary|address|customer/i.test(text) &&
        !reading.isLabel(text),
    );
  const name = found?.cell.text.replace(/^m\/s\b[.\s]*/i, '');
  if (found && name)
    reading.add('holder_name', name, found.cell.words, found.page, 'bank_statement.addressee', 0.85);
}

/** The heading lines of tables, where `Closing Balance` is a column. */
function headingLines({ lines }: Layout): Set<number> {
  const indexes = new Set<number>();
  for (let header = headingOf({ lines, hasPositions: true }); header;) {
    for (let index = header.from; index < header.to; index += 1) indexes.add(index);
    header = findHeader(lines, HEADINGS, NEEDED, header.to);
  }
  return indexes;
}

/** Statements of a client's own books or of the GST portal. */
const OTHER_BOOKS = /ledger account|electronic (?:cash|credit|liability)|\bvch\b|voucher type/i;

/** A bank statement; it counts as read only if every balance follows from the one before. */
export const bankStatement: TypeRules = {
  type: 'bank_statement',
  cues: {
    title:
      /statement\s+of\s+(?:bank\s+)?account|account\s+statement|bank\s+statement|statement\s+(?:for|of)\s+(?:the\s+)?(?:period|a\/c|your)|statement of transactions|pass ?book|transaction history|e-?statement/i,
    words: [
      /\bIFSC?\b/i,
      /opening balance|balance b\/f|brought forward/i,
      /withdrawals?|debit/i,
      /deposits?|credit/i,
      /narration|particulars/i,
      /(?:closing|running)\s+balance|balance/i,
    ],
    table: (layout) =>
      layout.lines.some(({ text }) => OTHER_BOOKS.test(text)) ? null : (headingOf(layout)?.from ?? null),
    not: [/balance sheet as (?:at|on)/i, /tax invoice/i, OTHER_BOOKS],
  },
  fields: {
    holder_name: [
      "(?:primary )?(?:account|a\\/c) holder(?:[’']?s)?(?: name)?|primary holder|customer(?:[’']?s)? name|account name|a\\/c name|name of (?:the )?(?:account holder|customer)|name",
    ],
    ifsc: { labels: 'ifsc?(?: code)?|rtgs\\/neft ifsc?(?: code)?|ifs code', within: true },
    micr: { labels: 'micr(?: code)?', within: true },
    branch: 'branch(?: name)?|home branch|account branch',
    currency: { labels: 'currency|account currency', like: /\b[A-Z]{3}\b/ },
    period_from: {
      labels:
        '(?:statement )?(?:period|from)(?: date)?|from|statement (?:of account )?(?:for the )?(?:period|from)',
      within: true,
    },
    opening_balance: 'opening balance[^:\\d]{0,30}|opening bal|balance brought forward',
    closing_balance: 'closing balance[^:\\d]{0,30}|closing bal',
    total_debits: 'total (?:debits?|withdrawals?)(?: amount)?|debits total|debits',
    total_credits: 'total (?:credits?|deposits?)(?: amount)?|credits total|credits',
  },
  skips: headingLines,
  more(reading) {
    readAccount(reading);
    readSpan(reading);
    bankName(reading);
    readBalanceOfDay(reading);
    readAddressee(reading);
    readRows(reading);
  },
};
