import { readRows } from '../amount-rows.ts';
import type { TypeRules } from '../rules.ts';
import { TAXPAYER, TIME } from './taxpayer.ts';
import { TAX_COLUMNS, TAX_NEEDS } from './taxes.ts';

/** The annual return. */
export const gstr9: TypeRules = {
  type: 'gstr_9',
  cues: {
    title: /(?:form\s+)?gstr\s?-?\s?9\b(?!\s?-?\s?c)|annual return/i,
    words: [
      /80\(1\)|rule 80/i,
      /advances, inward and outward supplies/i,
      /supplies made to (?:un)?registered/i,
      /gstr/i,
    ],
    not: [/registrar of companies|mgt-?7/i],
  },
  fields: {
    ...TAXPAYER,
    ...TIME,
    turnover: { labels: 'total turnover[^:\\d]*|aggregate turnover[^:\\d]*', nth: 0 },
  },
  more(reading) {
    readRows(reading, TAX_COLUMNS, TAX_NEEDS, [
      {
        labels:
          '(?:\\(?n\\)? )?supplies (?:and|&) advances on which tax is to be paid[^:]*|total taxable supplies[^:]*|total',
        fields: { taxable: 'taxable_value', igst: 'igst', cgst: 'cgst', sgst: 'sgst', cess: 'gst_cess' },
      },
    ]);
  },
};
