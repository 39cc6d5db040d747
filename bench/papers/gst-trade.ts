import type { FieldKey } from '#server/recognition/contract.ts';
import { date, inYear, money, text, years } from './income-tax.ts';
import type { Maker, Printed } from './paper.ts';
import { escaped, grid } from './paper.ts';
import type { Facts } from './random.ts';
import { MONTH_NAMES, STATES } from './random.ts';

const month = (facts: Facts, held: boolean): [Printed, Printed] => {
  const [number, year] = [facts.int(1, 12), facts.int(2023, 2025)];
  const start = number >= 4 ? year : year - 1;
  const shown = held ? `${MONTH_NAMES[number - 1]!.slice(0, 3)}-${year}` : MONTH_NAMES[number - 1]!;
  return [
    inYear('year', 'Year;Financial Year|F.Y.', start),
    ['period', 'Period;Month|Tax Period;Return Period', shown, `${year}-${String(number).padStart(2, '0')}`],
  ];
};
const TAXES = ['Integrated tax', 'Central tax', 'State/UT tax', 'Cess'];

export const gstr3b: Maker = (facts, style) => {
  const sums = Array.from({ length: 5 }, () => facts.money());
  const itc = Array.from({ length: 4 }, () => facts.money());
  const zero = facts.money();
  const heads = style.held
    ? ['Total taxable value', 'IGST', 'CGST', 'SGST', 'Cess']
    : ['Total taxable value', ...TAXES];
  return {
    type: 'gstr_3b',
    titles: ['Form GSTR-3B', 'FORM GSTR-3B [See rule 61(5)]', 'GSTR 3B'],
    fields: [
      ...month(facts, style.held),
      text('gstin', 'GSTIN;GSTIN of the supplier|GSTIN of the taxpayer', facts.gstin()),
      text('legal_name', 'Legal name of the registered person|Legal Name', facts.firm()),
      text('trade_name', 'Trade name, if any|Trade Name', facts.firm()),
      text('arn', 'ARN', facts.arn()),
      date(style, 'arn_date', 'Date of ARN|ARN Date', facts.day(2025)),
    ],
    more: {
      html: `<p>3.1 Details of Outward supplies and inward supplies liable to reverse charge</p>${grid(
        ['Nature of Supplies', ...heads],
        [
          [
            '(a) Outward taxable supplies (other than zero rated, nil rated and exempted)',
            ...sums.map(style.plain),
          ],
          [
            '(b) Outward taxable supplies (zero rated)',
            style.plain(zero),
            style.plain(0),
            '-',
            '-',
            style.plain(0),
          ],
          ['(d) Inward supplies (liable to reverse charge)', ...[zero, 0, 0, 0, 0].map(style.plain)],
        ],
        { numbers: 5 },
      )}<p>4. Eligible ITC</p>${grid(
        ['Details', ...heads.slice(1)],
        [
          ['A. ITC Available (whether in full or part)', '', '', '', ''],
          ['(5) All other ITC', ...itc.map(style.plain)],
          ['C. Net ITC available (A-B)', ...itc.map(style.plain)],
        ],
        { numbers: 4 },
      )}`,
      truth: [
        ...(['outward_taxable', 'outward_igst', 'outward_cgst', 'outward_sgst', 'outward_cess'] as const).map(
          (key, index): [FieldKey, string] => [key, String(sums[index])],
        ),
        ...(['itc_igst', 'itc_cgst', 'itc_sgst', 'itc_cess'] as const).map(
          (key, index): [FieldKey, string] => [key, String(itc[index])],
        ),
        ['zero_rated', String(zero)],
        ['inward_reverse_charge', String(zero)],
      ],
    },
  };
};

