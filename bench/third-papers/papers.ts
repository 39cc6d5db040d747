import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Paper } from '../unseen/paper.ts';
import { company, individual, limited, tan } from '../unseen/people.ts';

// The third set: how papers look that the two other generators do not draw. Written when the rules stood, measured once.

const noto = readFileSync(
  createRequire(import.meta.url).resolve(
    '@fontsource/noto-sans-tamil/files/noto-sans-tamil-latin-400-normal.woff2',
  ),
).toString('base64');
const FACE = `@font-face{font-family:Noto;src:url(data:font/woff2;base64,${noto})}`;

const page = (body: string, font: string, size: number): string =>
  `<!doctype html><html><head><meta charset="utf-8"><style>${FACE}@page{margin:9mm 13mm}body{margin:0;font:${size}pt/1.25 ${font};color:#000}
table{border-collapse:collapse;width:100%}td,th{padding:1.5pt 3pt;text-align:left;vertical-align:top;font-weight:400}.f,.f td,.f th{border:.5pt solid #000}
.r{text-align:right!important;white-space:nowrap}.c{text-align:center}.h td,.h th{border-bottom:.6pt dashed #000}p{margin:2pt 0}</style></head><body>${body}</body></html>`;

const rows = (of: readonly (readonly string[])[], right: readonly number[], tag = 'td'): string =>
  of
    .map(
      (cells) =>
        `<tr>${cells.map((cell, index) => `<${tag}${right.includes(index) ? ' class="r"' : ''}>${cell}</${tag}>`).join('')}</tr>`,
    )
    .join('');
const rupees = (paise: number): string => (paise / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 });

/** As small traders' programs print: everything in one frame, numbers left of the buyer's lorry. */
function framedInvoice(seed: number): Paper {
  const paper = new Paper('invoice', 'framed', seed);
  const { dice } = paper;
  const [seller, buyer] = [company(dice), company(dice)];
  const same = seller.state[0] === buyer.state[0];
  const lines = Array.from({ length: dice.int(2, 4) }, (_, index) => {
    const [quantity, rate] = [dice.int(2, 40), dice.paise(90, 4000)];
    return {
      what: ['Teflon tape 12 mm', 'Gate valve 25 NB', 'PVC elbow', 'Brass nipple 1/2 inch'][index]!,
      hsn: String(dice.int(3917, 8481) * 10_000),
      quantity,
      rate,
      value: quantity * rate,
    };
  });
  const taxable = lines.reduce((sum, { value }) => sum + value, 0);
  const tax = Math.round(taxable * 0.18);
  const half = Math.round(tax / 2);
  const exact = taxable + (same ? half * 2 : tax);
  const total = Math.round(exact / 100) * 100;
  const taxes = same
    ? [
        ['CGST @ 9.00 %', paper.sum('cgst', half, 'indian')],
        ['SGST @ 9.00 %', paper.sum('sgst', half, 'indian')],
      ]
    : [['IGST @ 18.00 %', paper.sum('igst', tax, 'indian')]];
  const off = total - exact;
  paper.allow(
    'round_off',
    'place_of_supply',
    'reverse_charge',
    'supplier_pan',
    'buyer_pan',
    'hsn',
    'pan',
    'vehicle_no',
    'year',
    'period',
    'tax_rate',
  );
  if (off !== 0) paper.fields.set('round_off', String(off));
  const head = `<tr><td style="width:50%">Invoice No. : ${paper.text('invoice_no', `${dice.int(10, 999)}/25-26`)}<br>Dated : ${paper.date('invoice_date', `2025-${String(dice.int(4, 12)).padStart(2, '0')}-${String(dice.int(10, 28))}`, 'd-m-Y')}<br>Place of Supply : ${buyer.state[2]} (${buyer.state[0]})<br>Reverse Charge : N</td><td>Transport : SELF<br>Vehicle No. : ${buyer.state[1]}12AB${dice.digits(4)}<br>Station : ${buyer.state[3]}</td></tr>
<tr><td>Billed to :<br>${paper.text('buyer_name', buyer.name)}<br>${buyer.address}<br>GSTIN / UIN : ${paper.text('buyer_gstin', buyer.gstin)}</td><td>Shipped to :<br>${buyer.name}<br>${buyer.address}<br>GSTIN / UIN : ${buyer.gstin}</td></tr>`;
  const table =
    rows(
      [['S.N.', 'Description of Goods', 'HSN/SAC Code', 'Qty.', 'Unit', 'Price', 'Amount(Rs.)']],
      [3, 5, 6],
      'th',
    ) +
    rows(
      lines.map((line, index) => [
        `${index + 1}.`,
        line.what,
        line.hsn,
        line.quantity.toFixed(2),
        'Pcs.',
        rupees(line.rate),
        rupees(line.value),
      ]),
      [3, 5, 6],
    ) +
    rows(
      [
        ['', '', '', '', '', 'Total', paper.sum('taxable_value', taxable, 'indian')],
        ...taxes.map(([label, shown]) => ['', '', '', '', 'Add', `: ${label!}`, shown!]),
        ...(off === 0
          ? []
          : [['', '', '', '', off > 0 ? 'Add' : 'Less', ': Rounded Off', rupees(Math.abs(off))]]),
      ],
      [5, 6],
    );
  paper.html = page(
    `<p>GSTIN : ${paper.text('supplier_gstin', seller.gstin)}</p><p class="c">TAX INVOICE</p><p class="c"><b style="font-size:1.5em">${paper.text('supplier_name', seller.name)}</b><br>${seller.address}</p><table class="f">${head}</table><table class="f">${table}</table><table class="f"><tr><td class="r">Grand Total &nbsp; ${paper.sum('total', total, 'indian')}</td></tr></table><p>Terms & Conditions<br>1. Goods once sold will not be taken back.</p><p class="r">for ${seller.name}<br><br>Authorised Signatory</p>`,
    dice.pick([
      '"Liberation Sans Narrow","DejaVu Sans Condensed"',
      '"Noto Serif","DejaVu Serif"',
      'sans-serif',
    ]),
    9,
  );
  return paper;
}

