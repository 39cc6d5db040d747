import { amounts, anyFont, grid, page, pairs, pairs2 } from './page.ts';
import { Paper } from './paper.ts';
import { company, individual, limited, tan } from './people.ts';

const BANK_NAMES = ['HDFC Bank', 'State Bank of India', 'Axis Bank', 'Bank of Baroda'];

/** Income tax and TDS challans: the receipt of e-Pay Tax, or of a bank's counter. */
function taxChallan(tds: boolean, way: 'e-pay' | 'bank') {
  return (seed: number): Paper => {
    const paper = new Paper(tds ? 'challan_tds' : 'challan_income_tax', way, seed);
    const { dice } = paper;
    const party = tds ? limited(dice) : individual(dice);
    const number = tds ? paper.text('tan', tan(dice, party.name)) : paper.text('pan', party.pan);
    paper.text('name', party.name);
    const year = dice.pick([2023, 2024, 2025]);
    const ay = paper.inYear(year, 'ay');
    const minor = tds ? '200' : dice.pick(['100', '300']);
    const head = dice.pick(tds ? ['0020', '0021'] : ['0021']);
    paper.text('major_head', head);
    paper.text('minor_head', minor);
    const tax = dice.rupees(5_000, 300_000);
    const interest = dice.rupees(0, 4_000);
    const day = `${year}-${dice.pick(['06', '09', '12'])}-0${dice.int(1, 7)}`;
    const deposit = paper.date('deposit_date', day, way === 'e-pay' ? 'd-M-Y' : 'd/m/Y');
    const bsr = paper.text('bsr', dice.digits(7));
    const serial = paper.text('challan_no', dice.digits(5));
    const bank = paper.text('bank_name', dice.pick(BANK_NAMES));
    const reference = paper.text(
      'bank_reference',
      `${dice.pick(['K', 'CP'])}${dice.letters(3)}${dice.digits(7)}`,
    );
    const parts: [string, string][] = [
      ['A Tax', paper.sum('tax', tax, 'symbol')],
      ['B Surcharge', paper.sum('surcharge', 0, 'symbol')],
      ['C Cess', paper.sum('cess', 0, 'symbol')],
      ['D Interest', paper.sum('interest', interest, 'symbol')],
      ['E Penalty', paper.sum('penalty', 0, 'symbol')],
      [
        tds ? 'F Fee under section 234E' : 'F Others',
        tds ? paper.sum('fee', 0, 'symbol') : paper.sum('others', 0, 'symbol'),
      ],
    ];
    const total = paper.sum('total', tax + interest, 'symbol');
    paper.allow('nature_of_payment', 'crn', 'period', 'mode');
    if (way === 'e-pay') {
      const crn = paper.text('crn', `${String(year).slice(2)}${dice.digits(12)}`);
      const nature = tds
        ? [
            ['Nature of Payment', paper.text('nature_of_payment', dice.pick(['94J', '94C', '92B']))] as [
              string,
              string,
            ],
          ]
        : [];
      paper.html = page(
        `<h2 class="c">INCOME TAX DEPARTMENT</h2><h3 class="c">Challan Receipt</h3><p>ITNS No. : ${tds ? '281' : '280'}</p>${pairs([[tds ? 'TAN' : 'PAN', number], ['Name', party.name.toUpperCase()], ['Assessment Year', ay], ['Financial Year', `${year}-${String(year + 1).slice(2)}`], ['Major Head', head === '0020' ? 'Corporation Tax (0020)' : 'Income Tax (Other than Companies) (0021)'], ['Minor Head', tds ? 'TDS/TCS Payable by Taxpayer (200)' : minor === '100' ? 'Advance Tax (100)' : 'Self-Assessment Tax (300)'], ...nature, ['Amount (in Rs.)', total], ['Amount (in words)', 'Rupees Only'], ['CIN', `${dice.digits(14)}HDFC`], ['Mode of Payment', 'Net Banking'], ['Bank Name', bank], ['Bank Reference Number', reference], ['Date of Deposit', deposit], ['BSR code', bsr], ['Challan No', serial], ['Tender Date', paper.d(day, 'd/m/Y')], ['CRN', crn]])}<h3 class="bar">Tax Breakup Details (Amount In ₹)</h3>${amounts([...parts, [`Total (A+B+C+D+E+F)`, total]])}<p class="small">Congratulations! Here is what you have just achieved by choosing to pay online</p>`,
        anyFont(dice),
        9,
      );
    } else {
      paper.html = page(
        `<h1>${bank}</h1><p>Taxpayer's Counterfoil</p>${pairs2([
          [tds ? 'TAN' : 'PAN', number],
          ['Received from', party.name],
          ['Challan', tds ? 'ITNS 281' : 'ITNS 280'],
          ['Assessment Year', ay],
          ['Major Head', head],
          ['Minor Head', minor],
          ['BSR Code', bsr],
          ['Challan Serial No.', serial],
          ['Date of Deposit', deposit],
          ['Bank Reference No.', reference],
        ])}${grid(['Details of payment', 'Amount (Rs.)'], [...parts.map(([label, value]) => [label.slice(2), value]), ['Total', total]], [1])}<p>Debit to account, for credit to the Central Government. Income Tax Department.</p>`,
        anyFont(dice),
        9,
      );
    }
    return paper;
  };
}

