import type { DocumentType, FieldKey, Recognised, RecognisedField, RecognisedPage } from '../contract.ts';
import { FIELD_KINDS } from '../contract.ts';
import { SHAPES, shapeOf } from '../identifiers/shapes.ts';
import { normalIdentifier } from '../layout/values.ts';
import { readDate } from '../values/dates.ts';
import { monthPeriod, wholeYear, yearPeriod } from '../values/periods.ts';

type Json = Record<string, unknown>;

/** How to identify a portal's JSON file, and the dotted paths of its fields. */
interface JsonRules {
  type: DocumentType;
  /** Paths that must exist. */
  has: string[];
  /** What else tells the file from others with these paths. */
  fits?: (data: Json) => boolean;
  /** The path of each field, or those of its parts, such as the names of a person. */
  fields: [FieldKey, string | string[]][];
  /** The path of the month, as `032026`, of the last month of the year, or of the assessment year, as `2026`. */
  month?: string;
  lastMonth?: string;
  assessment?: string;
}

const TAXES = ['igst iamt', 'cgst camt', 'sgst samt', 'cess csamt'].map(
  (pair) => pair.split(' ') as [string, string],
);

/** The parts of a GSTR-1 beside `b2b`, which a statement of purchases has too. */
const OUTWARD =
  'gt cur_gt b2cl b2cla b2cs b2csa cdnr cdnra cdnur cdnura exp expa hsn nil doc_issue at txpd'.split(' ');
/** Parts and marks of other returns that have a GSTIN and a period: GSTR-2A, 4, 5, 6, 7 and 8, ITC-04 and GSTR-9. */
const OTHER_RETURNS =
  /^(?:table\d\w*|tdsa?|tcsa?|isda?|cdna?|b2bur|b2bor|txos|imp_?[gs]\w*|m2jw|jw2m|elgitc|isdcn\w*)$/i;
const OF_PURCHASES = ['cfs3b', 'fldtr1', 'flprdr1'];

function isOutward(data: Json): boolean {
  if (Object.keys(data).some((key) => OTHER_RETURNS.test(key))) return false;
  if (OUTWARD.some((key) => data[key] !== undefined)) return true;
  const supplies = [data.b2b, data.b2ba].flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : []));
  return (
    supplies.length > 0 &&
    !supplies.some((supply) => OF_PURCHASES.some((key) => valueAt(supply, key) !== undefined))
  );
}

const RULES: JsonRules[] = [
  {
    type: 'gstr_3b',
    has: ['gstin', 'ret_period', 'sup_details'],
    month: 'ret_period',
    fields: [
      ['gstin', 'gstin'],
      ['outward_taxable', 'sup_details.osup_det.txval'],
      ...TAXES.map(([name, path]): [FieldKey, string] => [
        `outward_${name}` as FieldKey,
        `sup_details.osup_det.${path}`,
      ]),
      ...TAXES.map(([name, path]): [FieldKey, string] => [
        `itc_${name}` as FieldKey,
        `itc_elg.itc_net.${path}`,
      ]),
      ['zero_rated', 'sup_details.osup_zero.txval'],
      ['exempt_supplies', 'sup_details.osup_nil_exmp.txval'],
      ['inward_reverse_charge', 'sup_details.isup_rev.txval'],
      ['non_gst', 'sup_details.osup_nongst.txval'],
    ],
  },
  {
    type: 'gstr_2b',
    has: ['data.gstin', 'data.rtnprd', 'data.docdata'],
    month: 'data.rtnprd',
    fields: [
      ['gstin', 'data.gstin'],
      ['date', 'data.gendt'],
      ...['igst', 'cgst', 'sgst', 'cess'].map((tax): [FieldKey, string] => [
        `itc_${tax}` as FieldKey,
        `data.itcsumm.itcavl.nonrevsup.${tax}`,
      ]),
    ],
  },
  {
    type: 'gstr_1',
    has: ['gstin', 'fp'],
    fits: isOutward,
    month: 'fp',
    fields: [
      ['gstin', 'gstin'],
      ['turnover', 'gt'],
    ],
  },
  {
    type: 'gstr_9',
    has: ['gstin', 'fp', 'table4'],
    lastMonth: 'fp',
    fields: [['gstin', 'gstin']],
  },
  {
    type: 'e_invoice',
    has: ['DocDtls', 'SellerDtls', 'ValDtls'],
    fields: [
      ['irn', 'Irn'],
      ['irn_ack_no', 'AckNo'],
      ['irn_date', 'AckDt'],
      ['supplier_name', 'SellerDtls.LglNm'],
      ['supplier_gstin', 'SellerDtls.Gstin'],
      ['buyer_name', 'BuyerDtls.LglNm'],
      ['buyer_gstin', 'BuyerDtls.Gstin'],
      ['invoice_no', 'DocDtls.No'],
      ['invoice_date', 'DocDtls.Dt'],
      ['taxable_value', 'ValDtls.AssVal'],
      ['igst', 'ValDtls.IgstVal'],
      ['cgst', 'ValDtls.CgstVal'],
      ['sgst', 'ValDtls.SgstVal'],
      ['gst_cess', 'ValDtls.CesVal'],
      ['total', 'ValDtls.TotInvVal'],
    ],
  },
];

const valueAt = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (parent, name) => (parent && typeof parent === 'object' ? (parent as Json)[name] : undefined),
      data,
    );