const statement =
  (type: 'gstr_1' | 'gstr_2b' | 'gstr_9'): Maker =>
  (facts, style) => {
    const sums = Array.from({ length: 5 }, () => facts.money());
    const other = facts.gstin();
    const [year, period] = month(facts, style.held);
    const is2b = type === 'gstr_2b';
    const heads = is2b ? TAXES : ['Taxable value', ...TAXES];
    const row = is2b
      ? 'Total ITC Available'
      : type === 'gstr_1'
        ? 'Total Liability (Outward supplies other than Reverse charge)'
        : 'Supplies and advances on which tax is to be paid';
    return {
      type,
      titles: {
        gstr_1: ['FORM GSTR-1', 'GSTR-1'],
        gstr_2b: ['FORM GSTR-2B', 'GSTR-2B Auto-drafted ITC Statement'],
        gstr_9: ['FORM GSTR-9', 'GSTR-9 Annual Return'],
      }[type],
      sub: {
        gstr_1: '[See rule 59(1)] Details of outward supplies of goods or services',
        gstr_2b: '[See rule 60(7)] Auto-drafted ITC Statement',
        gstr_9: '[See rule 80] Annual Return. Details of advances, inward and outward supplies',
      }[type],
      fields: [
        year,
        ...(type === 'gstr_9' ? [] : [period]),
        text('gstin', 'GSTIN', facts.gstin()),
        text('legal_name', 'Legal name of the registered person|Legal Name', facts.firm()),
        text('trade_name', 'Trade name, if any|Trade Name', facts.firm()),
        ...(is2b
          ? [date(style, 'date', 'Date of generation|Generated on', facts.day(2025))]
          : [
              text('arn', 'ARN', facts.arn()),
              date(style, 'arn_date', 'Date of ARN|ARN date', facts.day(2025)),
            ]),
      ],
      more: {
        html:
          grid(['Description', ...heads], [[row, ...sums.slice(is2b ? 1 : 0).map(style.plain)]], {
            numbers: heads.length,
          }) +
          (is2b
            ? grid(
                [
                  'GSTIN of supplier',
                  'Trade/Legal name',
                  'Invoice number',
                  'Invoice Date',
                  'Invoice Value',
                  'Taxable Value',
                  ...TAXES.slice(0, 3),
                ],
                [[other, facts.firm(), 'A/1', '01/04/2025', ...sums.slice(0, 5).map(style.plain)]],
                { numbers: 5 },
              )
            : ''),
        truth: (is2b
          ? (['itc_igst', 'itc_cgst', 'itc_sgst', 'itc_cess'] as const)
          : (['taxable_value', 'igst', 'cgst', 'sgst', 'gst_cess'] as const)
        ).map((key, index): [FieldKey, string] => [key, String(sums[is2b ? index + 1 : index])]),
      },
      identifiers: is2b ? [other] : [],
    };
  };
export const gstr1 = statement('gstr_1');
export const gstr2b = statement('gstr_2b');
export const gstr9 = statement('gstr_9');

export const registration: Maker = (facts, style) => ({
  type: 'gst_registration',
  titles: ['Form GST REG-06', 'Registration Certificate'],
  sub: 'Government of India. [See Rule 10(1)] Registration Certificate',
  fields: [
    text('gstin', 'Registration Number|GSTIN', facts.gstin()),
    text('legal_name', 'Legal Name', facts.firm()),
    text('trade_name', 'Trade Name, if any|Trade Name', facts.firm()),
    text(
      'constitution',
      'Constitution of Business|Constitution',
      facts.pick(['Partnership', 'Proprietorship', 'Private Limited Company']),
    ),
    date(style, 'date_of_liability', 'Date of Liability', facts.day(2018)),
    text('registration_type', 'Type of Registration', 'Regular'),
    date(style, 'date', 'Date of issue of Certificate|Issued on', facts.day(2019)),
  ],
});

