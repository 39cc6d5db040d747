import * as gst from './gst-trade.ts';
import * as tax from './income-tax.ts';
import { layOut } from './layouts.ts';
import * as others from './others.ts';
import type { Maker, Paper, Style } from './paper.ts';
import { AMOUNTS, DAYS, Facts } from './random.ts';
import { bankStatement } from './statement.ts';

const MAKERS: Maker[] = [
  tax.form16,
  bankStatement,
  gst.invoice,
  gst.gstr3b,
  tax.itrV,
  tax.form26as,
  tax.ais,
  others.challanTax,
  others.challanTds,
  others.panCard,
  others.notice,
  tax.form16a,
  tax.computation,
  gst.gstr1,
  gst.gstr2b,
  gst.gstr9,
  gst.registration,
  gst.eInvoice,
  gst.creditNote,
  gst.ewayBill,
  others.challanGst,
  others.challanPf,
  others.challanEsi,
  others.payslip,
  others.balanceSheet,
];

export interface LaidOut extends Paper {
  html: string;
}

/** So many papers of each type, the same for the same seed; held-out ones in layouts and words of their own. */
export function papers(seed: number, each: number, held: boolean): LaidOut[] {
  return MAKERS.flatMap((make, number) =>
    Array.from({ length: each }, (_, index) => {
      const facts = new Facts(seed * 1000 + number * 50 + index + (held ? 500_000 : 0));
      const style: Style = {
        held,
        date: facts.pick(held ? DAYS.slice(2) : DAYS.slice(0, 5)),
        amount: facts.pick(held ? AMOUNTS.slice(2) : AMOUNTS.slice(0, 4)),
        plain: facts.pick([AMOUNTS[0]!, AMOUNTS[4]!]),
      };
      const paper = make(facts, style);
      return { ...paper, html: layOut(paper, facts, held) };
    }),
  );
}