/** A co-operative bank's pass book, or a public bank's statement: rules of dashes, no frame. */
function plainStatement(seed: number): Paper {
  const paper = new Paper('bank_statement', seed % 2 === 0 ? 'pass-book' : 'branch', seed);
  const { dice } = paper;
  const holder = company(dice);
  let balance = dice.paise(20_000, 400_000);
  paper.sum('opening_balance', balance, 'indian');
  const opening = balance;
  let day = 1;
  const entries = Array.from({ length: dice.int(14, 24) }, () => {
    day = Math.min(30, day + dice.int(0, 2));
    const isDebit = dice.chance(0.5) && balance > 3_000_000;
    const amount = dice.paise(200, 24_000);
    balance += isDebit ? -amount : amount;
    const text = isDebit
      ? dice.pick(['TO CHQ PAID SELF', 'TO CLG ICICI BK', 'ATM WDL', 'NACH DR LIC', 'TO TRF RENT'])
      : dice.pick(['BY CASH', 'BY CLG 45 SBI', 'NEFT INWARD', 'UPI/CR/PHONEPE', 'BY TRF']);
    return {
      date: `2025-09-${String(day).padStart(2, '0')}`,
      debit: isDebit ? amount : 0,
      credit: isDebit ? 0 : amount,
      balance,
      text: `${text} ${dice.digits(6)}`,
    };
  });
  paper.rows = entries.map(({ date, debit, credit, balance: left }) => ({
    date,
    debit,
    credit,
    balance: left,
  }));
  paper.sum('closing_balance', balance, 'indian');
  paper.fields.set('period_from', '2025-09-01');
  paper.fields.set('period_to', '2025-09-30');
  paper.allow(
    'branch',
    'micr',
    'total_debits',
    'total_credits',
    'bank_name',
    'currency',
    'address',
    'year',
    'period',
  );
  const shown = (paise: number): string => (paise === 0 ? '' : rupees(paise));
  const isBook = seed % 2 === 0;
  const heads = isBook
    ? ['Date', 'Particulars', 'Inst.No.', 'Withdrawals', 'Deposits', 'Balance']
    : ['Txn Date', 'Description', 'Ref No./Cheque No.', 'Debit', 'Credit', 'Balance'];
  const body = entries.map(({ date, text, debit, credit, balance: left }) => [
    paper.d(date, isBook ? 'd/m/y' : 'd M Y'),
    text,
    dice.chance(0.3) ? dice.digits(6) : '',
    shown(debit),
    shown(credit),
    rupees(left) + (isBook ? ' Cr' : ''),
  ]);
  const first = isBook ? [['', 'BALANCE B/F', '', '', '', `${rupees(opening)} Cr`]] : [];
  const about = isBook ? '' : `<p>Opening Balance : ${rupees(opening)}</p>`;
  paper.html = page(
    `<p class="c"><b>${isBook ? 'Janata Sahakari Bank Ltd.' : 'State Bank of India'}</b></p><p class="c">${isBook ? 'STATEMENT OF ACCOUNT' : 'Account Statement from 1 Sep 2025 to 30 Sep 2025'}</p><table><tr><td>Account Name</td><td>: ${paper.text('holder_name', holder.name)}</td></tr><tr><td>Account Number</td><td>: ${paper.text('account_no', `0${dice.digits(10)}`)}</td></tr><tr><td>IFS Code</td><td>: ${paper.text('ifsc', `${isBook ? 'JSBP' : 'SBIN'}0${dice.digits(6)}`)}</td></tr>${isBook ? '<tr><td>Period</td><td>: 01/09/2025 to 30/09/2025</td></tr>' : ''}</table>${about}<table class="h"><thead>${rows([heads], [3, 4, 5], 'th')}</thead>${rows([...first, ...body], [3, 4, 5])}</table><p>Closing Balance : ${rupees(balance)}${isBook ? ' Cr' : ''}</p>`,
    isBook ? '"DejaVu Sans Mono"' : 'Noto',
    isBook ? 8 : 8.5,
  );
  return paper;
}

