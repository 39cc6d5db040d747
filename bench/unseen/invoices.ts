import { amounts, grid, pairs } from './page.ts';
import type { Paper } from './paper.ts';
import type { Party } from './people.ts';
import type { Sale } from './sale.ts';
import { truths } from './sale.ts';

const partyBlock = (party: Party, label: string): string =>
  `<b>${party.name}</b><br>${party.address}<br>${label}: ${party.gstin}<br>State Name : ${party.state[2]}, Code : ${party.state[0]}`;

/** As Tally prints: the parties left, numbers in a grid at the right, taxes as rows of the table. */
function tally(paper: Paper, of: Sale, title: string, extra: [string, string][]): string {
  const truth = truths(paper, of);
  const head: [string, string][] = [
    ['Invoice No.', paper.text('invoice_no', of.no)],
    ['Dated', paper.date('invoice_date', of.date, 'd-M-y')],
    ['Delivery Note', ''],
    ['Mode/Terms of Payment', '30 Days'],
    ...extra,
  ];
  const rows = of.lines.map((line, index) => [
    index + 1,
    `<b>${line.what}</b>`,
    line.hsn,
    `${line.quantity} NOS`,
    paper.m(line.rate, 'indian'),
    'NOS',
    `<b>${paper.m(line.taxable, 'indian')}</b>`,
  ]);
  const sums = truth.taxes.map(([name, shown]) => [
    '',
    `<i class="r">Output ${name}</i>`,
    '',
    '',
    '',
    '',
    shown,
  ]);
  if (of.round !== 0) sums.push(['', 'Round Off', '', '', '', '', truth.round]);
  const cells = head.map(([label, value]) => `<td>${label}<br><b>${value}</b></td>`);
  const right = Array.from(
    { length: Math.ceil(cells.length / 2) },
    (_, index) => `<tr>${cells.slice(index * 2, index * 2 + 2).join('')}</tr>`,
  ).join('');
  const parties = `<table class="grid"><tr><td style="width:50%">${partyBlock(of.supplier, 'GSTIN/UIN')}</td><td rowspan="2" style="padding:0"><table class="grid">${right}</table></td></tr><tr><td>Buyer (Bill to)<br>${partyBlock(of.buyer, 'GSTIN/UIN')}</td></tr></table>`;
  const lines = grid(
    ['Sl No.', 'Description of Goods', 'HSN/SAC', 'Quantity', 'Rate', 'per', 'Amount'],
    [
      ...rows,
      ['', '', '', '', '', '', truth.taxable],
      ...sums,
      ['', '<b>Total</b>', '', '', '', '', `<b>₹ ${truth.total}</b>`],
    ],
    [3, 4, 6],
  );
  return `<p class="c b">${title}</p>${parties}${lines}<p>Amount Chargeable (in words)<br><b>INR Only as above</b></p><div class="two"><p>Company's PAN : <b>${of.supplier.pan}</b></p><p class="r">for ${of.supplier.name}<br><br>Authorised Signatory</p></div>`;
}

/** As a web shop or billing service prints: tax on each line, totals at the foot. */
function perLine(paper: Paper, of: Sale, title: string, extra: [string, string][]): string {
  const truth = truths(paper, of);
  const tax = (line: Sale['lines'][number]): (string | number)[] =>
    of.interstate
      ? [`${line.percent}%`, paper.m(line.tax)]
      : [`${line.percent / 2}%`, paper.m(line.tax / 2), `${line.percent / 2}%`, paper.m(line.tax / 2)];
  const head = of.interstate ? ['IGST %', 'IGST Amt'] : ['CGST %', 'CGST Amt', 'SGST %', 'SGST Amt'];
  const rows = of.lines.map((line, index) => [
    index + 1,
    line.what,
    line.hsn,
    line.quantity,
    paper.m(line.rate),
    paper.m(line.taxable),
    ...tax(line),
    paper.m(line.taxable + line.tax),
  ]);
  const foot = amounts([
    ['Sub Total', truth.taxable],
    ...truth.taxes.map(([name, shown]): [string, string] => [`Total ${name.split(' ')[0]}`, shown]),
    ...(of.round === 0 ? [] : [['Rounding', truth.round] as [string, string]]),
    ['Grand Total', `<b>${truth.total}</b>`],
  ]);
  const right = Array.from({ length: head.length + 3 }, (_, index) => index + 3);
  return `<div class="two"><div><h1>${of.supplier.name}</h1><p>${of.supplier.address}</p><p>GSTIN ${of.supplier.gstin}</p></div><div class="r"><h1>${title}</h1></div></div>
<div class="two"><div><p class="small">Bill To</p><p class="b">${of.buyer.name}</p><p>${of.buyer.address}</p><p>GSTIN ${of.buyer.gstin}</p></div>${pairs([['Invoice#', paper.text('invoice_no', of.no)], ['Invoice Date', paper.date('invoice_date', of.date)], ['Place Of Supply', `${of.buyer.state[2]} (${of.buyer.state[0]})`], ...extra], '')}</div>
${grid(['#', 'Item &amp; Description', 'HSN /SAC', 'Qty', 'Rate', 'Taxable', ...head, 'Amount'], rows, right, 'lines')}<div class="two"><p class="small">Thanks for your business.<br>Bank: HDFC Bank, A/c No. 50200${paper.dice.digits(9)}, IFSC HDFC0000123</p><div>${foot}</div></div>`;
}

