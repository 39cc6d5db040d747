import { amounts, anyFont, below, grid, page } from './page.ts';
import { Paper } from './paper.ts';
import { company, individual, limited, tan } from './people.ts';

/** Three parts that make `sum`. */
const split = (paper: Paper, sum: number, into: number): number[] => {
  const parts = Array.from({ length: into - 1 }, () =>
    Math.floor((sum / into) * (0.7 + paper.dice.next() * 0.5)),
  );
  return [...parts, sum - parts.reduce((total, part) => total + part, 0)];
};

function form16(way: 'part-a' | 'part-b' | 'both') {
  return (seed: number): Paper => {
    const paper = new Paper('form_16', way, seed);
    const { dice } = paper;
    const employer = limited(dice);
    const employee = individual(dice);
    const year = dice.pick([2023, 2024, 2025]);
    const number = tan(dice, employer.name);
    paper.text('employer_tan', number);
    paper.text('employer_pan', employer.pan);
    paper.text('employee_pan', employee.pan);
    paper.text('employer_name', employer.name);
    paper.text('employee_name', employee.name);
    const ay = paper.inYear(year, 'ay');
    const from = paper.date('period_from', `${year}-04-01`, 'd-M-Y');
    const to = paper.date('period_to', `${year + 1}-03-31`, 'd-M-Y');
    const certificate = paper.text('certificate_no', dice.letters(7));
    const updated = paper.date('last_updated', `${year + 1}-06-0${dice.int(1, 9)}`, 'd-M-Y');
    const salary = dice.rupees(600_000, 2_800_000);
    const tax = dice.rupees(40_000, 400_000);
    const paid = split(paper, salary, 4);
    const cut = split(paper, tax, 4);
    const title = `<h2 class="c">FORM NO. 16</h2>`;
    const base = below([
      ['PAN of the Deductor', employer.pan],
      ['TAN of the Deductor', number],
      ['PAN of the Employee', employee.pan],
      ['Employee Reference No. provided by the Employer (If available)', ''],
    ]);
    let html = title;
    if (way !== 'part-b') {
      const total = [
        'Total (Rs.)',
        '',
        paper.sum('amount_paid', salary, 'plain'),
        paper.sum('tax_deducted', tax, 'plain'),
        paper.sum('tax_deposited', tax, 'plain'),
      ];
      const rows = paid.map((sum, index) => [
        `Q${index + 1}`,
        `QV${dice.letters(6)}`,
        paper.m(sum, 'plain'),
        paper.m(cut[index]!, 'plain'),
        paper.m(cut[index]!, 'plain'),
      ]);
      html += `<p class="c">[See rule 31(1)(a)]</p><h3 class="c">PART A</h3><p class="c">Certificate under Section 203 of the Income-tax Act, 1961 for tax deducted at source on salary paid to an employee under section 192 or pension/interest income of specified senior citizen under section 194P</p>
${below([
  ['Certificate No.', certificate],
  ['Last updated on', updated],
])}<table class="grid"><tr><th>Name and address of the Employer/Specified Bank</th><th>Name and address of the Employee/Specified senior citizen</th></tr><tr><td>${employer.name.toUpperCase()}<br>${employer.address}</td><td>${employee.name.toUpperCase()}<br>${employee.address}</td></tr></table>${base}
<table class="grid"><tr><th>CIT (TDS)</th><th>Assessment Year</th><th colspan="2">Period with the Employer</th></tr><tr><td rowspan="2">The Commissioner of Income Tax (TDS), ${employer.state[3]}</td><td rowspan="2">${ay}</td><th>From</th><th>To</th></tr><tr><td>${from}</td><td>${to}</td></tr></table>
<h3 class="c">Summary of amount paid/credited and tax deducted at source thereon in respect of the employee</h3>${grid(['Quarter(s)', 'Receipt Numbers of original quarterly statements of TDS under sub-section (3) of section 200', 'Amount paid/credited', 'Amount of tax deducted (Rs.)', 'Amount of tax deposited/remitted (Rs.)'], [...rows, total], [2, 3, 4])}`;
    }
    if (way !== 'part-a') {
      if (way === 'part-b') paper.allow('certificate_no', 'last_updated');
      const standard = 50_000_00;
      const pt = 2_400_00;
      const other = dice.rupees(0, 40_000);
      const c80 = 150_000_00;
      const d80 = dice.rupees(5_000, 25_000);
      const income = salary - standard - pt;
      const gross = income + other;
      const net = gross - c80 - d80;
      const before = Math.round(((tax / 104) * 100) / 100) * 100;
      const head =
        way === 'part-b'
          ? `<h3 class="c">PART B (Annexure-I)</h3>${below([
              ['Certificate No.', certificate],
              ['Last updated on', updated],
            ])}<table class="grid"><tr><td>Name and address of the Employer<br>${employer.name.toUpperCase()}<br>${employer.address}</td><td>Name and designation of the Employee<br>${employee.name.toUpperCase()}<br>${employee.address}</td></tr></table>${base}${below(
              [
                ['Assessment Year', ay],
                ['Period From', from],
                ['To', to],
              ],
            )}`
          : '<h3 class="c" style="break-before:page">PART B (Annexure)</h3>';
      html += `${head}<h3>Details of Salary Paid and any other income and tax deducted</h3>${amounts(
        [
          [
            '1. (a) Salary as per provisions contained in section 17(1)',
            paper.sum('salary_17_1', salary, 'plain'),
          ],
          ['(b) Value of perquisites under section 17(2)', paper.sum('perquisites_17_2', 0, 'plain')],
          ['(c) Profits in lieu of salary under section 17(3)', paper.sum('profits_17_3', 0, 'plain')],
          ['(d) Total', paper.sum('gross_salary', salary, 'plain')],
          [
            '2. Less: Allowances to the extent exempt under section 10',
            paper.sum('exempt_allowances', 0, 'plain'),
          ],
          [
            '4. (a) Standard deduction under section 16(ia)',
            paper.sum('standard_deduction', standard, 'plain'),
          ],
          ['(c) Tax on employment under section 16(iii)', paper.sum('professional_tax', pt, 'plain')],
          [
            '6. Income chargeable under the head "Salaries" [(3+1(e)-5]',
            paper.sum('income_salary', income, 'plain'),
          ],
          [
            '7. (b) Income under the head Other Sources offered for TDS',
            paper.sum('income_other_sources', other, 'plain'),
          ],
          ['9. Gross total income (6+8)', paper.sum('gross_total_income', gross, 'plain')],
          [
            '10. (a) Deduction in respect of life insurance premia, contributions to provident fund etc. under section 80C',
            paper.sum('deduction_80c', c80, 'plain'),
          ],
          [
            '(g) Deduction in respect of health insurance premia under section 80D',
            paper.sum('deduction_80d', d80, 'plain'),
          ],
          [
            '11. Aggregate of deductible amount under Chapter VI-A',
            paper.sum('deductions_via', c80 + d80, 'plain'),
          ],
          ['12. Total taxable income (9-11)', paper.sum('total_income', net, 'plain')],
          ['13. Tax on total income', paper.sum('tax_on_income', before, 'plain')],
          ['14. Rebate under section 87A, if applicable', paper.sum('rebate_87a', 0, 'plain')],
          ['15. Surcharge, wherever applicable', paper.sum('surcharge', 0, 'plain')],
          ['16. Health and education cess', paper.sum('cess', tax - before, 'plain')],
          ['17. Tax payable (13+15+16-14)', paper.sum('tax_payable', tax, 'plain')],
          ['18. Less: Relief under section 89 (attach details)', paper.sum('relief_89', 0, 'plain')],
          ['19. Net tax payable (17-18)', paper.sum('net_tax_payable', tax, 'plain')],
        ],
        way === 'part-b' ? 'grid' : 'lines',
      )}<p>Whether opting out of taxation u/s 115BAC(1A)? Yes</p>`;
      paper.allow('opted_out_115bac', 'amount_paid', 'tax_deducted', 'tax_deposited');
    }
    paper.html = page(html, way === 'part-b' ? anyFont(dice) : 'arial', 8.5);
    return paper;
  };
}

