import { anyFont, grid, page, pairs, pairs2 } from './page.ts';
import { Paper, monthName } from './paper.ts';
import type { Party } from './people.ts';
import { arn, company } from './people.ts';

interface Return {
  party: Party;
  year: number;
  month: string;
  number: string;
  filed: string;
}

/** Who files what for which month. */
function filed(paper: Paper, isComplete = false): Return {
  const { dice } = paper;
  const party = company(dice);
  const year = dice.pick([2023, 2024, 2025]);
  const monthNumber = dice.int(4, 12);
  const month = `${year}-${String(monthNumber).padStart(2, '0')}`;
  paper.text('gstin', party.gstin);
  paper.text('legal_name', party.name);
  paper.inYear(year);
  if (!isComplete) {
    paper.period = month;
    paper.fields.set('period', month);
  } else paper.allow('period');
  const day = `${monthNumber === 12 ? year + 1 : year}-${String(monthNumber === 12 ? 1 : monthNumber + 1).padStart(2, '0')}-${dice.int(10, 24)}`;
  const number = paper.text('arn', arn(dice, party.state[0], `${month.slice(5)}${String(year).slice(2)}`));
  return { party, year, month, number, filed: day };
}

const fy = (year: number): string => `${year}-${String(year + 1).slice(2)}`;

function gstr3b(way: 'portal' | 'software') {
  return (seed: number): Paper => {
    const paper = new Paper('gstr_3b', way, seed);
    const { dice } = paper;
    const of = filed(paper);
    const trade = paper.text('trade_name', `${of.party.name.split(' ')[0]} Traders`);
    const outward = dice.paise(100_000, 9_000_000);
    const igst = dice.paise(0, 200_000);
    const half = dice.paise(1_000, 300_000);
    const itc = dice.paise(1_000, 150_000);
    const itcHalf = dice.paise(1_000, 150_000);
    const day = paper.date('arn_date', of.filed, way === 'portal' ? 'd/m/Y' : paper.day);
    const exempt = dice.paise(0, 30_000);
    paper.allow('zero_rated', 'inward_reverse_charge', 'non_gst', 'outward_cess', 'itc_cess', 'itc_reversed');
    const head: [string, string][] = [
      ['GSTIN of the supplier', of.party.gstin],
      ['Legal name of the registered person', of.party.name],
      ['Trade name, if any', trade],
      ['ARN', of.number],
      ['Date of ARN', day],
    ];
    const nil = paper.m(0);
    const first = [
      [
        '(a) Outward taxable supplies (other than zero rated, nil rated and exempted)',
        paper.sum('outward_taxable', outward),
        paper.sum('outward_igst', igst),
        paper.sum('outward_cgst', half),
        paper.sum('outward_sgst', half),
        nil,
      ],
      ['(b) Outward taxable supplies (zero rated)', nil, nil, '-', '-', nil],
      [
        '(c) Other outward supplies (nil rated, exempted)',
        paper.sum('exempt_supplies', exempt),
        '-',
        '-',
        '-',
        '-',
      ],
      ['(d) Inward supplies (liable to reverse charge)', nil, nil, nil, nil, nil],
      ['(e) Non-GST outward supplies', nil, '-', '-', '-', '-'],
    ];
    const itcs = [
      ['A. ITC Available (whether in full or part)', '', '', '', ''],
      ['(5) All other ITC', paper.m(itc), paper.m(itcHalf), paper.m(itcHalf), nil],
      ['B. ITC Reversed', '', '', '', ''],
      ['(2) Others', nil, nil, nil, nil],
      [
        'C. Net ITC available (A-B)',
        paper.sum('itc_igst', itc),
        paper.sum('itc_cgst', itcHalf),
        paper.sum('itc_sgst', itcHalf),
        nil,
      ],
    ];
    const right = [1, 2, 3, 4, 5];
    const tables = `<h3>3.1 Details of Outward supplies and inward supplies liable to reverse charge</h3>${grid(['Nature of Supplies', 'Total taxable value', 'Integrated tax', 'Central tax', 'State/UT tax', 'Cess'], first, right)}<h3>4. Eligible ITC</h3>${grid(['Details', 'Integrated tax', 'Central tax', 'State/UT tax', 'Cess'], itcs, right)}<h3>6.1 Payment of tax</h3>${grid(
      ['Description', 'Total tax payable', 'Tax paid in cash'],
      [
        ['Integrated tax', paper.m(igst), nil],
        ['Central tax', paper.m(half), paper.m(half)],
      ],
      [1, 2],
    )}`;
    paper.html = page(
      way === 'portal'
        ? `<h2 class="c">Form GSTR-3B</h2><p class="c">[See rule 61(5)]</p><div class="two"><div></div>${pairs(
            [
              ['Year', fy(of.year)],
              ['Period', monthName(of.month)],
            ],
            '',
            'grid',
          )}</div>${pairs(
            head.map(([label, value], index) => [`${index + 1}. ${label}`, value]),
            '',
            'grid',
          )}${tables}`
        : `<h1>${of.party.name}</h1><p>GSTR-3B - Monthly Return &nbsp; Financial Year ${fy(of.year)} &nbsp; Tax Period ${monthName(of.month)} ${of.month.slice(0, 4)}</p>${pairs2(head)}${tables}`,
      way === 'portal' ? 'arial' : anyFont(dice),
      way === 'portal' ? 8 : 7.5,
    );
    return paper;
  };
}