/** Earnings and deductions side by side. */
function sidedPayslip(seed: number): Paper {
  const paper = new Paper('payslip', 'sides', seed);
  const { dice } = paper;
  const [firm, person] = [limited(dice), individual(dice)];
  const month = dice.int(1, 12);
  paper.period = `2025-${String(month).padStart(2, '0')}`;
  paper.fields.set('period', paper.period);
  const [basic, hra] = [dice.rupees(18_000, 60_000), dice.rupees(7000, 22_000)];
  const [pf, pt, tds] = [180_000, 20_000, dice.rupees(500, 4000)];
  const [earned, taken] = [basic + hra, pf + pt + tds];
  paper.allow(
    'uan',
    'designation',
    'employee_id',
    'paid_days',
    'pan',
    'employee_pan',
    'year',
    'tds',
    'tax_deducted',
    'account_no',
    'address',
    'esi_deduction',
  );
  const name = 'January,February,March,April,May,June,July,August,September,October,November,December'.split(
    ',',
  )[month - 1]!;
  paper.html = page(
    `<p><b>${paper.text('employer_name', firm.name)}</b><br>${firm.address}</p><p class="c">Pay Slip for the month of ${name} 2025</p><table><tr><td>Employee Name</td><td>${paper.text('employee_name', person.name)}</td><td>PAN</td><td>${person.pan}</td></tr><tr><td>Employee Code</td><td>E${dice.digits(4)}</td><td>Days Paid</td><td>30</td></tr></table><table class="f">${rows([['Earnings', 'Amount', 'Deductions', 'Amount']], [1, 3], 'th')}${rows(
      [
        [
          'Basic',
          paper.sum('basic', basic, 'indian'),
          'Provident Fund',
          paper.sum('pf_deduction', pf, 'indian'),
        ],
        [
          'House Rent Allowance',
          paper.sum('hra', hra, 'indian'),
          'Profession Tax',
          paper.sum('professional_tax', pt, 'indian'),
        ],
        ['', '', 'Income Tax (TDS)', rupees(tds)],
        [
          'Gross Earnings',
          paper.sum('gross_earnings', earned, 'indian'),
          'Total Deductions',
          paper.sum('total_deductions', taken, 'indian'),
        ],
      ],
      [1, 3],
    )}</table><p>Net Pay : ${paper.sum('net_pay', earned - taken, 'indian')}</p><p>This is a computer generated slip.</p>`,
    dice.pick(['Noto', '"DejaVu Serif Condensed"']),
    10,
  );
  return paper;
}

