import type { FieldKey } from '../../contract.ts';
import { readRows } from '../amount-rows.ts';
import type { TypeRules } from '../rules.ts';
import { readReturnPeriod } from './period.ts';
import { TAXPAYER, TIME } from './taxpayer.ts';
import { TAX_COLUMNS, TAX_NEEDS } from './taxes.ts';

const TAXES: Record<string, FieldKey> = {
  taxable: 'taxable_value',
  igst: 'igst',
  cgst: 'cgst',
  sgst: 'sgst',
  cess: 'gst_cess',
};

/** The statement of outward supplies. */
export const gstr1: TypeRules = {
  type: 'gstr_1',
  cues: {
    title: /^(?:[^a-z]*)(?:form\s+|filed\s+|gst\s+)*gstr\s?-?\s?1\b(?![\s-]*[a-z]\b)/i,
    words: [
      /59\(1\)/,
      /outward supplies of goods or services/i,
      /b2b/i,
      /hsn[- ]wise|hsn summary/i,
      /total liability/i,
    ],
    not: [/gstr\s?-?\s?(?:3b|9)\b\s*(?:\[|$)/im, /\b(?:experience|education|curriculum vitae)\b/i],
  },
  fields: {
    ...TAXPAYER,
    ...TIME,
    turnover: 'aggregate turnover[^:\\d]*|gross turnover[^:\\d]*',
  },
  more(reading) {
    readReturnPeriod(reading);
    // A row of some table may end with `Total` too.
    for (const labels of [
      'total liability[^:]*|grand total|total \\(outward[^:]*|total outward[^:]*',
      'total',
    ])
      readRows(reading, TAX_COLUMNS, TAX_NEEDS, [{ labels, fields: TAXES }]);
  },
};