function gstr1(seed: number): Paper {
  const paper = new Paper('gstr_1', 'portal', seed);
  const { dice } = paper;
  const of = filed(paper);
  const trade = paper.text('trade_name', `${of.party.name.split(' ')[0]} Agencies`);
  const taxable = dice.paise(100_000, 4_000_000);
  const igst = dice.paise(100, 90_000);
  const half = dice.paise(100, 90_000);
  paper.allow('turnover', 'gst_cess');
  const nil = paper.m(0);
  paper.html = page(
    `<h2 class="c">FORM GSTR-1</h2><p class="c">[See rule 59(1)]<br>Details of outward supplies of goods or services</p>${pairs2(
      [
        ['Financial year', fy(of.year)],
        ['Tax period', monthName(of.month)],
      ],
    )}${pairs(
      [
        ['1. GSTIN', of.party.gstin],
        ['2(a). Legal name of the registered person', of.party.name],
        ['2(b). Trade name, if any', trade],
        ['2(c). ARN', of.number],
        ['2(d). ARN date', paper.date('arn_date', of.filed)],
      ],
      '',
      'grid',
    )}
${grid(
  [
    'Description',
    'No. of records',
    'Document Type',
    'Value (₹)',
    'Integrated Tax (₹)',
    'Central Tax (₹)',
    'State/UT Tax (₹)',
    'Cess (₹)',
  ],
  [
    [
      '4A - Taxable outward supplies made to registered persons (B2B Regular) - Total',
      '12',
      'Invoice',
      paper.m(taxable),
      paper.m(igst),
      paper.m(half),
      paper.m(half),
      nil,
    ],
    ['9B - Credit/Debit Notes (Registered) - Total', '0', 'Note', nil, nil, nil, nil, nil],
    [
      'Total Liability (Outward supplies other than Reverse charge)',
      '',
      '',
      paper.sum('taxable_value', taxable),
      paper.sum('igst', igst),
      paper.sum('cgst', half),
      paper.sum('sgst', half),
      nil,
    ],
  ],
  [1, 3, 4, 5, 6, 7],
)}`,
    anyFont(dice),
    7.5,
  );
  return paper;
}

function gstr2b(seed: number): Paper {
  const paper = new Paper('gstr_2b', 'portal', seed);
  const { dice } = paper;
  const of = filed(paper);
  paper.fields.delete('arn');
  paper.text('trade_name', of.party.name);
  const igst = dice.paise(100, 90_000);
  const half = dice.paise(100, 90_000);
  paper.allow('itc_cess', 'itc_unavailable_igst', 'itc_unavailable_cgst', 'itc_unavailable_sgst');
  const nil = paper.m(0);
  paper.html = page(
    `<h2 class="c">FORM GSTR-2B</h2><p class="c">[See rule 60(7)]<br>Auto-drafted ITC Statement</p>${pairs(
      [
        ['Financial Year', fy(of.year)],
        ['Return Period', monthName(of.month)],
        ['GSTIN', of.party.gstin],
        ['Legal Name', of.party.name],
        ['Trade Name (if any)', of.party.name],
        ['Date of generation', paper.date('date', of.filed)],
      ],
      '',
      'grid',
    )}
<h3>3. ITC Available Summary</h3>${grid(
      [
        'S.no.',
        'Heading',
        'GSTR-3B table',
        'Integrated Tax (₹)',
        'Central Tax (₹)',
        'State/UT Tax (₹)',
        'Cess (₹)',
      ],
      [
        [
          'Part A',
          'ITC Available - Credit may be claimed in relevant headings in GSTR-3B',
          '',
          '',
          '',
          '',
          '',
        ],
        [
          'I',
          'All other ITC - Supplies from registered persons other than reverse charge',
          '4(A)(5)',
          paper.sum('itc_igst', igst),
          paper.sum('itc_cgst', half),
          paper.sum('itc_sgst', half),
          nil,
        ],
        ['II', 'Inward Supplies from ISD', '4(A)(4)', nil, nil, nil, nil],
      ],
      [3, 4, 5, 6],
    )}<h3>4. ITC Not Available Summary</h3>${grid(['S.no.', 'Heading', 'Integrated Tax (₹)', 'Central Tax (₹)', 'State/UT Tax (₹)', 'Cess (₹)'], [['I', 'All other ITC', nil, nil, nil, nil]], [2, 3, 4, 5])}`,
    anyFont(dice),
    8,
  );
  return paper;
}

