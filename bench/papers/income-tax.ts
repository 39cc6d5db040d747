import type { FieldKey } from '#server/recognition/contract.ts';
import type { Maker, Printed, Style } from './paper.ts';
import { grid } from './paper.ts';

/** An amount; labels behind `|` stand only on held-out papers, `;` parts those that mean the same. */
export const money = (style: Style, key: FieldKey, labels: string, paise: number): Printed => [
  key,
  labels,
  style.amount(paise),
  String(paise),
];
export const date = (style: Style, key: FieldKey, labels: string, day: string): Printed => [
  key,
  labels,
  style.date(day),
  day,
];
export const text = (key: FieldKey, labels: string, value: string): Printed => [key, labels, value, value];
export const years = (start: number): string => `${start}-${String(start + 1).slice(2)}`;
export const inYear = (key: 'year', labels: string, start: number, shift = 0): Printed => [
  key,
  labels,
  years(start + shift),
  `FY ${years(start)}`,
];

export const form16: Maker = (facts, style) => {
  const year = facts.int(2022, 2025);
  const quarters = [1, 2, 3, 4].map((quarter) => ({
    quarter,
    paid: facts.money(),
    deducted: facts.money(90_000),
  }));
  const [paid, deducted] = [
    quarters.reduce((sum, quarter) => sum + quarter.paid, 0),
    quarters.reduce((sum, quarter) => sum + quarter.deducted, 0),
  ];
  const rows = quarters.map((quarter) => [
    `Q${quarter.quarter}`,
    `QR${facts.letters(6)}`,
    style.plain(quarter.paid),
    style.plain(quarter.deducted),
    style.plain(quarter.deducted),
  ]);
  const standard = facts.pick([50_000_00, 75_000_00]);
  const part = (label: string, other: string, value: number) => [
    style.held ? other : label,
    style.plain(value),
  ];
  const [salary, gross, income] = [facts.money(), facts.money(), facts.money()];
  const net = facts.money(90_000);
  return {
    type: 'form_16',
    titles: ['FORM NO. 16', 'Form 16', 'FORM No.130'],
    sub: '[See rule 31(1)(a)] PART A Certificate under section 203 of the Income-tax Act, 1961 for tax deducted at source on salary',
    fields: [
      text('employer_name', 'Name of the Employer;Employer Name|Name of the Deductor', facts.firm()),
      text('employee_name', 'Name of the Employee;Employee Name|Name of Employee', facts.person()),
      text('employer_pan', 'PAN of the Deductor;PAN of Deductor|PAN of the Employer', facts.pan('C')),
      text('employer_tan', 'TAN of the Deductor;TAN of Deductor|TAN of Employer', facts.tan()),
      text('employee_pan', 'PAN of the Employee|PAN of Employee', facts.pan('P')),
      inYear('year', 'Assessment Year|A.Y.', year, 1),
      date(style, 'last_updated', 'Last updated on', facts.day()),
    ],
    more: {
      html:
        grid(
          [
            'Quarter(s)',
            'Receipt Numbers',
            style.held ? 'Amount paid / credited (Rs.)' : 'Amount paid/credited',
            style.held ? 'Tax deducted (Rs.)' : 'Amount of tax deducted',
            style.held ? 'Tax deposited (Rs.)' : 'Amount of tax deposited/remitted',
          ],
          [...rows, ['Total (Rs.)', '', style.plain(paid), style.plain(deducted), style.plain(deducted)]],
          { numbers: 3, lines: !style.held },
        ) +
        `<h1>PART B (Annexure)</h1>` +
        grid(
          ['Details of Salary Paid and any other income and tax deducted', 'Rs.'],
          [
            part(
              '1(a) Salary as per provisions contained in section 17(1)',
              '(a) Salary under section 17(1)',
              salary,
            ),
            part('(d) Gross Salary', 'Gross salary', gross),
            part('4(a) Standard deduction under section 16(ia)', 'Standard deduction u/s 16(ia)', standard),
            part('(c) Tax on employment under section 16(iii)', 'Professional tax u/s 16(iii)', 250_000),
            part('6. Income chargeable under the head "Salaries"', 'Income under the head Salaries', income),
            part('9. Gross total income (6+8)', 'Gross total income', income),
            part('12. Total taxable income (9-11)', 'Taxable income', income),
            part('13. Tax on total income', 'Tax on total income', net),
            part('16. Health and education cess', 'Health & education cess @ 4%', Math.round(net / 25)),
            part('19. Net tax payable (17-18)', 'Net tax payable', net),
          ],
          { numbers: 1 },
        ),
      truth: [
        ['amount_paid', String(paid)],
        ['tax_deducted', String(deducted)],
        ['tax_deposited', String(deducted)],
        ['salary_17_1', String(salary)],
        ['gross_salary', String(gross)],
        ['standard_deduction', String(standard)],
        ['professional_tax', '250000'],
        ['income_salary', String(income)],
        ['gross_total_income', String(income)],
        ['total_income', String(income)],
        ['tax_on_income', String(net)],
        ['cess', String(Math.round(net / 25))],
        ['net_tax_payable', String(net)],
      ],
    },
  };
};

