import type { Paper } from './paper.ts';
import { company, limited } from './people.ts';
import type { Party } from './people.ts';

const GOODS: readonly [string, string, number][] = [
  ['M.S. Angle 50x50x6 mm', '72165000', 18],
  ['Cotton grey fabric 44"', '5208', 5],
  ['Turmeric finger, polished', '09103020', 5],
  ['LED street light 90W', '940542', 18],
  ['Professional fees for GST compliance, Q2', '998222', 18],
  ['Godown rent for the month', '997212', 18],
  ['Corrugated box 5 ply', '48191010', 12],
  ['Freight outward', '996511', 5],
];

export interface Sale {
  supplier: Party;
  buyer: Party;
  lines: {
    what: string;
    hsn: string;
    quantity: number;
    rate: number;
    taxable: number;
    percent: number;
    tax: number;
  }[];
  taxable: number;
  tax: number;
  cgst: number;
  round: number;
  total: number;
  interstate: boolean;
  date: string;
  year: number;
  no: string;
}

/** A sale with everything reckoned: taxes to the paisa of each line, the total to the rupee. */
export function sale(paper: Paper, services = false): Sale {
  const { dice } = paper;
  const supplier = company(dice);
  const buyer = dice.chance(0.5) ? limited(dice) : company(dice);
  const interstate = supplier.state[0] !== buyer.state[0];
  const gstRate = dice.pick(GOODS)[2];
  const offered = GOODS.filter(([, , percent]) => percent === gstRate);
  const lines = Array.from({ length: services ? 1 : dice.int(1, 5) }, () => {
    const [what, hsn, percent] = dice.pick(offered);
    const quantity = dice.int(1, 60);
    const rate = dice.paise(40, 9_000);
    const taxable = quantity * rate;
    // Both halves are whole paise.
    const tax = Math.round((taxable * percent) / 200) * 2;
    return { what, hsn, quantity, rate, taxable, percent, tax };
  });
  const taxable = lines.reduce((sum, line) => sum + line.taxable, 0);
  const tax = lines.reduce((sum, line) => sum + line.tax, 0);
  const total = Math.round((taxable + tax) / 100) * 100;
  const year = dice.pick([2024, 2025]);
  const date = `${dice.pick([`${year}-0${dice.int(4, 9)}`, `${year}-1${dice.int(0, 2)}`, `${year + 1}-0${dice.int(1, 3)}`])}-${String(dice.int(1, 28)).padStart(2, '0')}`;
  const short = `${String(year).slice(2)}-${String(year + 1).slice(2)}`;
  const number = String(dice.int(1, 2_400)).padStart(4, '0');
  const no = dice.pick([
    `INV/${short}/${number}`,
    `GST-${number}`,
    `${dice.letters(2)}/${number}/${short}`,
    `S${number}`,
  ]);
  paper.year = year;
  return {
    supplier,
    buyer,
    lines,
    taxable,
    tax,
    cgst: tax / 2,
    round: total - taxable - tax,
    total,
    interstate,
    date,
    year,
    no,
  };
}

/** Puts what every invoice says into the truth; the text of the taxes in the order that they are summed. */
export function truths(
  paper: Paper,
  of: Sale,
): { taxable: string; taxes: [string, string][]; round: string; total: string } {
  paper.text('supplier_name', of.supplier.name);
  paper.text('buyer_name', of.buyer.name);
  paper.text('supplier_gstin', of.supplier.gstin);
  paper.text('buyer_gstin', of.buyer.gstin);
  paper.allow(
    'supplier_pan',
    'buyer_pan',
    'gst_cess',
    'reverse_charge',
    'place_of_supply',
    'due_date',
    'period',
    'hsn',
    'year',
    // Of the account into which to pay.
    'ifsc',
    'account_no',
  );
  const half = of.lines[0]!.percent / 2;
  const taxes: [string, string][] = of.interstate
    ? [[`IGST @ ${of.lines[0]!.percent}%`, paper.sum('igst', of.tax)]]
    : [
        [`CGST @ ${half}%`, paper.sum('cgst', of.cgst)],
        [`SGST @ ${half}%`, paper.sum('sgst', of.cgst)],
      ];
  if (of.round !== 0) paper.sum('round_off', of.round);
  return {
    taxable: paper.sum('taxable_value', of.taxable),
    taxes,
    round: paper.m(of.round),
    total: paper.sum('total', of.total),
  };
}
