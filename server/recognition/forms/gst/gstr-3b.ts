import { readRows } from '../amount-rows.ts';
import type { TypeRules } from '../rules.ts';
import { readReturnPeriod } from './period.ts';
import { TAXPAYER, TIME } from './taxpayer.ts';
import { TAX_COLUMNS, TAX_NEEDS } from './taxes.ts';

/** The monthly return with what is owed and what is credited; without an ARN it is a draft. */
export const gstr3b: TypeRules = {
  type: 'gstr_3b',
  cues: {
    title: /^[^a-z]*(?:form\s+|filed\s+|gst\s+)*gstr\s?-?\s?3b\b/i,
    words: [/61\(5\)/, /3\.1/, /eligible itc/i, /outward (?:taxable )?supplies/i, /inward supplies/i],
  },
  fields: { ...TAXPAYER, ...TIME },
  more(reading) {
    readReturnPeriod(reading);
    readRows(reading, TAX_COLUMNS, TAX_NEEDS, [
      {
        labels:
          '(?:\\(a\\) )?outward taxable supplies ?\\(?other than[^:]*|(?:\\(a\\) )?outward taxable supplies(?! ?\\(zero)[^:]*',
        fields: {
          taxable: 'outward_taxable',
          igst: 'outward_igst',
          cgst: 'outward_cgst',
          sgst: 'outward_sgst',
          cess: 'outward_cess',
        },
      },
      {
        labels: '(?:\\(b\\) )?outward taxable supplies ?\\(zero[^:]*|zero rated[^:]*',
        fields: { taxable: 'zero_rated' },
      },
      {
        labels: '(?:\\(c\\) )?other outward supplies[^:]*|nil rated,? exempt[^:]*',
        fields: { taxable: 'exempt_supplies' },
      },
      {
        labels: '(?:\\(d\\) )?inward supplies ?\\(?liable[^:]*',
        fields: { taxable: 'inward_reverse_charge' },
      },
      { labels: '(?:\\(e\\) )?non-? ?gst outward[^:]*', fields: { taxable: 'non_gst' } },
      {
        labels: '(?:\\(?[a-d]\\)?\\.? )?net itc available[^:]*',
        fields: { igst: 'itc_igst', cgst: 'itc_cgst', sgst: 'itc_sgst', cess: 'itc_cess' },
      },
    ]);
  },
};