/**
 * An ITR of any number has its parts under its own name. The short forms, ITR-1 and ITR-4, have the taxes beside the parts, the others in
 * Part B; firms, companies and trusts, which file ITR-5 to ITR-7, are no persons. `PartB_TI` is that of ITR-7.
 */
function incomeReturn(data: Json): { rules: JsonRules; part: unknown } | null {
  const [name, part] = Object.entries((data.ITR ?? {}) as Json).find(([key]) => /^ITR[1-7]$/.test(key)) ?? [];
  if (!name) return null;
  const present = (...paths: string[]): string =>
    paths.find((path) => valueAt(part, path) !== undefined) ?? paths[0]!;
  const assessee = present('PersonalInfo', 'PartA_GEN1.PersonalInfo', 'PartA_GEN1.OrgFirmInfo');
  const income = present(`${name}_IncomeDeductions`, 'IncomeDeductions', 'PartB-TI', 'PartB_TI');
  return {
    part,
    rules: {
      type: 'itr',
      has: [],
      assessment: `Form_${name}.AssessmentYear`,
      fields: [
        ['form_name', `Form_${name}.FormName`],
        ['pan', `${assessee}.PAN`],
        ['aadhaar', `${assessee}.AadhaarCardNo`],
        [
          'name',
          ['FirstName', 'MiddleName', 'SurNameOrOrgName'].map((part) => `${assessee}.AssesseeName.${part}`),
        ],
        ['date_of_birth', present(`${assessee}.DOB`, `${assessee}.DateOFFormOrIncorp`)],
        ['gross_total_income', present(`${income}.GrossTotIncome`, `${income}.GrossTotalIncome`)],
        ['total_income', `${income}.TotalIncome`],
        ['taxes_paid', `${present('TaxPaid', 'PartB_TTI.TaxPaid')}.TaxesPaid.TotalTaxesPaid`],
        ['payable', `${present('TaxPaid', 'PartB_TTI.TaxPaid')}.BalTaxPayable`],
        ['refund', `${present('Refund', 'PartB_TTI.Refund')}.RefundDue`],
      ],
    },
  };
}

/** The value at a path, or the texts at several, joined by blanks. */
const joinedAt = (data: unknown, path: string | string[]): unknown =>
  typeof path === 'string'
    ? valueAt(data, path)
    : path
        .map((part) => valueAt(data, part))
        .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
        .map((text) => text.trim())
        .join(' ');

function valueOf(key: FieldKey, json: unknown): string | null {
  const text = typeof json === 'number' || typeof json === 'string' ? String(json).trim() : '';
  if (text === '') return null;
  const kind = FIELD_KINDS[key];
  if (kind === 'amount') return Number.isFinite(Number(text)) ? String(Math.round(Number(text) * 100)) : null;
  if (kind === 'date') return readDate(text)?.day ?? null;
  return kind === 'identifier' ? normalIdentifier(shapeOf(key) ?? key, text) : text.slice(0, 200);
}

function fieldOf(key: FieldKey, json: unknown, type: DocumentType): RecognisedField[] {
  const value = valueOf(key, json);
  if (value === null) return [];
  const shape = SHAPES[shapeOf(key) ?? ''];
  const check = shape?.check(String(json).toUpperCase().replace(/[\s-]/g, ''));
  const field = { key, kind: FIELD_KINDS[key], value, raw: String(json), page: 1, box: null };
  return [
    { ...field, sure: check === 'failed' ? 0.3 : 0.99, rule: `${type}.json.${key}`, ...(check && { check }) },
  ];
}

function periodOf(
  { month, lastMonth, assessment }: JsonRules,
  data: unknown,
): Pick<Recognised, 'year' | 'period'> {
  const path = month ?? lastMonth;
  const [, mm, yyyy] = /^(\d{2})(\d{4})$/.exec(String((path && valueAt(data, path)) ?? '')) ?? [];
  if (mm && yyyy) {
    const period = monthPeriod(Number(yyyy), Number(mm));
    return lastMonth ? wholeYear(period.year) : period;
  }
  const year = Number(assessment && valueAt(data, assessment)) - 1;
  return year > 2000 ? wholeYear(year) : { year: null, period: null };
}

/** Recognises a portal's JSON file by its own names; null for an unknown one. */
export function recogniseJson([page]: readonly RecognisedPage[]): Recognised | null {
  if (!page || !/^\s*\{/.test(page.text)) return null;
  let data: Json;
  try {
    data = JSON.parse(page.text) as Json;
  } catch {
    return null;
  }
  const itr = incomeReturn(data);
  const rules =
    itr?.rules ??
    RULES.find(
      ({ has, fits }) => has.every((path) => valueAt(data, path) !== undefined) && (!fits || fits(data)),
    );
  if (!rules) return null;
  const part = itr?.part ?? data;
  const fields = rules.fields.flatMap(([key, path]) => fieldOf(key, joinedAt(part, path), rules.type));
  const { year, period } = periodOf(rules, part);
  const source = { raw: period ?? '', page: 1, box: null, sure: 0.99, rule: `${rules.type}.json.period` };
  if (year !== null) fields.push({ key: 'year', kind: 'period', value: yearPeriod(year), ...source });
  if (rules.month && period) fields.push({ key: 'period', kind: 'period', value: period, ...source });
  return { type: rules.type, type_sure: 1, year, period, fields, tables: [] };
}