function gstChallan(way: 'pmt-06' | 'receipt') {
  return (seed: number): Paper => {
    const paper = new Paper('challan_gst', way, seed);
    const { dice } = paper;
    const party = company(dice);
    paper.text('gstin', party.gstin);
    paper.text('legal_name', party.name);
    const year = dice.pick([2024, 2025]);
    const day = paper.date('deposit_date', `${year}-0${dice.int(5, 9)}-2${dice.int(0, 8)}`, 'd/m/Y');
    const cpin = paper.text(
      'cpin',
      `${String(year).slice(2)}0${dice.int(5, 9)}${party.state[0]}00${dice.digits(6)}`,
    );
    const bank = paper.text('bank_name', dice.pick(BANK_NAMES));
    const reference = paper.text('bank_reference', `SBIN${dice.digits(12)}`);
    const igst = dice.rupees(0, 90_000);
    const half = dice.rupees(1_000, 90_000);
    paper.allow('gst_cess', 'year', 'period', 'arn');
    const parts = [
      paper.sum('igst', igst, 'whole'),
      paper.sum('cgst', half, 'whole'),
      paper.sum('sgst', half, 'whole'),
    ] as const;
    const total = paper.sum('total', igst + 2 * half, 'whole');
    const line = (name: string, shown: string): string[] => [name, shown, '0', '0', '0', '0', shown];
    paper.html = page(
      `<h2 class="c">${way === 'pmt-06' ? 'FORM GST PMT-06' : 'GST PAYMENT RECEIPT'}</h2>${way === 'pmt-06' ? '<p class="c">[See rule 87(2)]<br>Challan for deposit of Goods and Services Tax</p>' : ''}${pairs2(
        [
          ['CPIN', cpin],
          ['CIN', `${cpin}SBIN`],
          ['GSTIN', party.gstin],
          ['Legal Name', party.name],
          ['Address', party.address],
          ['Mode of Payment', 'E-Payment'],
          ['Bank Name', bank],
          ['Bank Reference No. (BRN/UTR)', reference],
          ['Date of Deposit', day],
          ['Challan Status', 'PAID'],
        ],
        way === 'pmt-06' ? 'grid' : '',
      )}<h3>Details of Deposit (All Amount in Rs.)</h3>${grid(['Major Head', 'Tax', 'Interest', 'Penalty', 'Fees', 'Others', 'Total'], [line('CGST(0005)', parts[1]), line('IGST(0008)', parts[0]), line('CESS(0009)', '0'), line(`${party.state[2]} SGST(0006)`, parts[2]), ['Total Challan Amount', '', '', '', '', '', total]], [1, 2, 3, 4, 5, 6])}`,
      anyFont(dice),
      9,
    );
    return paper;
  };
}

