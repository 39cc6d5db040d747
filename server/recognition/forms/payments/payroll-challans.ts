import type { FieldKey } from '../../contract.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader } from '../../layout/table.ts';
import type { RowRule } from '../amount-rows.ts';
import { readRows as readTableRows } from '../amount-rows.ts';
import { readPeriod } from '../../values/periods.ts';
import type { Reading, TypeRules } from '../rules.ts';

const last = (labels: string) => ({ labels, nth: -1 });

/** The month of wages: `03/2026`, `March 2026`, `APR-25`. */
export function wageMonth(reading: Reading): void {
  if (reading.value('period')) return;
  const found = reading.locate('subject', {
    labels:
      'wage month|(?:dues )?for the (?:wage )?month(?: of)?|contribution period|month(?: of contribution)?|pay period|salary (?:month|for)|wage period|return month|period',
    like: /.+/,
  });
  const period = found && readPeriod(found.raw);
  if (found && period && !period.period.startsWith('FY'))
    return reading.add('period', period.period, found.words, found.page, `${reading.type}.month`);
  for (const line of reading.layout.lines.slice(0, 15)) {
    const match =
      /(?:slip|for the month(?: of)?|for|month|period)\W+((?:[a-z]{3,9})[\s,.'-]*\d{2,4}|\d{2}\/\d{4})/i.exec(
        line.text,
      );
    const period = match && readPeriod(match[1]!);
    if (!period || period.period.startsWith('FY')) continue;
    reading.add('period', period.period, line.words, line.page, `${reading.type}.month.heading`, 0.92);
    return;
  }
}

const ACCOUNTS: ColumnRule[] = [
  { key: 'one', isNumber: true, heads: 'a/c ?(?:no)? ?0?1' },
  { key: 'two', isNumber: true, heads: 'a/c ?(?:no)? ?0?2' },
  { key: 'ten', isNumber: true, heads: 'a/c ?(?:no)? ?10' },
  { key: 'edli', isNumber: true, heads: 'a/c ?(?:no)? ?21' },
  { key: 'edli_charges', isNumber: true, heads: 'a/c ?(?:no)? ?22' },
  { key: 'total', isNumber: true, heads: 'total' },
];
const SHARES: RowRule[] = [
  { labels: 'admin(?:istration|istrative)?\\.? charges[^:]*', fields: { two: 'admin_charges' } },
  {
    labels: "employer(?:[’']?s)? share[^:]*",
    fields: { one: 'employer_share', ten: 'pension_fund', edli: 'edli' },
  },
  { labels: "employee(?:[’']?s)? share[^:]*", fields: { one: 'employee_share' } },
  { labels: '(?:grand )?total[^:]*', fields: { total: 'total' } },
];

/** Reads the shares by the columns of their accounts; values found by labels alone are less certain. */
function readAccounts(reading: Reading): void {
  const needs = [['one'], ['ten'], ['total']];
  if (!findHeader(reading.layout.lines, ACCOUNTS, needs)) return;
  const keys = new Set(SHARES.flatMap(({ fields }) => Object.values(fields)));
  const byLabel = reading.fields.filter(({ key }) => keys.has(key as FieldKey));
  for (const field of byLabel) reading.fields.splice(reading.fields.indexOf(field), 1);
  readTableRows(reading, ACCOUNTS, needs, SHARES);
  for (const field of byLabel)
    if (reading.value(field.key as FieldKey) === undefined) reading.fields.push(field);
}

/** Reads code and name in one cell: `MHBAN0000000000 SHARMA TRADERS`. */
function readEstablishment(reading: Reading): void {
  if (reading.value('name')) return;
  const codeAndName = reading.locate('name', 'establishment (?:code|id) ?(?:and|&) name');
  const name = codeAndName && /^[A-Z]{5}\d{7,15}[\s/:-]+(.{3,})$/.exec(codeAndName.raw)?.[1];
  if (codeAndName && name)
    reading.add('name', name, codeAndName.words.slice(1), codeAndName.page, 'challan_pf.establishment', 0.93);
}

/** Deposit of provident fund. */
export const challanPf: TypeRules = {
  type: 'challan_pf',
  cues: {
    title:
      /combined\s+challan|employees['’]?\s+provident\s+fund|\bepf\b.*challan|provident fund.*(?:challan|receipt)|\becr\b/i,
    words: [
      /\bTRRN\b/,
      /a\/c\.?\s*(?:no\.?\s*)?0?1\b/i,
      /establishment/i,
      /edli/i,
      /pension/i,
      /wage month|dues for/i,
    ],
    not: [/pay\s?slip|salary slip|net pay/i],
  },
  fields: {
    trrn: 'trrn(?: no| number)?|temporary return reference (?:number|no)',
    pf_code: 'establishment (?:code|id)(?: ?(?:and|&) name)?|estt? ?(?:code|id)|pf code',
    name: 'establishment name|name of (?:the )?establishment|employer(?: name)?',
    deposit_date:
      'date of (?:payment|deposit|receipt)|payment date|presentation date|date of (?:realisation|credit)|challan generated on|paid on|deposit date',
    employees:
      'total (?:subscribers|members|employees)[^:\\d]{0,10}|no of (?:employees|members|subscribers)|number of (?:employees|members)',
    wages: last('total wages|epf wages|wages'),
    employee_share: last("employee(?:[’']?s)? share[^:\\d]{0,20}|employee contribution"),
    employer_share: last("employer(?:[’']?s)? share[^:\\d]{0,20}|employer contribution"),
    pension_fund: last(
      'pension (?:fund|contribution)[^:\\d]{0,20}|eps contribution|a\\/c ?(?:no )?10[^:\\d]{0,20}',
    ),
    edli: last('edli(?: contribution)?[^:\\d]{0,10}|a\\/c ?(?:no )?21[^:\\d]{0,20}'),
    admin_charges: last('admin(?:istration|istrative)?\\.? charges[^:\\d]{0,20}'),
    total: last(
      'grand total|total (?:amount|remittance|payable)[^:\\d]{0,30}|amount paid|challan amount|total',
    ),
  },
  more(reading) {
    readEstablishment(reading);
    wageMonth(reading);
    readAccounts(reading);
  },
};

/** Deposit of employees' state insurance. */
export const challanEsi: TypeRules = {
  type: 'challan_esi',
  cues: {
    title: /employees['’]?\s+state\s+insurance|\besic?\b.*(?:challan|receipt|contribution)/i,
    words: [
      /\bESIC?\b/,
      /employer'?s?\s+code/i,
      /contribution/i,
      /challan (?:no|number|period)/i,
      /insured|IP\b/,
    ],
    not: [/pay\s?slip|salary slip|net pay/i],
  },
  fields: {
    esi_code: "employer(?:[’']?s)? code ?(?:no|number)?|esi code",
    name: "employer(?:[’']?s)? name|name of (?:the )?employer|establishment name",
    challan_no: { labels: 'challan (?:no|number)', like: /\d{10,20}/ },
    deposit_date:
      'challan submitted date|date of (?:payment|deposit|submission)|payment date|transaction date|paid on|challan (?:created )?date|deposit date',
    employees:
      'total (?:employees|ips?|insured persons)|no of (?:employees|ips?|insured persons)|number of (?:employees|insured persons)',
    wages: last('total (?:monthly )?wages|wages'),
    employee_share: last("(?:total )?(?:ip|employee)(?:[’']?s[’']?)? (?:contribution|share)"),
    employer_share: last("(?:total )?employer(?:[’']?s[’']?)? (?:contribution|share)"),
    total: last('total (?:contribution|amount(?: paid)?|amount payable)|amount paid|challan amount|total'),
  },
  more: wageMonth,
};