/** What the e-pay service of the tax department gives: a list of labels and one table of parts. */
function taxReceipt(seed: number): Paper {
  const paper = new Paper('challan_tds', 'e-pay', seed);
  const { dice } = paper;
  const firm = limited(dice);
  const [tax, interest] = [dice.rupees(2000, 90_000), dice.rupees(100, 900)];
  const date = `2025-0${dice.int(5, 9)}-0${dice.int(2, 7)}`;
  const bsr = `0${dice.digits(6)}`;
  const serial = dice.digits(5);
  paper.fields.set('year', 'FY 2025-26');
  paper.year = 2025;
  paper.allow(
    'surcharge',
    'cess',
    'penalty',
    'fee',
    'others',
    'mode',
    'bank_name',
    'bank_reference',
    'nature_of_payment',
    'major_head',
    'minor_head',
    'section',
    'crn',
    'address',
    'date',
    'period',
  );
  const list = [
    ['ITNS No.', '281'],
    ['TAN', paper.text('tan', tan(dice, firm.name))],
    ['Name', paper.text('name', firm.name)],
    ['Assessment Year', '2026-27'],
    ['Financial Year', '2025-26'],
    ['Major Head', 'Corporation Tax (0020)'],
    ['Minor Head', 'TDS/TCS Payable by Taxpayer (200)'],
    ['Nature of Payment', '94C'],
    ['Amount (in Rs.)', paper.sum('total', tax + interest, 'symbol')],
    ['CIN', `${dice.digits(14)}HDFC`],
    ['Mode of Payment', 'Net Banking'],
    ['Bank Name', 'HDFC Bank'],
    ['Date of Deposit', paper.date('deposit_date', date, 'd-M-Y')],
    ['BSR code', paper.text('bsr', bsr)],
    ['Challan No', paper.text('challan_no', serial)],
  ];
  paper.html = page(
    `<p class="c"><b>INCOME TAX DEPARTMENT</b><br>Challan Receipt</p><table>${list.map(([label, value]) => `<tr><td style="width:42%">${label}</td><td>: ${value}</td></tr>`).join('')}</table><p><b>Tax Breakup Details (Amount In Rs.)</b></p><table class="f">${rows(
      [
        ['A', 'Tax', paper.sum('tax', tax, 'symbol')],
        ['B', 'Surcharge', '₹ 0'],
        ['C', 'Cess', '₹ 0'],
        ['D', 'Interest', paper.sum('interest', interest, 'symbol')],
        ['E', 'Penalty', '₹ 0'],
        ['F', 'Fee under section 234E', '₹ 0'],
        ['', 'Total (A+B+C+D+E+F)', rupees(tax + interest)],
      ],
      [2],
    )}</table>`,
    'Noto',
    9.5,
  );
  return paper;
}

const LAYOUTS: readonly ((seed: number) => Paper)[] = [
  framedInvoice,
  plainStatement,
  plainStatement,
  sidedPayslip,
  taxReceipt,
];

/** `each` papers of every layout. */
export const thirdPapers = (seed: number, each: number): Paper[] =>
  LAYOUTS.flatMap((layout, index) =>
    Array.from({ length: each }, (_, nth) => layout(seed * 50_021 + index * 37 + nth * 2 + index)),
  );
