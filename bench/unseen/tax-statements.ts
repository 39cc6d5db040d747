import { anyFont, grid, page, pairs2 } from './page.ts';
import { Paper } from './paper.ts';
import { individual, limited, tan } from './people.ts';

function form26as(seed: number): Paper {
  const paper = new Paper('form_26as', 'traces', seed);
  const { dice } = paper;
  const party = individual(dice);
  paper.text('pan', party.pan);
  paper.text('name', party.name);
  const year = dice.pick([2023, 2024, 2025]);
  const fy = paper.inYear(year);
  const others = Array.from({ length: dice.int(1, 4) }, () => {
    const payer = limited(dice);
    const paid = dice.paise(30_000, 900_000);
    return { payer, number: tan(dice, payer.name), paid, tax: Math.round(paid / 1000) * 100 };
  });
  const sum = (of: 'paid' | 'tax'): number => others.reduce((total, deductor) => total + deductor[of], 0);
  paper.allow('status', 'address', 'amount_paid', 'tax_deducted', 'tax_deposited', 'tan');
  const day = paper.date('date', `${year + 1}-07-1${dice.int(0, 9)}`, 'd-m-Y');
  const blocks = others.map(
    ({ payer, number, paid, tax }, index) =>
      grid(
        [
          'Sr. No.',
          'Name of Deductor',
          'TAN of Deductor',
          '',
          'Total Amount Paid / Credited',
          'Total Tax Deducted',
          'Total TDS Deposited',
        ],
        [
          [
            index + 1,
            payer.name.toUpperCase(),
            number,
            '',
            paper.m(paid, 'plain'),
            paper.m(tax, 'plain'),
            paper.m(tax, 'plain'),
          ],
        ],
        [4, 5, 6],
      ) +
      grid(
        [
          'Sr. No.',
          'Section',
          'Transaction Date',
          'Status of Booking',
          'Date of Booking',
          'Remarks',
          'Amount Paid / Credited',
          'Tax Deducted',
          'TDS Deposited',
        ],
        [
          [
            1,
            dice.pick(['192', '194J', '194A']),
            paper.d(`${year}-09-30`, 'd-M-Y'),
            'F',
            paper.d(`${year}-11-08`, 'd-M-Y'),
            '-',
            paper.m(paid, 'plain'),
            paper.m(tax, 'plain'),
            paper.m(tax, 'plain'),
          ],
        ],
        [6, 7, 8],
      ),
  );
  if (others.length === 1) {
    paper.fields.set('amount_paid', String(sum('paid')));
    paper.fields.set('tax_deducted', String(sum('tax')));
  }
  paper.html = page(
    `<h2 class="c">Form 26AS</h2><p class="c">Annual Tax Statement under Section 203AA of the Income Tax Act, 1961</p><p class="r">Data updated till ${day}</p>${pairs2(
      [
        ['Permanent Account Number (PAN)', party.pan],
        ['Current Status of PAN', 'Active'],
        ['Financial Year', fy],
        ['Assessment Year', `${year + 1}-${String(year + 2).slice(2)}`],
        ['Name of Assessee', party.name.toUpperCase()],
        ['Address of Assessee', party.address],
      ],
    )}<h3>PART-I - Details of Tax Deducted at Source</h3><p class="r small">(All amount values are in INR)</p>${blocks.join('')}<h3>PART-II-Details of Tax Deducted at Source for 15G / 15H</h3><p>No Transactions Present</p>`,
    anyFont(dice),
    7.5,
  );
  return paper;
}

function ais(kind: 'ais' | 'tis') {
  return (seed: number): Paper => {
    const paper = new Paper(kind, 'portal', seed);
    const { dice } = paper;
    const party = individual(dice);
    const year = dice.pick([2023, 2024, 2025]);
    const fy = paper.inYear(year);
    const last = paper.text('aadhaar', dice.digits(4));
    paper.text('pan', party.pan);
    paper.text('name', party.name);
    const born = paper.date(
      'date_of_birth',
      `19${dice.int(60, 99)}-0${dice.int(1, 9)}-1${dice.int(0, 9)}`,
      'd/m/Y',
    );
    paper.allow('address', 'tan', 'pan');
    const payer = limited(dice);
    const amount = paper.m(dice.rupees(10_000, 900_000), 'whole');
    const general = pairs2([
      ['Permanent Account Number (PAN)', party.pan],
      ['Aadhaar Number', `XXXX XXXX ${last}`],
      ['Name of Assessee', party.name.toUpperCase()],
      ['Date of Birth', born],
      ['Mobile Number', `9${dice.digits(9)}`],
      ['E-mail Address', 'assessee@example.com'],
      ['Address', party.address],
    ]);
    const rows =
      kind === 'ais'
        ? grid(
            [
              'SR. NO.',
              'INFORMATION CODE',
              'INFORMATION DESCRIPTION',
              'INFORMATION SOURCE',
              'COUNT',
              'AMOUNT',
            ],
            [
              [
                1,
                'TDS-192',
                'Salary received (Section 192)',
                `${payer.name.toUpperCase()} (${tan(dice, payer.name)})`,
                12,
                amount,
              ],
              [
                2,
                'SFT-016(SB)',
                'Interest income (SFT-016) - Savings',
                'STATE BANK OF INDIA (AAACS8577K.AZ401)',
                1,
                paper.m(dice.rupees(500, 9_000), 'whole'),
              ],
            ],
            [4, 5],
          )
        : grid(
            ['S. NO.', 'INFORMATION CATEGORY', 'PROCESSED BY SYSTEM', 'ACCEPTED BY TAXPAYER'],
            [
              [1, 'Salary', amount, amount],
              [2, 'Interest from savings bank', '4,112', '4,112'],
            ],
            [2, 3],
          );
    paper.html = page(
      `<h1>${kind === 'ais' ? 'Annual Information Statement (AIS)' : 'Taxpayer Information Summary (TIS)'}</h1><p>Financial Year ${fy} &nbsp;&nbsp; Assessment Year ${year + 1}-${String(year + 2).slice(2)}</p><h3 class="bar">Part A - General Information</h3>${general}<h3 class="bar">${kind === 'ais' ? 'Part B1-Information relating to tax deducted or collected at source' : 'Taxpayer Information Summary'}</h3>${rows}`,
      anyFont(dice),
      8,
    );
    return paper;
  };
}

export const taxStatementLayouts = { form_26as: [form26as], ais: [ais('ais')], tis: [ais('tis')] };