export const form16a: Maker = (facts, style) => ({
  type: 'form_16a',
  titles: ['FORM NO. 16A', 'Form 16A', 'FORM NO. 131'],
  sub: '[See rule 31(1)(b)] Certificate under section 203 of the Income-tax Act, 1961 for tax deducted at source',
  fields: [
    text('deductor_name', 'Name of the Deductor;Deductor Name|Name of Deductor', facts.firm()),
    text('deductee_name', 'Name of the Deductee;Deductee Name|Name of the Payee', facts.firm()),
    text('deductor_pan', 'PAN of the Deductor|Deductor PAN', facts.pan('C')),
    text('deductor_tan', 'TAN of the Deductor|Deductor TAN', facts.tan()),
    text('deductee_pan', 'PAN of the Deductee|Deductee PAN', facts.pan()),
    inYear('year', 'Assessment Year|Assessment year', facts.int(2022, 2025), 1),
    text('section', 'Section|Section Code', facts.pick(['194C', '194J', '194A', '194H'])),
    money(style, 'amount_paid', 'Amount paid/credited|Total amount paid', facts.money()),
    money(style, 'tax_deducted', 'Amount of tax deducted|Tax deducted', facts.money(90_000)),
    money(style, 'tax_deposited', 'Amount of tax deposited|Tax deposited', facts.money(90_000)),
  ],
});

export const itrV: Maker = (facts, style) => {
  const filed = facts.day(2025);
  return {
    type: 'itr_v',
    titles: ['INDIAN INCOME TAX RETURN ACKNOWLEDGEMENT', 'ITR-V INDIAN INCOME TAX RETURN VERIFICATION FORM'],
    sub: 'Where the data of the Return of Income in Form ITR-1, ITR-2 filed and verified electronically',
    fields: [
      text('pan', 'PAN|Permanent Account Number', facts.pan('P')),
      text('name', 'Name|Name of assessee', facts.person()),
      inYear('year', 'Assessment Year|AY', 2024, 1),
      text('form_name', 'Form Number|Form No.', facts.pick(['ITR-1', 'ITR-3', 'ITR-4'])),
      text('filed_under', 'Filed u/s|Filed under section', facts.pick(['139(1)', '139(4)', '139(5)'])),
      text('acknowledgement_no', 'e-Filing Acknowledgement Number|Acknowledgement No.', facts.digits(15)),
      date(style, 'date_of_filing', 'Date of filing|Filed on', filed),
      money(style, 'total_income', 'Total Income|Total income', facts.money()),
      money(style, 'net_tax_payable', 'Net tax payable', facts.money(90_000)),
      money(style, 'interest_and_fee', 'Interest and Fee Payable', facts.money(9_000)),
      money(
        style,
        'total_tax',
        'Total tax, interest and Fee payable|Total tax and interest payable',
        facts.money(90_000),
      ),
      money(style, 'taxes_paid', 'Taxes Paid|Total taxes paid', facts.money(90_000)),
      money(style, 'refund', '(-) Refundable|Refund due', facts.money(9_000)),
    ],
  };
};

export const computation: Maker = (facts, style) => ({
  type: 'computation',
  titles: ['Computation of Total Income', 'STATEMENT OF TOTAL INCOME'],
  fields: [
    text('name', 'Name of Assessee|Assessee', facts.person()),
    text('father_name', "Father's Name", facts.person()),
    text('pan', 'PAN', facts.pan('P')),
    date(style, 'date_of_birth', 'Date of Birth|DOB', facts.day(1975)),
    inYear('year', 'Assessment Year|A.Y.', facts.int(2022, 2025), 1),
    money(style, 'income_salary', 'Income from Salary|Salary Income', facts.money()),
    money(style, 'income_house_property', 'Income from House Property|House Property', facts.money()),
    money(style, 'income_business', 'Income from Business or Profession|Business Income', facts.money()),
    money(style, 'income_other_sources', 'Income from Other Sources', facts.money()),
    money(style, 'gross_total_income', 'Gross Total Income', facts.money()),
    money(
      style,
      'deductions_via',
      'Less: Deductions under Chapter VI-A|Deductions u/s Chapter VI-A',
      facts.money(),
    ),
    money(style, 'total_income', 'Total Income|Net Taxable Income', facts.money()),
    money(style, 'tax_on_income', 'Tax on Total Income|Tax on total income', facts.money()),
    money(style, 'tds', 'TDS|Tax Deducted at Source', facts.money()),
    money(style, 'advance_tax', 'Advance Tax|Advance Tax Paid', facts.money()),
    money(style, 'refund', 'Refund Due|Refundable', facts.money()),
  ],
});

