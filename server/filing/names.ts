import type { KnownFields } from '#server/fields/contract.ts';
import { NONE_OF_THESE } from '#server/recognition/contract.ts';
import { repairName } from '#server/text/file-names.ts';
import { financialYear, monthOf } from '#server/text/years.ts';

/** Document types in file names. */
const TYPE_NAMES: Record<string, string> = {
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
  ledger: 'Ledger',
};

/** Names of renumbered forms for years from 2026 on. */
const SINCE_2026: Record<string, string> = {
  form_16: 'Form 130',
  form_16a: 'Form 131',
  form_26as: 'Form 168',
};

export const typeName = (type: string, year: number | null): string =>
  (year !== null && year >= 2026 ? SINCE_2026[type] : undefined) ?? TYPE_NAMES[type] ?? type;

/** The field that distinguishes documents of a type. */
const NUMBER_FIELDS: Record<string, string> = {
  invoice: 'invoice_no',
  e_invoice: 'invoice_no',
  credit_note: 'invoice_no',
  eway_bill: 'eway_bill_no',
  challan_income_tax: 'challan_no',
  challan_tds: 'challan_no',
  challan_gst: 'cpin',
  challan_pf: 'trrn',
  challan_esi: 'challan_no',
  notice: 'notice_no',
  cheque: 'cheque_no',
  bank_statement: 'account_no',
};
const ACCOUNT_DIGITS = 4;
const DATE_FIELDS = ['invoice_date', 'deposit_date', 'date', 'date_of_filing'];

type Values = KnownFields['fields'];

/** Only certain values: a doubtful number in a name would be believed. */
const certainValue = (values: Values, key: string | undefined): string =>
  values.find((field) => field.key === key && field.sure)?.value ?? '';

/**
 * An account is shortened to its last digits: enough to distinguish two accounts, and no more than on a cheque stub.
 */
function numberOf(type: string | null, values: Values): string {
  // SE/25-26/014 is commonly written SE-25-26-014 in file names.
  const number = certainValue(values, NUMBER_FIELDS[type ?? '']).replaceAll(/[/\\]/g, '-');
  return type === 'bank_statement' ? number.slice(-ACCOUNT_DIGITS) : number;
}

const dateOf = (values: Values): string =>
  DATE_FIELDS.map((key) => certainValue(values, key)).find((value) => value !== '') ?? '';

interface NameFacts {
  client: string;
  type: string | null;
  period: string | null;
  year: number | null;
  /** The values of the document. */
  values: Values;
  /** The present name of the file. */
  name: string;
}

/**
 * Builds a name from a pattern; unknown values are left out. If nothing would remain, the old name stays; the
 * extension always stays.
 */
export function nameBy(
  pattern: string,
  { client, type: recognisedType, period, year, values, name }: NameFacts,
): string {
  const type = recognisedType === NONE_OF_THESE ? null : recognisedType;
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const replacements: Record<string, string> = {
    client,
    type: type === null ? '' : typeName(type, year),
    period: period === null ? (year === null ? '' : financialYear(year)) : (monthOf(period) ?? period),
    year: year === null ? '' : financialYear(year),
    number: numberOf(type, values),
    date: dateOf(values),
    name: stem,
  };
  // Without a type, the old name says more.
  if (type === null && !pattern.includes('{name}')) return name;
  const built = pattern
    .replace(/\{(\w+)\}/g, (_, key: string) => replacements[key] ?? '')
    .replace(/\s+/g, ' ')
    .replace(/(?:^[\s_-]+|[\s_-]+$)/g, '')
    .replace(/([-_])(?:\s*\1)+/g, '$1');
  return repairName(`${built === '' ? stem : built}${extension}`);
}
