import type { Bank, Column } from './bank.ts';
import { BANKS } from './banks.ts';
import { below, grid, page, pairs, pairs2 } from './page.ts';
import type { Cell } from './page.ts';
import type { TrueRow } from './paper.ts';
import { Paper, dayShown, moneyShown } from './paper.ts';
import { company, individual, person } from './people.ts';

interface Row extends TrueRow {
  narration: string;
  reference: string;
  kind: string;
}

const NARRATIONS = [
  'UPI/P2M/{12}/{who}/payment from phone/ok{5}@okaxis',
  'NEFT DR-{ifsc}-{who}-NETBANK, MUM-N{12}-RENT {m}',
  'IMPS-{12}-{who}-{ifsc}-XXXXXX{4}-SUPPLY BILL {4}',
  'ACH D- BAJAJ FINANCE LTD-{9}',
  'TO TRANSFER-INB {who} GST CHALLAN {14}',
  'BY CLG {6} {who}',
  'CASH DEPOSIT BY SELF AT {pin}',
  'RTGS CR {ifsc}R5{14} {who} INV {4}/25-26',
  'SMS CHARGES FOR QTR INCL GST 18.00%',
  'POS 4{3}XX XXXX {4} RELIANCE RETAIL {pin}',
  'SALARY FOR THE MONTH {who}',
  'INT.PD:01-04-2025 TO 30-06-2025',
];

/** The transactions of a statement, oldest first. */
function transactions(paper: Paper, opening: number, from: string, count: number): Row[] {
  const { dice } = paper;
  let balance = opening;
  let day = new Date(`${from}T00:00:00Z`).getTime();
  const step = (85 / count) * 86_400_000;
  return Array.from({ length: count }, () => {
    day += dice.next() * step;
    const date = new Date(day).toISOString().slice(0, 10);
    const large = dice.chance(0.4) ? 90_000 : 4_000;
    const amount = dice.chance(0.2) ? dice.int(1, 9_000) : dice.paise(10, large);
    const credit = balance < amount + 5_000_00 || dice.chance(0.45);
    balance += credit ? amount : -amount;
    const narration = dice
      .pick(NARRATIONS)
      .replaceAll(/\{(\d+)\}/g, (_, digits: string) => dice.digits(Number(digits)))
      .replace('{who}', person(dice).toUpperCase())
      .replace('{ifsc}', `${dice.pick(['SBIN', 'HDFC', 'ICIC'])}0${dice.digits(6)}`)
      .replace('{pin}', '560034')
      .replace('{m}', 'JUL');
    const reference = dice.chance(0.5) ? dice.digits(dice.pick([6, 12, 16])) : '';
    const kind = dice.pick(['TFR', 'UPI', 'NEFT', 'CLG']);
    return {
      date,
      debit: credit ? 0 : amount,
      credit: credit ? amount : 0,
      balance,
      narration,
      reference,
      kind,
    };
  });
}

function cell(bank: Bank, column: Column, row: Row, index: number): string {
  const money = (paise: number): string => (paise === 0 ? (bank.empty ?? '') : moneyShown(paise, bank.money));
  // One bank's dates break, those of the others do not.
  const shown = dayShown(row.date, bank.day);
  const day = bank.ifsc === 'SBIN' ? shown : `<span class="nw">${shown}</span>`;
  switch (column) {
    case 'no':
      return String(index + 1);
    case 'date':
    case 'value':
      return day;
    case 'both-dates':
      return `${day}<br>(${day})`;
    case 'narration':
      return row.narration.replaceAll('/', '/<wbr>');
    case 'reference':
      return row.reference;
    case 'kind':
      return row.kind;
    case 'branch':
      return '0458';
    case 'debit':
      return money(row.debit);
    case 'credit':
      return money(row.credit);
    case 'amount':
      return money(row.debit + row.credit);
    case 'signed':
      return `${money(row.debit + row.credit)}${bank.font === 'verdana' ? ' ' : ''}(${row.debit > 0 ? 'Dr' : 'Cr'})`;
    case 'side':
      return bank.columns.some(([name]) => name === 'debit') ? 'Cr' : row.debit > 0 ? 'DR' : 'CR';
    case 'balance':
      return moneyShown(row.balance, bank.money) + (bank.sideAfterBalance ?? '');
  }
}

