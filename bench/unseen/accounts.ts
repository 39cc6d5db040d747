import { anyFont, grid, page } from './page.ts';
import { Paper } from './paper.ts';
import { cin, company, frn, individual, limited, person, udin } from './people.ts';

interface Signature {
  firm: string;
  frn: string;
  by: string;
  mrn: string;
  udin: string;
  place: string;
}

function signature(paper: Paper, year: number): Signature {
  const { dice } = paper;
  const by = person(dice);
  const mrn = dice.digits(6);
  return {
    firm: `${by.split(' ')[1]} & Associates`,
    frn: frn(dice),
    by,
    mrn,
    udin: udin(dice, mrn, String(year + 1).slice(2)),
    place: dice.pick(['Pune', 'Jaipur', 'Kochi', 'Surat']),
  };
}

function signed(paper: Paper, by: Signature, day: string, with_: 'stack' | 'line'): string {
  paper.text('firm_name', by.firm);
  paper.text('frn', by.frn);
  paper.text('mrn', by.mrn);
  paper.text('udin', by.udin);
  paper.text('place', by.place);
  if (with_ === 'stack')
    return `<p>For ${by.firm}<br>Chartered Accountants<br>Firm Registration No. ${by.frn}</p><p><br>${by.by}<br>Partner<br>Membership No. ${by.mrn}<br>UDIN: ${by.udin}</p><p>Place: ${by.place}<br>Date: ${day}</p>`;
  return `<div class="two"><p>Place : ${by.place}<br>Dated : ${day}<br>UDIN : ${by.udin}</p><p class="r">For <b>${by.firm.toUpperCase()}</b><br>CHARTERED ACCOUNTANTS (FRN: ${by.frn})<br><br>(CA ${by.by})<br>Proprietor, M. No. ${by.mrn}</p></div>`;
}

function balanceSheet(way: 'schedule-iii' | 'firm' | 'profit') {
  return (seed: number): Paper => {
    const paper = new Paper('balance_sheet', way, seed);
    const { dice } = paper;
    const party = way === 'firm' ? company(dice) : limited(dice);
    const year = dice.pick([2023, 2024]);
    paper.year = year;
    paper.text('name', party.name);
    paper.date('date', `${year + 1}-03-31`);
    paper.allow(
      'year',
      'period',
      'address',
      'equity',
      'share_capital',
      'unit',
      'total_assets_before',
      'revenue_before',
      'profit_before',
      'cash',
      'trade_receivables',
      'pan',
      'signed_by',
    );
    // In lakhs the last two digits of the rupees are not shown.
    const lakhs = way !== 'firm' && dice.chance(0.5);
    const unit = lakhs ? 100_000 * 100 : 100;
    const round = lakhs ? 100_000 : 1;
    const sum = (from: number, to: number): number =>
      Math.round((dice.int(from, to) * 100) / (round * 1)) * (round === 1 ? 1 : round);
    const show = (paise: number): string => (lakhs ? (paise / unit).toFixed(2) : paper.m(paise, 'indian'));
    const put = (key: Parameters<Paper['sum']>[0], paise: number): string => {
      paper.sum(key, paise);
      return show(paise);
    };
    const before = (paise: number): string => show(Math.round((paise * 0.9) / round) * round);
    const capital = sum(100_000, 2_000_000);
    const reserves = sum(500_000, 20_000_000);
    const borrowed = sum(100_000, 9_000_000);
    const payables = sum(100_000, 4_000_000);
    const total = capital + reserves + borrowed + payables;
    const receivables = Math.round(total / 3 / round) * round;
    const cash = Math.round(total / 9 / round) * round;
    const fixed = total - receivables - cash;
    const unitLine = lakhs ? '<p class="r">(Rs. in lakhs)</p>' : '<p class="r">(Amount in Rs.)</p>';
    paper.fields.set('unit', lakhs ? 'lakhs' : 'rupees');
    paper.allowed.add('unit');
    const number =
      way === 'firm' ? '' : `<p class="c">CIN: ${paper.text('cin', cin(dice, party.state[1]))}</p>`;
    const top = `<h2 class="c">${party.name.toUpperCase()}</h2>${number}<p class="c">${party.address}</p>`;
    const foot = signed(
      paper,
      signature(paper, year),
      paper.d(`${year + 1}-08-2${dice.int(0, 9)}`),
      dice.pick(['stack', 'line'] as const),
    );
    const head = ['Particulars', 'Note', `As at 31st March, ${year + 1}`, `As at 31st March, ${year}`];
    const line = (
      label: string,
      note: string,
      key: Parameters<Paper['sum']>[0] | null,
      paise: number,
    ): string[] => [label, note, key ? put(key, paise) : show(paise), before(paise)];
    const revenue = sum(4_000_000, 90_000_000);
    const expenses = Math.round((revenue * 0.88) / round) * round;
    const profit = revenue - expenses;
    const tax = Math.round((profit * 0.25) / round) * round;
    const results = `<h3 class="c">${way === 'profit' ? 'STATEMENT OF PROFIT AND LOSS' : 'Statement of Profit and Loss'} for the year ended 31st March, ${year + 1}</h3>${unitLine}`;
    const lossRows = (): string[][] => [
      line('I. Revenue from operations', '12', 'revenue', revenue),
      line('Total Expenses', '', 'total_expenses', expenses),
      line('Profit before tax', '', 'profit_before_tax', profit),
      line('Tax expense: Current tax', '', null, tax),
      line('Profit for the year', '', 'profit', profit - tax),
    ];
    if (way === 'firm')
      paper.html = page(
        `${top}<h3 class="c">BALANCE SHEET AS AT 31ST MARCH, ${year + 1}</h3>${unitLine}${grid(
          ['LIABILITIES', 'AMOUNT', 'ASSETS', 'AMOUNT'],
          [
            ["Partners' Capital Account", show(capital + reserves), 'Fixed Assets', show(fixed)],
            [
              'Secured Loans',
              put('borrowings', borrowed),
              'Sundry Debtors',
              put('trade_receivables', receivables),
            ],
            [
              'Sundry Creditors',
              put('trade_payables', payables),
              'Cash and Bank Balances',
              put('cash', cash),
            ],
            ['<b>TOTAL</b>', `<b>${put('total_assets', total)}</b>`, '<b>TOTAL</b>', `<b>${show(total)}</b>`],
          ],
          [1, 3],
        )}${foot}`,
        anyFont(dice),
        9,
      );
    else
      paper.html = page(
        `${top}<h3 class="c">Balance Sheet as at 31st March, ${year + 1}</h3>${unitLine}${grid(head, [['<b>I. EQUITY AND LIABILITIES</b>', '', '', ''], line('(a) Share capital', '1', 'share_capital', capital), line('(b) Reserves and surplus', '2', 'reserves', reserves), line('(a) Long-term borrowings', '3', 'borrowings', borrowed), line('(b) Trade payables', '4', 'trade_payables', payables), ['<b>TOTAL</b>', '', show(total), before(total)], ['<b>II. ASSETS</b>', '', '', ''], line('(a) Property, Plant and Equipment', '5', null, fixed), line('(b) Trade receivables', '6', 'trade_receivables', receivables), line('(c) Cash and cash equivalents', '7', 'cash', cash), ['<b>TOTAL</b>', '', put('total_assets', total), before(total)]], [2, 3], way === 'profit' ? 'lines' : 'grid')}${way === 'profit' ? `<div style="break-before:page"></div>${top}${results}${grid(['Particulars', 'Note', `Year ended 31st March, ${year + 1}`, `Year ended 31st March, ${year}`], lossRows(), [2, 3], 'lines')}` : ''}${foot}`,
        anyFont(dice),
        9,
      );
    return paper;
  };
}

