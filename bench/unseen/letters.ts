import { anyFont, amounts, grid, page, pairs, pairs2 } from './page.ts';
import { Paper } from './paper.ts';
import { company, frn, individual, limited, person } from './people.ts';

function notice(way: '143(2)' | 'asmt-10' | 'drc-01' | '139(9)') {
  return (seed: number): Paper => {
    const paper = new Paper('notice', way, seed);
    const { dice } = paper;
    const gst = way === 'asmt-10' || way === 'drc-01';
    const party = gst ? company(dice) : individual(dice);
    const year = dice.pick([2022, 2023, 2024]);
    paper.text('name', party.name);
    const day = paper.date('date', `${year + 1}-0${dice.int(4, 9)}-1${dice.int(0, 9)}`, 'd/m/Y');
    const until = paper.date('reply_by', `${year + 1}-1${dice.int(0, 2)}-0${dice.int(1, 9)}`, 'd/m/Y');
    paper.allow(
      'issuer',
      'subject',
      'notice_no',
      'section',
      'demand',
      'document_din',
      'period',
      'legal_name',
      'address',
      'pan',
      'gstin',
      'year',
      'acknowledgement_no',
      'arn',
    );
    if (gst) {
      paper.text('gstin', party.gstin);
      const fy = paper.inYear(year);
      const number = paper.text(
        'notice_no',
        `ZD${party.state[0]}0${dice.int(1, 9)}${String(year + 1).slice(2)}${dice.digits(6)}${dice.letters(1)}`,
      );
      const demand = dice.rupees(10_000, 900_000);
      if (way === 'drc-01') paper.sum('demand', demand);
      paper.html = page(
        `<h2 class="c">FORM GST ${way === 'drc-01' ? 'DRC-01' : 'ASMT-10'}</h2><p class="c">[See rule ${way === 'drc-01' ? '100(2) &amp; 142(1)(a)' : '99(1)'}]</p><div class="two"><p>Reference No.: ${number}</p><p class="r">Date: ${day}</p></div><p>To<br>GSTIN: ${party.gstin}<br>Name: ${party.name}<br>Address: ${party.address}</p><p>Tax Period: APR ${year} - MAR ${year + 1} &nbsp; F.Y.: ${fy}</p><h3 class="c">${way === 'drc-01' ? 'Summary of Show Cause Notice' : 'Notice for intimating discrepancies in the return after scrutiny'}</h3><p>This is to inform that during scrutiny of the return for the tax period referred to above, discrepancies have been noticed. You are hereby directed to explain the reasons by ${until}.</p>${
          way === 'drc-01'
            ? grid(
                ['Sr. No.', 'Tax rate', 'Act', 'Tax', 'Interest', 'Penalty', 'Total'],
                [
                  [1, '18%', 'CGST', paper.m(demand / 2), '0.00', '0.00', paper.m(demand / 2)],
                  [2, '18%', 'SGST', paper.m(demand / 2), '0.00', '0.00', paper.m(demand / 2)],
                  ['Total', '', '', paper.m(demand), '0.00', '0.00', paper.m(demand)],
                ],
                [3, 4, 5, 6],
              )
            : ''
        }<p class="r">Signature<br>Name: ${person(dice)}<br>Designation: Superintendent</p>`,
        anyFont(dice),
        10,
      );
    } else {
      paper.text('pan', party.pan);
      const ay = paper.inYear(year, 'ay');
      const din = paper.text(
        'document_din',
        `ITBA/AST/S/${way === '143(2)' ? '143(2)' : '139(9)'}/${year + 1}-${String(year + 2).slice(2)}/10${dice.digits(8)}(1)`,
      );
      paper.text('section', way);
      paper.html = page(
        `<p class="c b">GOVERNMENT OF INDIA<br>MINISTRY OF FINANCE<br>INCOME TAX DEPARTMENT<br>${way === '143(2)' ? 'NATIONAL FACELESS ASSESSMENT CENTRE DELHI' : 'CENTRALIZED PROCESSING CENTER'}</p><table class="grid"><tr><td rowspan="2">To,<br>${party.name.toUpperCase()}<br>${party.address}</td><td>PAN:<br>${party.pan}</td><td>Assessment Year:<br>${ay}</td></tr><tr><td>Dated:<br>${day}</td><td>DIN &amp; Notice No:<br>${din}</td></tr></table><h3 class="c">Notice under section ${way} of the Income-tax Act, 1961</h3><p>Sir/ Madam/ M/s,</p><p>This is for your kind information that the return of income for the Assessment Year ${ay} has been ${way === '143(2)' ? 'selected for scrutiny' : 'considered defective'}. You are requested to furnish your response on or before ${until} through your registered e-filing account.</p><p class="r">Assessment Unit<br>Income Tax Department</p>`,
        anyFont(dice),
        10,
      );
    }
    return paper;
  };
}