/** A row that only says something of a balance. */
const balanceRow = (bank: Bank, words: string, day: string, balance: number): Cell[] =>
  bank.columns.map(([column]) => {
    if (column === 'narration') return words;
    if (column === 'date') return day;
    return column === 'balance' ? moneyShown(balance, bank.money) + (bank.sideAfterBalance ?? '') : '';
  });

function table(
  bank: Bank,
  rows: readonly Row[],
  opening: number,
  from: string,
  totals: Cell[] | null,
): string {
  const shown = bank.descending ? rows.toReversed() : rows;
  const head = bank.columns.map(([, name]) => name);
  const right = bank.columns.flatMap(([name], index) =>
    ['debit', 'credit', 'amount', 'signed', 'balance'].includes(name) ? [index] : [],
  );
  const lines = shown.map((row, index) => bank.columns.map(([name]) => cell(bank, name, row, index)));
  if (bank.forward && !bank.descending)
    lines.unshift(balanceRow(bank, bank.forward, dayShown(from, bank.day), opening) as string[]);
  const per = bank.pageRows ?? lines.length;
  const parts: string[] = [];
  for (let start = 0; start < lines.length; start += per) {
    const linesOfPage: Cell[][] = lines.slice(start, start + per);
    if (bank.forward && bank.pageRows && start > 0) {
      const before = rows[start - 2]!.balance;
      linesOfPage.unshift(balanceRow(bank, bank.forward, '', before));
    }
    if (bank.forward && bank.pageRows && start + per < lines.length)
      linesOfPage.push(balanceRow(bank, 'Carried Forward', '', rows[start + per - 2]!.balance));
    if (start + per >= lines.length && totals) linesOfPage.push(totals);
    parts.push(grid(head, linesOfPage, right, bank.lines ?? 'grid'));
  }
  return parts.join('<div class="r small" style="break-after:page">Page total continues overleaf</div>');
}

function heading(paper: Paper, bank: Bank, values: Record<string, string>): string {
  const { labels } = bank;
  const list: [string, string][] = [
    ...(labels.holder ? [[labels.holder, values.holder!] as [string, string]] : []),
    [labels.account, values.account!],
    ['Branch', values.branch!],
    ['Cust ID', paper.dice.digits(9)],
    [labels.ifsc, values.ifsc!],
    ...(labels.micr ? [[labels.micr, values.micr!] as [string, string]] : []),
    ['Account Type', 'CURRENT ACCOUNT'],
    ['Nomination', 'Registered'],
    ...(labels.opening
      ? [[labels.opening.replace('{before}', values.from!), values.opening!] as [string, string]]
      : []),
    ...(labels.closing ? [[labels.closing, values.closing!] as [string, string]] : []),
  ];
  const period = labels.period.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const name = `<h1>${values.bank}</h1>`;
  const holder = `<p class="b">${values.holder}</p><p>${values.address}</p>`;
  switch (bank.head) {
    case 'right-box':
      return `${name}<div class="two"><div class="box"><p>M/S. ${values.holder}</p><p>${values.address}</p></div><div>${pairs(list, ': ')}</div></div><p>Statement of accounts</p><p>${period}</p>`;
    case 'pairs':
      return `${name}${labels.holder ? '' : holder}${pairs(list)}<h3 class="c">${period}</h3>`;
    case 'two-columns':
      return `${name}<div class="two"><div>${holder}</div><div>${pairs(list.slice(labels.holder ? 1 : 0), ' :- ')}</div></div>${labels.holder ? `<p>${labels.holder} :- ${values.holder}</p>` : ''}<p class="bar">${period}</p>`;
    case 'lines':
      return `${name}${holder}${list.map(([label, value]) => `<p>${label}: ${value}</p>`).join('')}<p class="b">${period}</p>`;
    case 'below':
      return `${name}${holder}${below(list.slice(0, 5))}${list.length > 5 ? below(list.slice(5)) : ''}<p class="b">${period}</p>`;
  }
}

export type Altered = 'row-missing' | 'balance-wrong' | 'first-page-only' | 'page-missing';