function form16a(way: 'traces' | 'new') {
  return (seed: number): Paper => {
    const paper = new Paper('form_16a', way, seed);
    const { dice } = paper;
    const deductor = limited(dice);
    const deductee = dice.chance(0.5) ? individual(dice) : company(dice);
    const year = way === 'new' ? 2026 : dice.pick([2024, 2025]);
    const quarter = dice.int(1, 3);
    const ay = paper.inYear(year, 'ay');
    paper.period = `${year}-${String(year + 1).slice(2)} Q${quarter}`;
    paper.allow('period', 'bsr');
    const month = ['', '04', '07', '10'][quarter]!;
    const from = paper.date('period_from', `${year}-${month}-01`, 'd-M-Y');
    const to = paper.date('period_to', `${year}-${['', '06-30', '09-30', '12-31'][quarter]}`, 'd-M-Y');
    const number = paper.text('deductor_tan', tan(dice, deductor.name));
    paper.text('deductor_pan', deductor.pan);
    paper.text('deductee_pan', deductee.pan);
    paper.text('deductor_name', deductor.name);
    paper.text('deductee_name', deductee.name);
    const section = paper.text('section', dice.pick(['194J', '194C', '194A', '194I']));
    const paid = dice.rupees(40_000, 900_000);
    const tax = Math.round(paid / 1000) * 100;
    const parties = `<table class="grid"><tr><th>Name and address of the deductor</th><th>Name and address of the deductee</th></tr><tr><td>${deductor.name.toUpperCase()}<br>${deductor.address}</td><td>${deductee.name.toUpperCase()}<br>${deductee.address}</td></tr></table>`;
    const head = below([
      ['Certificate No.', paper.text('certificate_no', dice.letters(7))],
      [
        'Last updated on',
        paper.date(
          'last_updated',
          `${year}-${String(Number(month) + 3)
            .padStart(2, '0')
            .replace('13', '12')}-2${dice.int(0, 8)}`,
          'd-M-Y',
        ),
      ],
    ]);
    const ids = below([
      ['PAN of the deductor', deductor.pan],
      ['TAN of the deductor', number],
      ['PAN of the deductee', deductee.pan],
    ]);
    const time =
      way === 'new'
        ? below([
            ['Tax Year', `${year}-${String(year + 1).slice(2)}`],
            ['Period From', from],
            ['Period To', to],
          ])
        : `<table class="grid"><tr><th>CIT (TDS)</th><th>Assessment Year</th><th colspan="2">Period</th></tr><tr><td rowspan="2">The Commissioner of Income Tax (TDS), Room 41</td><td rowspan="2">${ay}</td><th>From</th><th>To</th></tr><tr><td>${from}</td><td>${to}</td></tr></table>`;
    const day = paper.d(`${year}-${month}-15`, 'd-m-Y');
    const amount = paper.sum('amount_paid', paid, 'plain');
    const cut = paper.sum('tax_deducted', tax, 'plain');
    const taxDeposited = paper.sum('tax_deposited', tax, 'plain');
    paper.html = page(
      `<h2 class="c">FORM NO. ${way === 'new' ? '131' : '16A'}</h2><p class="c">${way === 'new' ? '[See rule 220]' : '[See rule 31(1)(b)]'}</p><p class="c">Certificate ${way === 'new' ? 'under section 395 of the Income-tax Act, 2025' : 'under section 203 of the Income-tax Act, 1961'} for tax deducted at source</p>${head}${parties}${ids}${time}
<h3 class="c">Summary of payment</h3>${grid(
        [
          'Sl. No.',
          'Amount paid/credited',
          'Nature of payment**',
          'Deductee Reference No.',
          'Date of payment/credit',
        ],
        [
          ['1', amount, section, '', day],
          ['Total (Rs.)', amount, '', '', ''],
        ],
        [1],
      )}
<h3 class="c">Summary of tax deducted at source in respect of deductee</h3>${grid(['Quarter', 'Receipt Numbers of original quarterly statements of TDS', 'Amount of tax deducted in respect of Deductee', 'Amount of tax deposited/remitted in respect of Deductee'], [[`Q${quarter}`, `QV${dice.letters(6)}`, cut, taxDeposited]], [2, 3])}
<h3 class="c">DETAILS OF TAX DEDUCTED AND DEPOSITED WITH CENTRAL GOVERNMENT ACCOUNT THROUGH CHALLAN</h3>${grid(
        [
          'Sl. No.',
          'Tax deposited in respect of the deductee (Rs.)',
          'BSR Code of the Bank Branch',
          'Date on which tax deposited (dd/mm/yyyy)',
          'Challan Serial Number',
          'Status of matching with OLTAS',
        ],
        [
          ['1', taxDeposited, dice.digits(7), paper.d(`${year}-${month}-28`, 'd-m-Y'), dice.digits(5), 'F'],
          ['Total (Rs.)', taxDeposited, '', '', '', ''],
        ],
        [1],
      )}`,
      way === 'new' ? anyFont(dice) : 'times',
      8,
    );
    return paper;
  };
}

export const tdsLayouts = {
  form_16: [form16('part-a'), form16('part-b'), form16('both')],
  form_16a: [form16a('traces'), form16a('new')],
};