function auditReport(way: 'company' | '3cb') {
  return (seed: number): Paper => {
    const paper = new Paper('audit_report', way, seed);
    const { dice } = paper;
    const party = way === 'company' ? limited(dice) : individual(dice);
    const year = dice.pick([2023, 2024, 2025]);
    paper.year = year;
    paper.text('name', party.name);
    const by = signature(paper, year);
    paper.text('signed_by', by.by);
    paper.allow('opinion', 'cin', 'year', 'period', 'address');
    const day = paper.date('date', `${year + 1}-09-1${dice.int(0, 9)}`);
    const foot = signed(paper, by, day, dice.pick(['stack', 'line'] as const));
    if (way === 'company')
      paper.html = page(
        `<h2 class="c">INDEPENDENT AUDITOR'S REPORT</h2><p>To the Members of <b>${party.name}</b></p><h3>Report on the Audit of the Financial Statements</h3><p class="b">Opinion</p><p>We have audited the accompanying financial statements of ${party.name} ("the Company"), which comprise the Balance Sheet as at 31st March ${year + 1}, and the Statement of Profit and Loss for the year then ended, and notes to the financial statements.</p><p>In our opinion and to the best of our information, the aforesaid financial statements give a true and fair view in conformity with the accounting principles generally accepted in India.</p><p class="b">Basis for Opinion</p><p>We conducted our audit in accordance with the Standards on Auditing (SAs) specified under section 143(10) of the Act.</p>${foot}`,
        anyFont(dice),
        10,
      );
    else {
      paper.text('pan', party.pan);
      paper.html = page(
        `<h2 class="c">FORM NO. 3CB</h2><p class="c">[See rule 6G(1)(b)]</p><p class="c b">Audit report under section 44AB of the Income-tax Act, 1961, in the case of a person referred to in clause (b) of sub-rule (1) of rule 6G</p><p>1. I have examined the balance sheet as on 31st March, ${year + 1}, and the profit and loss account for the period beginning from 01-04-${year} to ending on 31-03-${year + 1}, attached herewith, of <b>${party.name.toUpperCase()}</b>, ${party.address}, PAN ${party.pan}.</p><p>2. I certify that the balance sheet and the profit and loss account are in agreement with the books of account maintained at the head office.</p><p>3. Subject to above, the particulars given in Form No. 3CD are true and correct.</p>${foot}`,
        anyFont(dice),
        10,
      );
    }
    return paper;
  };
}

export const accountLayouts = {
  balance_sheet: [balanceSheet('schedule-iii'), balanceSheet('firm'), balanceSheet('profit')],
  audit_report: [auditReport('company'), auditReport('3cb')],
};