/** A statement of `bank`; an altered one lacks a row or shows a balance that does not follow. */
export function statement(bank: Bank, seed: number, altered?: Altered): Paper {
  const paper = new Paper('bank_statement', bank.name, seed);
  const { dice } = paper;
  const whose = dice.chance(0.6) ? company(dice) : individual(dice);
  const start = dice.pick([2024, 2025]);
  const [from, to] = dice.pick([
    [`${start}-04-01`, `${start}-06-30`],
    [`${start}-07-01`, `${start}-09-30`],
    [`${start}-10-01`, `${start}-12-31`],
  ]) as [string, string];
  const opening = dice.paise(20_000, 900_000);
  const rows = transactions(paper, opening, from, dice.int(22, 44));
  const last = rows.at(-1)!.balance;
  const values = {
    bank: paper.text('bank_name', bank.name),
    holder: paper.text('holder_name', whose.name, whose.name.toUpperCase()),
    account: paper.text('account_no', dice.digits(dice.pick([11, 12, 14, 15])).replace(/^0/, '5')),
    branch: paper.text('branch', `${whose.state[3]} MAIN`),
    address: whose.address,
    ifsc: paper.text('ifsc', `${bank.ifsc}0${dice.digits(6)}`),
    micr: dice.digits(9),
    from: paper.date('period_from', from, bank.day === 'MY,Y' ? 'd/m/Y' : bank.day),
    to: paper.date('period_to', to, bank.day === 'MY,Y' ? 'd/m/Y' : bank.day),
    opening: moneyShown(opening, bank.money),
    closing: moneyShown(last, bank.money),
  };
  if (bank.labels.micr) paper.text('micr', values.micr);
  // They stand in the rows if nowhere else.
  paper.allow(
    'opening_balance',
    'closing_balance',
    'total_debits',
    'total_credits',
    'currency',
    'name',
    'pan',
  );
  const debits = rows.reduce((sum, row) => sum + row.debit, 0);
  const credits = rows.reduce((sum, row) => sum + row.credit, 0);
  if (bank.labels.opening || bank.forward || bank.totals === 'table') paper.sum('opening_balance', opening);
  if (bank.labels.closing || bank.totals) paper.sum('closing_balance', last);
  let totals: Cell[] | null = null;
  let after = '';
  if (bank.totals) {
    paper.sum('total_debits', debits);
    paper.sum('total_credits', credits);
  }
  if (bank.totals === 'row')
    totals = bank.columns.map(([name]) => {
      if (name === 'narration') return bank.forward === 'OPENING BALANCE' ? 'TRANSACTION TOTAL' : 'Total:';
      if (name === 'debit') return moneyShown(debits, bank.money);
      if (name === 'credit') return moneyShown(credits, bank.money);
      return name === 'balance' ? moneyShown(last, bank.money) : '';
    });
  if (bank.totals === 'table')
    after = `<p class="b">STATEMENT SUMMARY :-</p>${below(
      [
        ['Opening Balance', values.opening],
        ['Dr Count', String(rows.filter((row) => row.debit > 0).length)],
        ['Cr Count', String(rows.filter((row) => row.credit > 0).length)],
        ['Debits', moneyShown(debits, bank.money)],
        ['Credits', moneyShown(credits, bank.money)],
        ['Closing Bal', values.closing],
      ],
      '',
    )}<p class="small">Generated On: 12-Jan-2026 10:22:08 Generated By: 48210033</p>`;
  paper.year = start;
  const printed = rows.map((row) => ({ ...row }));
  if (altered) {
    paper.altered = true;
    const place = dice.int(4, rows.length - 5);
    if (altered === 'row-missing') printed.splice(place, 1);
    else if (altered === 'balance-wrong') printed[place]!.balance += 9_00;
    else if (altered === 'page-missing') printed.splice(place - 3, 6);
    else printed.splice(Math.floor(rows.length / 2));
  }
  // The truth is what the account did: what was left out is still missing.
  paper.rows = rows.map(({ date, debit, credit, balance }) => ({ date, debit, credit, balance }));
  const foot = `<p class="small">This is a computer generated statement and does not require signature. Contents of this statement will be considered correct if no error is reported within 21 days.</p>`;
  const list = altered === 'row-missing' && bank.pageRows ? { ...bank, pageRows: 60 } : bank;
  const body =
    heading(paper, bank, values) +
    table(altered ? { ...list, pageRows: 99 } : list, printed, opening, from, totals) +
    after;
  paper.html = page(body + foot + extra(bank), bank.font, bank.size);
  return paper;
}

const extra = (bank: Bank): string =>
  bank.head === 'lines'
    ? `<p class="small">Legends: ${pairs2(
        [
          ['TFR', 'Transfer'],
          ['CLG', 'Clearing'],
        ],
        '',
      )}</p>`
    : '';

export const statementLayouts = BANKS.map((bank) => (seed: number) => statement(bank, seed));
