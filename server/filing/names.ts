import { repairName } from '#server/text/names.ts';
import { financialYear, monthOf } from '#server/text/years.ts';

/** What documents are called in names of files. */
export const TYPE_NAMES: Record<string, string> = {
  form_16: 'Form 16',
  form_16a: 'Form 16A',
  form_26as: 'Form 26AS',
  ais: 'AIS',
  tis: 'TIS',
  itr_v: 'ITR-V',
  itr: 'ITR',
  computation: 'Computation',
  gstr_1: 'GSTR-1',
  gstr_2b: 'GSTR-2B',
  gstr_3b: 'GSTR-3B',
  gstr_9: 'GSTR-9',
  gst_registration: 'GST registration',
  eway_bill: 'E-way bill',
  e_invoice: 'E-invoice',
  invoice: 'Invoice',
  credit_note: 'Credit note',
  challan_income_tax: 'Income tax challan',
  challan_tds: 'TDS challan',
  challan_gst: 'GST challan',
  challan_pf: 'PF challan',
  challan_esi: 'ESI challan',
  bank_statement: 'Bank statement',
  cheque: 'Cheque',
  balance_sheet: 'Balance sheet',
  audit_report: 'Audit report',
  notice: 'Notice',
  engagement_letter: 'Engagement letter',
  pan_card: 'PAN card',
  aadhaar: 'Aadhaar',
  incorporation: 'Certificate of incorporation',
  deed: 'Deed',
  payslip: 'Payslip',
};

/** Types that are called otherwise for years from 2026 on. */
const SINCE_2026: Record<string, string> = {
  form_16: 'Form 130',
  form_16a: 'Form 131',
  form_26as: 'Form 168',
};

export const typeName = (type: string, year: number | null): string =>
  (year !== null && year >= 2026 ? SINCE_2026[type] : undefined) ?? TYPE_NAMES[type] ?? type;

export interface NameFacts {
  client: string;
  type: string | null;
  period: string | null;
  year: number | null;
  /** As the file is called now. */
  name: string;
}

/**
 * The name by a pattern; what is not known is left out. A name that would say nothing stays as it is, and the ending is
 * always kept.
 */
export function nameBy(pattern: string, { client, type, period, year, name }: NameFacts): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const known: Record<string, string> = {
    client,
    type: type === null ? '' : typeName(type, year),
    period: period === null ? (year === null ? '' : financialYear(year)) : (monthOf(period) ?? period),
    year: year === null ? '' : financialYear(year),
    name: stem,
  };
  // Of what nothing is known but whose it is, the old name says more.
  if (type === null && !pattern.includes('{name}')) return name;
  const made = pattern
    .replace(/\{(\w+)\}/g, (_, key: string) => known[key] ?? '')
    .replace(/\s+/g, ' ')
    .replace(/(?:^[\s_-]+|[\s_-]+$)/g, '')
    .replace(/([-_])(?:\s*\1)+/g, '$1');
  return repairName(`${made === '' ? stem : made}${ending}`);
}
