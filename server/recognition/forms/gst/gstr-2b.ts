import { readRows } from '../amount-rows.ts';
import type { TypeRules } from '../rules.ts';
import { readReturnPeriod } from './period.ts';
import { readInvoices } from './invoices.ts';
import { TAXPAYER, TIME } from './taxpayer.ts';
import { TAX_COLUMNS, TAX_NEEDS } from './taxes.ts';

/** The statement of credit, which the portal draws up. */
export const gstr2b: TypeRules = {
  type: 'gstr_2b',
  cues: {
    title: /(?:form\s+)?gstr\s?-?\s?2b\b|auto-?\s?drafted itc statement/i,
    words: [
      /60\(7\)/,
      /itc available/i,
      /itc not available/i,
      /auto-?\s?drafted/i,
      /inward supplies/i,
      /date of generation/i,
    ],
  },
  // The portal draws it up: there is no ARN and no date of filing.
  fields: {
    gstin: TAXPAYER.gstin,
    legal_name: TAXPAYER.legal_name,
    trade_name: TAXPAYER.trade_name,
    ...TIME,
    date: 'date of generation|generated on|generation date',
  },
  more(reading) {
    readReturnPeriod(reading);
    readRows(reading, TAX_COLUMNS, TAX_NEEDS, [
      {
        labels: '(?:total )?itc available[^:]*|all other itc[^:]*|total itc available',
        fields: { igst: 'itc_igst', cgst: 'itc_cgst', sgst: 'itc_sgst', cess: 'itc_cess' },
      },
      {
        labels: '(?:total )?itc not available[^:]*',
        fields: { igst: 'itc_unavailable_igst', cgst: 'itc_unavailable_cgst', sgst: 'itc_unavailable_sgst' },
      },
    ]);
    readInvoices(reading);
  },
};