function engagement(way: 'audit' | 'tax') {
  return (seed: number): Paper => {
    const paper = new Paper('engagement_letter', way, seed);
    const { dice } = paper;
    const party = limited(dice);
    const by = person(dice);
    const year = dice.pick([2024, 2025]);
    paper.inYear(year);
    const firm = paper.text('firm_name', `${by.split(' ')[1]} & Co.`);
    paper.text('name', party.name);
    const number = paper.text('frn', frn(dice));
    const mrn = paper.text('mrn', dice.digits(6));
    paper.text('signed_by', by);
    const day = paper.date('date', `${year}-0${dice.int(4, 9)}-0${dice.int(1, 9)}`, 'D Month, Y');
    const fees = paper.sum('fees', dice.rupees(20_000, 300_000), 'dash');
    paper.allow('udin', 'place', 'period', 'address');
    const scope =
      way === 'audit'
        ? `You have requested that we audit the financial statements of ${party.name} for the financial year ${year}-${String(year + 1).slice(2)}. We are pleased to confirm our acceptance and our understanding of this audit engagement by means of this letter. Our audit will be conducted with the objective of our expressing an opinion on the financial statements.`
        : `We thank you for appointing us to prepare and file the income-tax return of ${party.name} for the financial year ${year}-${String(year + 1).slice(2)}. This engagement letter sets out the scope of our services, your responsibilities and our fees.`;
    paper.html = page(
      `<h2>${firm}</h2><p>Chartered Accountants, Firm Registration No. ${number}</p><p class="r">${day}</p><p>To,<br>The Board of Directors<br>${party.name}<br>${party.address}</p><p class="b">Subject: ${way === 'audit' ? 'Letter of Engagement for Statutory Audit' : 'Engagement Letter - Income tax services'}</p><p>Dear Sirs,</p><p>${scope}</p><p>Management is responsible for the preparation of the financial statements and for such internal control as is necessary.</p><p>Our professional fees for the above engagement will be Rs. ${fees} plus applicable GST.</p><p>Please sign and return the attached copy of this letter to indicate your acknowledgement of, and agreement with, the arrangements.</p><p>For ${firm}<br>Chartered Accountants<br><br>CA ${by}<br>Partner<br>Membership No. ${mrn}</p><p>Acknowledged on behalf of ${party.name}</p>`,
      anyFont(dice),
      10.5,
    );
    return paper;
  };
}

