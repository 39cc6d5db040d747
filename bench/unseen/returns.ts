import { amounts, anyFont, grid, page, pairs, pairs2 } from './page.ts';
import { Paper } from './paper.ts';
import { company, individual, person } from './people.ts';

function itrv(way: 'refund' | 'due') {
  return (seed: number): Paper => {
    const paper = new Paper('itr_v', way, seed);
    const { dice } = paper;
    const party = dice.chance(0.6) ? individual(dice) : company(dice);
    const year = dice.pick([2022, 2023, 2024, 2025]);
    const ay = paper.inYear(year, 'ay');
    const filed = `${year + 1}-07-${dice.int(10, 31)}`;
    const ack = paper.text(
      'acknowledgement_no',
      `${dice.int(1, 9)}${dice.digits(8)}${filed.slice(8)}${filed.slice(5, 7)}${filed.slice(2, 4)}`,
    );
    const income = dice.rupees(400_000, 4_000_000) / 10;
    const total = Math.round(income / 1000) * 1000;
    const tax = dice.rupees(20_000, 400_000);
    const fee = dice.rupees(0, 5_000);
    const paid = way === 'refund' ? tax + fee + dice.rupees(100, 20_000) : tax + fee - dice.rupees(100, 900);
    paper.text('pan', party.pan);
    paper.text('name', party.name);
    const status = paper.text(
      'status',
      party.pan[3] === 'P' ? 'Individual' : party.pan[3] === 'C' ? 'Pvt Company' : 'Firm',
    );
    const form = paper.text('form_name', dice.pick(['ITR-1', 'ITR-2', 'ITR-3', 'ITR-5']));
    const under = paper.text('filed_under', '139(1)');
    const style = dice.pick(['whole', 'indian'] as const);
    const off = paid - tax - fee;
    if (way === 'refund') paper.sum('refund', off);
    else paper.sum('payable', -off);
    paper.allow('address');
    const rows: [string, string, string][] = [
      ['Current Year business loss, if any', '1', paper.sum('current_year_loss', 0, 'whole')],
      ['Total Income', '2', paper.sum('total_income', total, style)],
      ['Book Profit under MAT, where applicable', '3', '0'],
      ['Adjusted Total Income under AMT, where applicable', '4', paper.m(total, style)],
      ['Net tax payable', '5', paper.sum('net_tax_payable', tax, style)],
      ['Interest and Fee Payable', '6', paper.sum('interest_and_fee', fee, style)],
      ['Total tax, interest and Fee payable', '7', paper.sum('total_tax', tax + fee, style)],
      ['Taxes Paid', '8', paper.sum('taxes_paid', paid, style)],
      [
        '(+) Tax Payable /(-) Refundable (7-8)',
        '9',
        way === 'refund' ? `(-) ${paper.m(off, style)}` : `(+) ${paper.m(-off, style)}`,
      ],
    ];
    paper.html = page(
      `<table class="grid"><tr><td class="c"><b>INDIAN INCOME TAX RETURN ACKNOWLEDGEMENT</b><br><span class="small">[Where the data of the Return of Income in Form ITR-1(SAHAJ), ITR-2, ITR-3, ITR-4(SUGAM), ITR-5, ITR-6, ITR-7 filed and verified]<br>(Please see Rule 12 of the Income-tax Rules, 1962)</span></td><td>Assessment Year<br><b>${ay}</b></td></tr></table>${pairs2(
        [
          ['PAN', party.pan],
          ['Name', party.name.toUpperCase()],
          ['Address', party.address],
          ['Status', status],
          ['Form Number', form],
          ['Filed u/s', `${under}-On or before due date`],
          ['e-Filing Acknowledgement Number', ack],
        ],
      )}${grid(['Taxable Income and Tax Details', '', ''], rows, [2])}<p>Income Tax Return electronically transmitted on ${paper.date('date_of_filing', filed, 'd-M-Y')} 11:42:10 from IP address 10.1.1.1 and verified by ${party.name.toUpperCase()} having PAN ${party.pan} on ${paper.d(filed, 'd-M-Y')} using Aadhaar OTP.</p><p class="c b">DO NOT SEND THIS ACKNOWLEDGEMENT TO CPC, BENGALURU</p>`,
      way === 'refund' ? 'arial' : anyFont(dice),
      8.5,
    );
    return paper;
  };
}

