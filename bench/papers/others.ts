import type { FieldKey } from '#server/recognition/contract.ts';
import { date, inYear, money, text } from './income-tax.ts';
import type { Maker } from './paper.ts';
import { escaped, grid } from './paper.ts';
import { MONTH_NAMES } from './random.ts';

const amounts = [
  ['tax', 'Tax;Income Tax|Basic Tax'],
  ['surcharge', 'Surcharge'],
  ['cess', 'Cess'],
  ['interest', 'Interest'],
  ['penalty', 'Penalty'],
] as const;

const challan =
  (type: 'challan_income_tax' | 'challan_tds'): Maker =>
  (facts, style) => {
    const sums = amounts.map(([key, labels]) => [key, labels, facts.money(9000)] as const);
    return {
      type,
      titles: ['Challan Receipt', 'INCOME TAX DEPARTMENT Challan Receipt', 'Tax Payment Challan'],
      sub: type === 'challan_tds' ? 'ITNS No. : 281' : 'ITNS No. : 280',
      fields: [
        type === 'challan_tds' ? text('tan', 'TAN', facts.tan()) : text('pan', 'PAN', facts.pan()),
        text('name', 'Name|Full Name', facts.firm()),
        inYear('year', 'Assessment Year', facts.int(2022, 2025), 1),
        ['major_head', 'Major Head', 'Income Tax (Other than Companies) (0021)', '0021'],
        [
          'minor_head',
          'Minor Head',
          type === 'challan_tds' ? 'TDS Payable by Taxpayer (200)' : 'Self-Assessment Tax (300)',
          type === 'challan_tds' ? '200' : '300',
        ],
        text('crn', 'CRN', facts.digits(14)),
        text('bsr', 'BSR code|BSR Code', facts.digits(7)),
        date(style, 'deposit_date', 'Tender Date;Date of Deposit|Date of Payment', facts.day(2025)),
        text('challan_no', 'Challan No|Challan Serial No.', facts.digits(5)),
        ...sums.map(([key, labels, paise]) => money(style, key, labels, paise)),
        money(
          style,
          'total',
          'Total|Total Amount',
          sums.reduce((sum, row) => sum + row[2], 0),
        ),
      ],
    };
  };
export const challanTax = challan('challan_income_tax');
export const challanTds = challan('challan_tds');

export const challanGst: Maker = (facts, style) => ({
  type: 'challan_gst',
  titles: ['GST Challan', 'FORM GST PMT-06', 'Goods and Services Tax Payment Receipt'],
  sub: 'Payment Challan. Details of Deposit',
  fields: [
    text('cpin', 'CPIN', facts.digits(14)),
    text('gstin', 'GSTIN', facts.gstin()),
    text('legal_name', 'Name;Legal Name|Name of Taxpayer', facts.firm()),
    date(style, 'deposit_date', 'Date of Deposit;Deposit Date|Payment Date', facts.day(2025)),
    money(style, 'cgst', 'CGST(0005)|CGST', facts.money(9000)),
    money(style, 'igst', 'IGST(0008)|IGST', facts.money(9000)),
    money(style, 'total', 'Total Challan Amount|Total Amount', facts.money(9000)),
  ],
});

const wage =
  (type: 'challan_pf' | 'challan_esi'): Maker =>
  (facts, style) => {
    const [number, year] = [facts.int(1, 12), facts.int(2023, 2025)];
    const shown = style.held
      ? `${String(number).padStart(2, '0')}/${year}`
      : `${MONTH_NAMES[number - 1]} ${year}`;
    const period = [
      'period',
      'Wage Month|For the month',
      shown,
      `${year}-${String(number).padStart(2, '0')}`,
    ] as [FieldKey, string, string, string];
    return type === 'challan_pf'
      ? {
          type,
          titles: ["EMPLOYEES' PROVIDENT FUND ORGANISATION Combined Challan", 'EPF Payment Receipt Challan'],
          sub: 'Combined Challan of A/C NO. 01, 02, 10, 21 and 22',
          fields: [
            text('trrn', 'TRRN', facts.digits(13)),
            text('name', 'Establishment Name', facts.firm()),
            period,
            date(style, 'deposit_date', 'Payment Date|Date of Payment', facts.day(2025)),
            text('employees', 'Total Members|No. of Members', String(facts.int(3, 90))),
            money(style, 'total', 'Total Amount|Grand Total', facts.money()),
          ],
        }
      : {
          type,
          titles: ["EMPLOYEES' STATE INSURANCE CORPORATION Challan", 'ESIC Contribution Payment Receipt'],
          sub: 'Contribution challan of ESIC',
          fields: [
            text('esi_code', "Employer's Code No", facts.digits(17)),
            text('name', "Employer's Name", facts.firm()),
            period,
            text('challan_no', 'Challan Number', facts.digits(14)),
            date(style, 'deposit_date', 'Challan Submitted Date|Payment Date', facts.day(2025)),
            money(style, 'total', 'Amount Paid|Total Amount Paid', facts.money()),
          ],
        };
  };
export const challanPf = wage('challan_pf');
export const challanEsi = wage('challan_esi');