export const form26as: Maker = (facts, style) => {
  const [year, deductors] = [facts.int(2022, 2025), facts.int(1, 4)];
  const tans = Array.from({ length: deductors }, () => facts.tan());
  const totals = [0, 0];
  const blocks = tans.map((tan, position) => {
    const details = Array.from(
      { length: facts.int(1, 5) },
      () => [facts.money(), facts.money(90_000)] as const,
    );
    const [paid, tax] = [0, 1].map((index) => details.reduce((sum, detail) => sum + detail[index]!, 0));
    totals[0]! += paid!;
    totals[1]! += tax!;
    return (
      grid(
        [
          'Sr. No.',
          'Name of Deductor',
          'TAN of Deductor',
          style.held ? 'Total Amount Paid / Credited' : 'Total Amount Paid/Credited',
          'Total Tax Deducted',
          'Total TDS Deposited',
        ],
        [
          [
            String(position + 1),
            facts.firm().toUpperCase(),
            tan,
            style.plain(paid!),
            style.plain(tax!),
            style.plain(tax!),
          ],
        ],
        { numbers: 3 },
      ) +
      grid(
        [
          'Sr. No.',
          'Section',
          'Transaction Date',
          'Status of Booking',
          'Date of Booking',
          'Remarks',
          'Amount Paid/Credited',
          'Tax Deducted',
          'TDS Deposited',
        ],
        details.map(([a, b], row) => [
          String(row + 1),
          facts.pick(['194C', '194J', '194A', '192']),
          '15-Sep-2024',
          'F',
          '20-Oct-2024',
          '-',
          style.plain(a),
          style.plain(b),
          style.plain(b),
        ]),
        { numbers: 3 },
      )
    );
  });
  return {
    type: 'form_26as',
    titles: ['Form 26AS', 'Form 26AS Annual Tax Statement', 'Annual Tax Statement'],
    sub: 'Annual Tax Statement under Section 203AA of the Income Tax Act, 1961. PART-I - Details of Tax Deducted at Source. Data from TRACES',
    fields: [
      text('pan', 'Permanent Account Number (PAN)|PAN', facts.pan()),
      text('status', 'Current Status of PAN', 'Active'),
      inYear('year', 'Financial Year', year),
      text('name', 'Name of Assessee', facts.firm()),
    ],
    more: {
      html: blocks.join(''),
      truth: [
        ['amount_paid', String(totals[0])],
        ['tax_deducted', String(totals[1])],
        ['tax_deposited', String(totals[1])],
      ],
    },
    identifiers: tans,
  };
};

export const ais: Maker = (facts, style) => {
  const [tan, isAis] = [facts.tan(), facts.chance(0.6)];
  return {
    type: isAis ? 'ais' : 'tis',
    titles: isAis ? ['Annual Information Statement (AIS)'] : ['Taxpayer Information Summary (TIS)'],
    sub: isAis ? 'Part A - General Information' : 'Summary of the information category wise',
    fields: [
      inYear('year', 'Financial Year|F.Y.', facts.int(2022, 2025)),
      text('pan', 'Permanent Account Number (PAN)|PAN', facts.pan('P')),
      ['aadhaar', 'Aadhaar Number', 'XXXX XXXX 0123', '0123'],
      text('name', 'Name of Assessee', facts.person()),
      date(style, 'date_of_birth', 'Date of Birth|DOB', facts.day(1980)),
    ],
    more: {
      html: isAis
        ? `<p>Part B1-Information relating to tax deducted or collected at source</p>${grid(['SR. NO.', 'INFORMATION CODE', 'INFORMATION DESCRIPTION', 'INFORMATION SOURCE', 'COUNT', 'AMOUNT'], [['1', 'TDS-192', 'Salary received (Section 192)', `${facts.firm().toUpperCase()} (${tan})`, '12', style.plain(facts.money())]], { numbers: 2 })}`
        : grid(
            ['S. No.', 'INFORMATION CATEGORY', 'PROCESSED BY SYSTEM', 'ACCEPTED BY TAXPAYER'],
            [['1', 'Salary', style.plain(facts.money()), style.plain(facts.money())]],
            { numbers: 2 },
          ),
      truth: [],
    },
    identifiers: isAis ? [tan] : [],
  };
};