function itr(seed: number): Paper {
  const paper = new Paper('itr', 'form', seed);
  const { dice } = paper;
  const party = individual(dice);
  const year = dice.pick([2023, 2024, 2025]);
  const ay = paper.inYear(year, 'ay');
  const [first, last] = party.name.split(' ') as [string, string];
  const form = paper.text('form_name', dice.pick(['ITR-1', 'ITR-4']));
  paper.text('pan', party.pan);
  paper.text('name', party.name);
  const born = paper.date('date_of_birth', `19${dice.int(55, 99)}-11-0${dice.int(1, 9)}`, 'd/m/Y');
  const gross = dice.rupees(400_000, 2_000_000);
  const tax = dice.rupees(5_000, 90_000);
  const paid = tax + dice.rupees(100, 5_000);
  paper.allow(
    'aadhaar',
    'payable',
    'status',
    'filed_under',
    'income_salary',
    'deductions_via',
    'address',
    'tax_on_income',
  );
  paper.html = page(
    `<table class="grid"><tr><td><b>FORM</b><br><h2>${form} ${form === 'ITR-1' ? 'SAHAJ' : 'SUGAM'}</h2></td><td class="c"><b>INDIAN INCOME TAX RETURN</b><br><span class="small">[For individuals being a resident (other than not ordinarily resident) having total income upto Rs.50 lakh]<br>(Refer instructions for eligibility)</span></td><td>Assessment Year<br><b>${ay}</b></td></tr></table><h3 class="bar">PART A GENERAL INFORMATION</h3>${pairs2(
      [
        ['(A1) PAN', party.pan],
        ['(A2) First Name', first.toUpperCase()],
        ['(A4) Last Name', last.toUpperCase()],
        ['Name', party.name.toUpperCase()],
        ['(A5) Date of Birth', born],
        ['(A7) Mobile', `98${dice.digits(8)}`],
      ],
    )}<h3 class="bar">PART B GROSS TOTAL INCOME</h3>${amounts(
      [
        ['B1 Income from Salary', paper.m(gross)],
        ['B4 Gross Total Income', paper.sum('gross_total_income', gross)],
      ],
      'grid',
    )}<h3 class="bar">PART C DEDUCTIONS AND TAXABLE TOTAL INCOME</h3>${amounts(
      [
        ['C1 Total deductions', paper.m(150_000_00)],
        ['C2 Total Income', paper.sum('total_income', gross - 150_000_00)],
      ],
      'grid',
    )}<h3 class="bar">PART D COMPUTATION OF TAX PAYABLE</h3>${amounts(
      [
        ['D11 Total Tax, Fee and Interest', paper.sum('total_tax', tax)],
        ['D12 Total Taxes Paid', paper.sum('taxes_paid', paid)],
        ['D14 Refund', paper.sum('refund', paid - tax)],
      ],
      'grid',
    )}`,
    anyFont(dice),
    8.5,
  );
  return paper;
}

function computation(way: 'statement' | 'columns') {
  return (seed: number): Paper => {
    const paper = new Paper('computation', way, seed);
    const { dice } = paper;
    const party = individual(dice);
    const year = dice.pick([2023, 2024, 2025]);
    const ay = paper.inYear(year, 'ay');
    paper.text('pan', party.pan);
    paper.text('name', party.name);
    const father = paper.text('father_name', `${person(dice).split(' ')[0]} ${party.name.split(' ')[1]}`);
    const born = paper.date('date_of_birth', `19${dice.int(55, 99)}-08-2${dice.int(0, 9)}`);
    const status = paper.text('status', 'Individual');
    const style = dice.pick(['whole', 'indian'] as const);
    const salary = dice.rupees(300_000, 900_000);
    const house = dice.rupees(20_000, 90_000);
    const business = dice.rupees(200_000, 900_000);
    const other = dice.rupees(4_000, 60_000);
    const gross = salary + house + business + other;
    const via = dice.rupees(50_000, 200_000);
    const total = gross - via;
    const tax = Math.round(total / 500_00) * 100_00;
    const cess = tax / 25;
    const tds = Math.round(tax / 300) * 100;
    const advance = Math.round(tax / 400) * 100;
    const due = tax + cess - tds - advance;
    paper.allow(
      'tcs',
      'self_assessment_tax',
      'surcharge',
      'rebate_87a',
      'income_capital_gains',
      'refund',
      'address',
      'date',
    );
    const head: [string, string][] = [
      ['Name of Assessee', party.name.toUpperCase()],
      ["Father's Name", father.toUpperCase()],
      ['Address', party.address],
      ['Status', status],
      ['Assessment Year', ay],
      ['PAN', party.pan],
      ['Date of Birth', born],
      ['Residential Status', 'Resident'],
    ];
    const rows: [string, string][] = [
      ['Income from Salaries', paper.sum('income_salary', salary, style)],
      ['Income from House Property', paper.sum('income_house_property', house, style)],
      ['Profits and Gains of Business or Profession', paper.sum('income_business', business, style)],
      ['Income from Other Sources', paper.sum('income_other_sources', other, style)],
      ['<b>Gross Total Income</b>', paper.sum('gross_total_income', gross, style)],
      ['Less: Deductions under Chapter VI-A', paper.sum('deductions_via', via, style)],
      ['<b>Total Income</b>', paper.sum('total_income', total, style)],
      ['Tax on Total Income', paper.sum('tax_on_income', tax, style)],
      ['Add: Health and Education Cess @ 4%', paper.sum('cess', cess, style)],
      ['Total Tax Liability', paper.sum('total_tax', tax + cess, style)],
      ['Less: TDS / TCS', paper.sum('tds', tds, style)],
      ['Less: Advance Tax', paper.sum('advance_tax', advance, style)],
      ['<b>Balance Tax Payable</b>', paper.sum('payable', due, style)],
    ];
    paper.html = page(
      `<h2 class="c">${way === 'statement' ? 'STATEMENT OF INCOME' : 'Computation of Total Income'}</h2>${way === 'columns' ? pairs2(head, '') : pairs(head)}<hr>${
        way === 'statement'
          ? grid(
              ['Particulars', 'Sch.', 'Rs.'],
              rows.map(([label, value], index) => [label, index + 1, value]),
              [2],
            )
          : amounts(rows)
      }`,
      anyFont(dice),
      9,
    );
    return paper;
  };
}

export const returnLayouts = {
  itr_v: [itrv('refund'), itrv('due')],
  itr: [itr],
  computation: [computation('statement'), computation('columns')],
};