export const payslip: Maker = (facts, style) => {
  const [number, year, firm] = [facts.int(1, 12), facts.int(2023, 2025), facts.firm()];
  return {
    type: 'payslip',
    head: firm,
    titles: [
      `Payslip for the month of ${MONTH_NAMES[number - 1]} ${year}`,
      `Salary Slip - ${MONTH_NAMES[number - 1]} ${year}`,
      `Pay Slip for ${MONTH_NAMES[number - 1]} ${year}`,
    ],
    fields: [
      text('employee_name', 'Employee Name|Name', facts.person()),
      text('employee_id', 'Employee ID|Emp Code', `E${facts.int(100, 9999)}`),
      text('designation', 'Designation', 'Accountant'),
      text('employee_pan', 'PAN', facts.pan('P')),
      text('uan', 'UAN', `1${facts.digits(11)}`),
      money(style, 'basic', 'Basic|Basic Salary', facts.money()),
      money(style, 'hra', 'HRA|House Rent Allowance', facts.money()),
      money(style, 'gross_earnings', 'Gross Earnings|Total Earnings', facts.money()),
      money(style, 'pf_deduction', 'PF|Provident Fund', facts.money()),
      money(style, 'total_deductions', 'Total Deductions', facts.money()),
      money(style, 'net_pay', 'Net Pay|Net Salary', facts.money()),
    ],
    more: {
      html: '<p>Earnings and deductions as above.</p>',
      truth: [
        ['employer_name', firm],
        ['period', `${year}-${String(number).padStart(2, '0')}`],
      ],
    },
  };
};

export const panCard: Maker = (facts, style) => ({
  type: 'pan_card',
  titles: ['INCOME TAX DEPARTMENT GOVT. OF INDIA', 'e-Permanent Account Number (e-PAN) Card'],
  sub: 'Permanent Account Number Card',
  fields: [
    text('pan', 'Permanent Account Number|PAN', facts.pan('P')),
    text('name', 'Name', facts.person().toUpperCase()),
    text('father_name', "Father's Name", facts.person().toUpperCase()),
    date(style, 'date_of_birth', 'Date of Birth', facts.day(1985)),
  ],
});

export const notice: Maker = (facts, style) => {
  const [section, by] = [facts.pick(['143(2)', '142(1)', '148', '156']), facts.day(2026)];
  return {
    type: 'notice',
    titles: [`Notice under section ${section} of the Income-tax Act, 1961`],
    head: 'Income Tax Department',
    fields: [
      text('pan', 'PAN', facts.pan()),
      text('name', 'Name|Name of the assessee', facts.firm()),
      inYear('year', 'Assessment Year|A.Y.', facts.int(2020, 2024), 1),
      date(style, 'date', 'Dated;Date|Date of issue', facts.day(2026)),
      text(
        'document_din',
        'DIN & Notice No|DIN',
        `ITBA/AST/S/${section.slice(0, 3)}/2025-26/10${facts.digits(8)}(1)`,
      ),
    ],
    more: {
      html: `<p>Sir/ Madam, you are hereby required to furnish the documents on or before ${style.date(by)}, failing which the assessment will be completed.</p><p>Assessing Officer</p>`,
      truth: [
        ['section', section],
        ['reply_by', by],
        ['issuer', 'Income Tax Department'],
      ],
    },
  };
};

export const balanceSheet: Maker = (facts, style) => {
  const [firm, cin, udin, frn] = [facts.firm(), facts.cin(), facts.udin(), `${facts.digits(6)}W`];
  const pair = () => [facts.money(), facts.money()] as const;
  const rows = [
    ['Share Capital', '2', pair()],
    ['Reserves and Surplus', '3', pair()],
    ['Trade Payables', '4', pair()],
    ['TOTAL', '', pair()],
    ['Trade Receivables', '5', pair()],
    ['Cash and Cash Equivalents', '6', pair()],
  ] as const;
  const keys: Record<string, FieldKey> = {
    'Share Capital': 'share_capital',
    'Reserves and Surplus': 'reserves',
    'Trade Payables': 'trade_payables',
    TOTAL: 'total_assets',
    'Trade Receivables': 'trade_receivables',
    'Cash and Cash Equivalents': 'cash',
  };
  return {
    type: 'balance_sheet',
    head: firm,
    titles: [`Balance Sheet as at 31st March, 2025`, 'BALANCE SHEET AS ON 31.03.2025'],
    fields: [],
    more: {
      html: `<p>CIN: ${cin}</p>${grid(
        ['Particulars', 'Note No.', '31 March 2025', '31 March 2024'],
        rows.map(([name, note, [now, before]]) => [name, note, style.plain(now), style.plain(before)]),
        { numbers: 2, lines: !style.held },
      )}<p>As per our report of even date</p><p>For ${escaped(facts.pick(['Shah & Co.', 'Rao and Associates']))}</p><p>Chartered Accountants</p><p>FRN: ${frn}</p><p>UDIN: ${udin}</p><p>Membership No. 123456</p>`,
      truth: [
        ['name', firm],
        ['cin', cin],
        ['date', '2025-03-31'],
        ['udin', udin],
        ['frn', frn],
        ['mrn', '123456'],
        ...rows.map(([name, , [now]]): [FieldKey, string] => [keys[name]!, String(now)]),
        ['total_assets_before', String(rows[3][2][1])],
      ],
    },
    identifiers: [cin, udin, frn, '123456'],
  };
};