function gstr9(seed: number): Paper {
  const paper = new Paper('gstr_9', 'portal', seed);
  const { dice } = paper;
  const of = filed(paper, true);
  paper.text('trade_name', of.party.name.split(' ')[0]!);
  const taxable = dice.paise(1_000_000, 90_000_000);
  const igst = dice.paise(100, 900_000);
  const half = dice.paise(100, 900_000);
  paper.allow('gst_cess', 'turnover', 'taxable_value', 'igst', 'cgst', 'sgst');
  const turnover = taxable + 5_000_00;
  paper.sum('turnover', turnover);
  paper.html = page(
    `<h2 class="c">FORM GSTR-9</h2><p class="c">[See rule 80]<br>Annual Return</p>${pairs(
      [
        ['1. Financial Year', fy(of.year)],
        ['2. GSTIN', of.party.gstin],
        ['3A. Legal Name', of.party.name],
        ['3B. Trade Name (if any)', of.party.name.split(' ')[0]!],
        ['ARN', of.number],
        ['Date of ARN', paper.date('arn_date', `${of.year + 1}-12-2${dice.int(0, 9)}`)],
      ],
      '',
      'grid',
    )}
<h3>Pt. II Details of Outward and inward supplies made during the financial year</h3>${grid(
      [
        'Sr.No',
        'Nature of Supplies',
        'Taxable Value (₹)',
        'Central Tax (₹)',
        'State Tax / UT Tax (₹)',
        'Integrated Tax (₹)',
        'Cess (₹)',
      ],
      [
        [
          '4N',
          'Supplies and advances on which tax is to be paid (H + M) above',
          paper.m(taxable),
          paper.m(half),
          paper.m(half),
          paper.m(igst),
          paper.m(0),
        ],
        ['5D', 'Exempted', paper.m(5_000_00), '', '', '', ''],
        [
          '5N',
          'Total Turnover (including advances) (4N + 5M - 4G) above',
          paper.m(turnover),
          paper.m(half),
          paper.m(half),
          paper.m(igst),
          paper.m(0),
        ],
      ],
      [2, 3, 4, 5, 6],
    )}`,
    anyFont(dice),
    8,
  );
  return paper;
}

function registration(way: 'reg-06' | 'details') {
  return (seed: number): Paper => {
    const paper = new Paper('gst_registration', way, seed);
    const { dice } = paper;
    const party = company(dice);
    paper.text('gstin', party.gstin);
    paper.text('legal_name', party.name);
    const trade = paper.text(
      'trade_name',
      `${party.name.split(' ')[0]} ${dice.pick(['Stores', 'Works', 'Udyog'])}`,
    );
    const constitution = paper.text(
      'constitution',
      dice.pick(['Partnership', 'Private Limited Company', 'Proprietorship']),
    );
    const from = `${dice.int(2017, 2023)}-07-01`;
    const liable = paper.date('date_of_liability', from, 'd/m/Y');
    const valid = paper.date('valid_from', from, 'd/m/Y');
    const kind = paper.text('registration_type', 'Regular');
    const issued = paper.date('date', `${from.slice(0, 4)}-09-2${dice.int(0, 8)}`, 'd/m/Y');
    paper.allow('valid_until', 'address', 'year', 'name', 'pan');
    paper.html = page(
      way === 'reg-06'
        ? `<h2 class="c">Government of India</h2><h3 class="c">Form GST REG-06</h3><p class="c">[See Rule 10(1)]</p><h2 class="c">Registration Certificate</h2><p class="b">Registration Number : ${party.gstin}</p>${grid(
            ['', '', ''],
            [
              ['1.', 'Legal Name', party.name],
              ['2.', 'Trade Name, if any', trade],
              ['3.', 'Additional trade names, if any', ''],
              ['4.', 'Constitution of Business', constitution],
              ['5.', 'Address of Principal Place of Business', party.address],
              ['6.', 'Date of Liability', liable],
              ['7.', 'Period of Validity', `From ${valid} To Not Applicable`],
              ['8.', 'Type of Registration', kind],
              ['9.', 'Particulars of Approving Authority', 'Centre Jurisdiction'],
              ['10.', 'Date of issue of Certificate', issued],
            ],
            [],
          )}<p class="small">Note: The registration certificate is required to be prominently displayed at all places of business in the State.</p>`
        : `<p class="r">Form GST REG-06</p><h1>Registration Certificate</h1>${below2([
            ['Registration Number', party.gstin],
            ['Legal Name', party.name],
            ['Trade Name', trade],
            ['Constitution of Business', constitution],
            ['Address of Principal Place of Business', party.address],
            ['Date of Liability', liable],
            ['Type of Registration', kind],
            ['Date of Validity From', valid],
            ['Date of issue of Certificate', issued],
          ])}`,
      anyFont(dice),
      10,
    );
    return paper;
  };
}

/** Each label with its value in the line below. */
const below2 = (of: readonly (readonly [string, string])[]): string =>
  of
    .map(
      ([label, value]) => `<p class="small">${label}</p><p class="b" style="margin-bottom:6pt">${value}</p>`,
    )
    .join('');

export const gstLayouts = {
  gstr_3b: [gstr3b('portal'), gstr3b('software')],
  gstr_1: [gstr1],
  gstr_2b: [gstr2b],
  gstr_9: [gstr9],
  gst_registration: [registration('reg-06'), registration('details')],
};