function pf(seed: number): Paper {
  const paper = new Paper('challan_pf', 'combined', seed);
  const { dice } = paper;
  const party = limited(dice);
  paper.text('name', party.name);
  const year = dice.pick([2024, 2025]);
  const month = `${year}-0${dice.int(4, 9)}`;
  paper.period = month;
  paper.fields.set('period', month);
  const name = new Date(`${month}-01`).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' });
  const wages = dice.rupees(200_000, 900_000);
  const employee = Math.round((wages * 12) / 10_000) * 100;
  const pension = Math.round((wages * 833) / 1_000_000) * 100;
  const employer = employee - pension;
  const edli = Math.round((wages * 5) / 100_000) * 100;
  const admin = Math.round((wages * 5) / 100_000) * 100;
  const total = employee + employer + pension + edli + admin;
  paper.allow('year', 'deposit_date', 'bank_name');
  const row = (label: string, ...values: number[]): string[] => [
    label,
    ...values.map((value) => paper.m(value, 'whole')),
    paper.m(
      values.reduce((sum, value) => sum + value, 0),
      'whole',
    ),
  ];
  paper.fields.set('employee_share', String(employee));
  paper.fields.set('employer_share', String(employer));
  paper.fields.set('pension_fund', String(pension));
  paper.fields.set('edli', String(edli));
  paper.fields.set('admin_charges', String(admin));
  paper.html = page(
    `<h2 class="c">COMBINED CHALLAN OF A/C NO. 01, 02, 10, 21 &amp; 22</h2><p class="c">EMPLOYEES' PROVIDENT FUND ORGANISATION</p>${pairs2(
      [
        ['TRRN', paper.text('trrn', dice.int(1, 9) + dice.digits(12))],
        [
          'Establishment Code &amp; Name',
          `${paper.text('pf_code', `MHBAN${dice.digits(7)}000`)} ${party.name.toUpperCase()}`,
        ],
        ['Dues for the wage month of', `${name} ${year}`],
        ['Total Subscribers', paper.text('employees', String(dice.int(12, 300)))],
        ['Total Wages', paper.sum('wages', wages, 'whole')],
        ['Address', party.address],
      ],
    )}${grid(['PARTICULARS', 'A/C.01 (Rs.)', 'A/C.02 (Rs.)', 'A/C.10 (Rs.)', 'A/C.21 (Rs.)', 'A/C.22 (Rs.)', 'TOTAL'], [row('Administration Charges', 0, admin, 0, 0, 0), row("Employer's Share Of", employer, 0, pension, edli, 0), row("Employee's Share Of", employee, 0, 0, 0, 0), ['Grand Total', '', '', '', '', '', paper.sum('total', total, 'whole')]], [1, 2, 3, 4, 5, 6])}<p>(Amount in words) Rupees Only</p>`,
    anyFont(dice),
    8.5,
  );
  return paper;
}

function esi(seed: number): Paper {
  const paper = new Paper('challan_esi', 'portal', seed);
  const { dice } = paper;
  const party = limited(dice);
  paper.text('name', party.name);
  const year = dice.pick([2024, 2025]);
  const monthNumber = dice.int(4, 9);
  paper.period = `${year}-0${monthNumber}`;
  paper.fields.set('period', paper.period);
  const name = new Date(`${paper.period}-01`).toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' });
  const wages = dice.rupees(100_000, 500_000);
  const employee = Math.round((wages * 75) / 1_000_000) * 100;
  const employer = Math.round((wages * 325) / 1_000_000) * 100;
  paper.allow('year', 'bank_name');
  paper.html = page(
    `<h2>Employees' State Insurance Corporation</h2><h3>Transaction Details - Challan</h3>${pairs(
      [
        ["Employer's Code No", paper.text('esi_code', `31000${dice.digits(8)}0001`)],
        ["Employer's Name", party.name],
        ['Challan Period', `${name}-${year}`],
        ['Challan Number', paper.text('challan_no', `0${dice.digits(13)}`)],
        [
          'Challan Submitted Date',
          paper.date(
            'deposit_date',
            `${year}-${String(monthNumber + 1).padStart(2, '0')}-1${dice.int(0, 4)}`,
          ),
        ],
        ['Number of Employees', paper.text('employees', String(dice.int(10, 90)))],
        ['Total Wages', paper.sum('wages', wages)],
        ["Employees' Contribution", paper.sum('employee_share', employee)],
        ["Employer's Contribution", paper.sum('employer_share', employer)],
        ['Amount Paid', paper.sum('total', employee + employer)],
        ['Transaction status', 'Completed Successfully'],
      ],
      ' : ',
    )}`,
    anyFont(dice),
    10,
  );
  return paper;
}

export const paymentLayouts = {
  challan_income_tax: [taxChallan(false, 'e-pay'), taxChallan(false, 'bank')],
  challan_tds: [taxChallan(true, 'e-pay'), taxChallan(true, 'bank')],
  challan_gst: [gstChallan('pmt-06'), gstChallan('receipt')],
  challan_pf: [pf],
  challan_esi: [esi],
};