/** As a consultant's word processor prints: few lines, labels in sentences. */
function plain(paper: Paper, of: Sale, title: string, extra: [string, string][]): string {
  const truth = truths(paper, of);
  return `<h1 class="c">${of.supplier.name.toUpperCase()}</h1><p class="c">${of.supplier.address}</p><p class="c">GST No. ${of.supplier.gstin} &nbsp; | &nbsp; PAN ${of.supplier.pan}</p><hr><h2 class="c">${title.toUpperCase()}</h2>
<div class="two"><div>Bill No: ${paper.text('invoice_no', of.no)}</div><div class="r">Date: ${paper.date('invoice_date', of.date)}</div></div>
<p>To,<br><b>${of.buyer.name}</b><br>${of.buyer.address}<br>GSTIN : ${of.buyer.gstin}</p>${extra.length > 0 ? pairs(extra) : ''}
${grid(
  ['Particulars', 'SAC', 'Amount (Rs.)'],
  of.lines.map((line) => [line.what, line.hsn, paper.m(line.taxable)]),
  [2],
)}
${amounts([['Total before tax', truth.taxable], ...truth.taxes.map(([name, shown]): [string, string] => [`Add: ${name}`, shown]), ...(of.round === 0 ? [] : [['Round off (+/-)', truth.round] as [string, string]]), ['<b>Total amount payable</b>', `<b>${truth.total}</b>`]])}
<p>Whether tax is payable on reverse charge : No</p><p class="r">For ${of.supplier.name}<br><br>Proprietor</p>`;
}

/** As a printed book of a wholesaler: party and consignee side by side, totals in a row and a tax summary below. */
function summary(paper: Paper, of: Sale, title: string, extra: [string, string][]): string {
  const truth = truths(paper, of);
  const half = paper.m(of.cgst);
  const nil = '-';
  return `<table class="grid"><tr><td colspan="2" class="c"><b>${title}</b> (ORIGINAL FOR RECIPIENT)<br><b>${of.supplier.name}</b>, ${of.supplier.address}<br>GSTIN : ${of.supplier.gstin}</td></tr>
<tr><td>Details of Receiver (Billed to)<br>Name : ${of.buyer.name}<br>Address : ${of.buyer.address}<br>GSTIN : ${of.buyer.gstin}</td><td>${pairs([['Invoice Number', paper.text('invoice_no', of.no)], ['Date of Invoice', paper.date('invoice_date', of.date)], ['Vehicle No', 'MH31CB4412'], ['Reverse Charge', 'N'], ...extra])}</td></tr></table>
${grid(
  ['S.N.', 'Product', 'HSN Code', 'UOM', 'Qty', 'Rate', 'Value'],
  of.lines.map((line, index) => [
    index + 1,
    line.what,
    line.hsn,
    'KGS',
    line.quantity.toFixed(3),
    paper.m(line.rate),
    paper.m(line.taxable),
  ]),
  [4, 5, 6],
)}
${grid(['Taxable Amount', 'CGST Amount', 'SGST Amount', 'IGST Amount', 'Round Off', 'Invoice Total'], [[truth.taxable, of.interstate ? nil : half, of.interstate ? nil : half, of.interstate ? paper.m(of.tax) : nil, of.round === 0 ? '0.00' : truth.round, truth.total]], [0, 1, 2, 3, 4, 5])}<p>Certified that the particulars given above are true and correct. E.&amp;O.E.</p>`;
}

export const WAYS = [tally, perLine, plain, summary];