const paperOfTrade =
  (type: 'invoice' | 'e_invoice' | 'credit_note'): Maker =>
  (facts, style) => {
    const [state, other] = [facts.pick(STATES), facts.pick(STATES)];
    const [supplier, buyer] = [facts.gstin(state[0]), facts.gstin(other[0])];
    const [seller, customer] = [facts.firm(), facts.firm()];
    const inside = state[0] === other[0];
    const lines = Array.from({ length: facts.int(1, 5) }, () => ({
      name: facts.pick([
        'Cotton yarn',
        'Audit fees',
        'Steel rods 12mm',
        'Consulting services',
        'Laptop stand',
      ]),
      hsn: facts.pick(['998221', '5205', '84713010']),
      quantity: facts.int(1, 20),
      rate: facts.int(100, 9000) * 100,
    }));
    const value = lines.reduce((sum, line) => sum + line.quantity * line.rate, 0);
    const tax = Math.round(value * (inside ? 0.09 : 0.18));
    const total = value + (inside ? 2 : 1) * tax;
    const number = `${facts.letters(2)}/${facts.int(24, 26)}/${facts.int(1, 9999)}`;
    const [day, irn, ack] = [facts.day(2025), facts.hex(64), facts.digits(15)];
    const word = type === 'credit_note' ? 'Credit Note' : 'Invoice';
    const reference = `${facts.letters(2)}-${facts.int(1, 999)}`;
    const party = (head: string, name: string, gstin: string) =>
      `<div style="width:45%"><p><b>${head}</b></p><p>${escaped(name)}</p><p>${facts.int(1, 99)} MG Road, Pune</p><p>GSTIN: ${gstin}</p></div>`;
    const sums = [
      [style.held ? 'Sub Total' : 'Taxable Value', style.plain(value)],
      ...(inside
        ? [
            ['CGST @ 9%', style.plain(tax)],
            ['SGST @ 9%', style.plain(tax)],
          ]
        : [['IGST @ 18%', style.plain(tax)]]),
      [style.held ? `${word} Total` : 'Grand Total', style.amount(total)],
    ];
    const ownHead = facts.chance(0.5);
    return {
      type,
      head: ownHead ? seller : undefined!,
      titles:
        type === 'credit_note'
          ? ['CREDIT NOTE', 'Credit Note']
          : type === 'e_invoice'
            ? ['e-Invoice', 'TAX INVOICE', 'Tax Invoice (e-Invoice)']
            : ['TAX INVOICE', 'Tax Invoice', 'GST INVOICE'],
      fields: [
        ...(ownHead ? [['supplier_gstin', 'GSTIN', supplier, supplier] as Printed] : []),
        text('invoice_no', `${word} No.;${word} No|${word} Number`, number),
        date(style, 'invoice_date', `${word} Date;Date|Dated`, day),
        ...(type === 'credit_note'
          ? [text('original_invoice_no', 'Original Invoice No.|Against Invoice No', reference)]
          : [text('place_of_supply', 'Place of Supply', `${other[1]} (${other[0]})`)]),
        ...(type === 'e_invoice'
          ? [text('irn_ack_no', 'Ack No.|Ack No', ack), date(style, 'irn_date', 'Ack Date', day)]
          : []),
      ],
      more: {
        html: `${type === 'e_invoice' ? `<p>IRN: ${irn}</p>` : ''}<div style="display:flex;justify-content:space-between">${ownHead ? '' : party(style.held ? 'Sold By' : 'Supplier', seller, supplier)}${party(style.held ? 'Customer Details' : facts.pick(['Bill To', 'Buyer']), customer, buyer)}</div>${grid(
          ['#', 'Description', 'HSN/SAC', 'Qty', 'Rate', 'Amount'],
          lines.map((line, index) => [
            String(index + 1),
            line.name,
            line.hsn,
            String(line.quantity),
            style.plain(line.rate),
            style.plain(line.quantity * line.rate),
          ]),
          { numbers: 3, lines: !style.held },
        )}<table class=open style="width:50%;margin-left:50%">${sums.map(([name, shown]) => `<tr><td>${name}</td><td class=n>${shown}</td></tr>`).join('')}</table>`,
        truth: [
          ['supplier_name', seller],
          ['buyer_name', customer],
          ['buyer_gstin', buyer],
          ...(ownHead ? [] : [['supplier_gstin', supplier] as [FieldKey, string]]),
          ['taxable_value', String(value)],
          ['total', String(total)],
          ...(inside
            ? ([
                ['cgst', String(tax)],
                ['sgst', String(tax)],
              ] as [FieldKey, string][])
            : ([['igst', String(tax)]] as [FieldKey, string][])),
          ...(type === 'e_invoice' ? ([['irn', irn.toUpperCase()]] as [FieldKey, string][]) : []),
        ],
      },
      identifiers: [supplier, buyer],
    };
  };
export const invoice = paperOfTrade('invoice');
export const eInvoice = paperOfTrade('e_invoice');
export const creditNote = paperOfTrade('credit_note');

export const ewayBill: Maker = (facts, style) => ({
  type: 'eway_bill',
  titles: ['e-Way Bill', 'E-WAY BILL DETAILS'],
  sub: 'Part - A',
  fields: [
    text('eway_bill_no', 'E-Way Bill No|eWay Bill No', facts.digits(12)),
    date(style, 'date', 'E-Way Bill Date|Generated Date', facts.day(2025)),
    date(style, 'valid_until', 'Valid Until|Valid Upto', facts.day(2025)),
    text('supplier_gstin', 'GSTIN of Supplier', facts.gstin()),
    text('buyer_gstin', 'GSTIN of Recipient', facts.gstin()),
    text('invoice_no', 'Document No.', `INV/${facts.int(1, 999)}`),
    date(style, 'invoice_date', 'Document Date', facts.day(2025)),
    money(style, 'total', 'Value of Goods', facts.money()),
    text('hsn', 'HSN Code', '5205'),
    text('vehicle_no', 'Vehicle No.', `MH12AB${facts.int(1000, 9999)}`),
  ],
});
export { years };