function payslip(way: 'columns' | 'grid') {
  return (seed: number): Paper => {
    const paper = new Paper('payslip', way, seed);
    const { dice } = paper;
    const employer = limited(dice);
    const party = individual(dice);
    const year = dice.pick([2024, 2025]);
    paper.period = `${year}-0${dice.int(4, 9)}`;
    paper.fields.set('period', paper.period);
    const month = new Date(`${paper.period}-01`).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' });
    paper.text('employer_name', employer.name);
    const basic = dice.rupees(20_000, 90_000);
    const hra = basic / 2;
    const special = dice.rupees(4_000, 30_000);
    const pf = Math.round((basic * 12) / 10_000) * 100;
    const tds = dice.rupees(500, 9_000);
    const gross = basic + hra + special;
    const off = pf + 200_00 + tds;
    paper.allow('account_no', 'year', 'esi_deduction', 'paid_days', 'designation', 'date', 'address');
    const head: [string, string][] = [
      ['Employee Name', paper.text('employee_name', party.name)],
      ['Employee Code', paper.text('employee_id', `E${dice.digits(4)}`)],
      [
        'Designation',
        paper.text('designation', dice.pick(['Accounts Executive', 'Plant Supervisor', 'Sales Officer'])),
      ],
      ['PAN', paper.text('employee_pan', party.pan)],
      ['UAN', paper.text('uan', `10${dice.digits(10)}`)],
      ['Paid Days', paper.text('paid_days', '30')],
      ['Bank A/c No.', paper.text('account_no', `1${dice.digits(11)}`)],
    ];
    const rows = [
      [
        'Basic',
        paper.sum('basic', basic),
        way === 'grid' ? 'Provident Fund' : 'EPF',
        paper.sum('pf_deduction', pf),
      ],
      [
        way === 'grid' ? 'House Rent Allowance' : 'HRA',
        paper.sum('hra', hra),
        'Professional Tax',
        paper.sum('professional_tax', 200_00),
      ],
      [
        'Special Allowance',
        paper.m(special),
        way === 'grid' ? 'Income Tax' : 'TDS',
        paper.sum('tax_deducted', tds),
      ],
      [
        'Gross Earnings',
        paper.sum('gross_earnings', gross),
        'Total Deductions',
        paper.sum('total_deductions', off),
      ],
    ];
    const net = paper.sum('net_pay', gross - off);
    paper.html = page(
      `<h2 class="c">${employer.name}</h2><p class="c">${employer.address}</p><h3 class="c">${way === 'grid' ? `Pay Slip for the month of ${month} ${year}` : `PAYSLIP - ${month.slice(0, 3).toUpperCase()} ${year}`}</h3>${way === 'grid' ? pairs2(head) : pairs(head)}${grid(['Earnings', 'Amount', 'Deductions', 'Amount'], rows, [1, 3], way === 'grid' ? 'grid' : 'lines')}${amounts([['<b>Net Pay</b>', `<b>${net}</b>`]])}<p class="small">This is a system generated payslip.</p>`,
      anyFont(dice),
      9,
    );
    return paper;
  };
}

function cheque(way: 'bearer' | 'payee') {
  return (seed: number): Paper => {
    const paper = new Paper('cheque', way, seed);
    const { dice } = paper;
    const party = company(dice);
    const [bank, code] = dice.pick([
      ['Karnataka Bank Ltd.', 'KARB'],
      ['HDFC BANK', 'HDFC'],
      ['Indian Bank', 'IDIB'],
    ] as const);
    const day = `20${dice.int(24, 25)}-0${dice.int(4, 9)}-1${dice.int(0, 9)}`;
    paper.text('bank_name', bank);
    const ifsc = paper.text('ifsc', `${code}0${dice.digits(6)}`);
    const to = paper.text('pay_to', party.name);
    const sum = paper.sum('amount', dice.rupees(1_000, 500_000), 'dash');
    const number = paper.text('cheque_no', dice.digits(6));
    const micr = paper.text('micr', `5${dice.digits(8)}`);
    const account = paper.text('account_no', dice.int(1, 9) + dice.digits(13));
    const shown = way === 'bearer' ? paper.date('date', day, 'd/m/Y') : paper.date('date', day, 'd-m-Y');
    paper.allow('branch', 'place');
    paper.size = '202mm 92mm';
    paper.html = page(
      `<div class="two"><div><h3>${bank}</h3><p class="small">Nagpur Main Branch, Civil Lines - 440001<br>RTGS / NEFT IFSC : ${ifsc}</p></div><p class="r">VALID FOR THREE MONTHS ONLY FROM THE DATE OF ISSUE<br>Date : ${shown}</p></div><p>Pay &nbsp; <b>${to}</b> <span style="float:right">${way === 'bearer' ? 'Or Bearer' : 'A/C PAYEE ONLY'}</span></p><p>Rupees <b>as in figures only</b> <span class="box" style="float:right">₹ ${sum}</span></p><p>A/c No. <b>${account}</b></p><p class="r">Please sign above</p><p class="c" style="font-family:'DejaVu Sans Mono'">⑈${number}⑈ ${micr}⑆ ${dice.digits(6)}⑈ 29</p>`,
      'arial',
      9,
      '@page{margin:6mm}',
    );
    return paper;
  };
}

export const letterLayouts = {
  notice: [notice('143(2)'), notice('asmt-10'), notice('drc-01'), notice('139(9)')],
  engagement_letter: [engagement('audit'), engagement('tax')],
  payslip: [payslip('columns'), payslip('grid')],
  cheque: [cheque('bearer'), cheque('payee')],
};
