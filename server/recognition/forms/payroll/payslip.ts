import type { Reading, TypeRules } from '../rules.ts';
import { wageMonth } from '../payments/payroll-challans.ts';

const amount = (labels: string) => ({ labels, nth: 0 });

/** The name over a payslip. */
function employerOf(reading: Reading): void {
  if (reading.value('employer_name')) return;
  for (const line of reading.layout.lines.slice(0, 6))
    for (const cell of line.cells)
      if (
        /[a-z]{3}/i.test(cell.text) &&
        !/:|pay\s?slip|salary|month|period|\d{4}|confidential|statement|^\(/i.test(cell.text)
      )
        return reading.add('employer_name', cell.text, cell.words, line.page, 'payslip.head', 0.91);
}

/** What was paid to an employee for a month. */
export const payslip: TypeRules = {
  type: 'payslip',
  cues: {
    title:
      /\bpay\s?-?\s?slip\b|\bsalary\s+slip\b|\bwage\s+slip\b|salary\s+statement\s+for|pay\s+(?:advice|statement)/i,
    words: [
      /earnings/i,
      /deductions/i,
      /net (?:pay|salary)/i,
      /basic/i,
      /\bhra\b|house rent/i,
      /\buan\b/i,
      /employee (?:id|code|no|name)/i,
      /provident fund|\bpf\b/i,
    ],
    not: [/form\s*no\.?\s*16/i],
  },
  fields: {
    employer_name: 'company(?: name)?|employer(?: name)?|name of (?:the )?(?:company|employer)',
    employee_name: 'employee name|name of (?:the )?employee|emp name|name',
    employee_id: {
      labels: 'employee (?:id|code|no|number)|emp\\.? (?:id|code|no)|staff (?:id|no)|employee #',
      like: /(?=\S*\d)[A-Z0-9/-]{1,15}/i,
    },
    designation: 'designation|job title|position',
    employee_pan: 'pan(?: no| number)?|permanent account number',
    uan: 'uan(?: no| number)?|universal account (?:number|no)',
    account_no: {
      labels: '(?:bank )?(?:a\\/c|account|acc)\\.? ?(?:no|number)?|bank account(?: no)?',
      like: /\b\d{9,18}\b/,
    },
    paid_days: 'paid days|days (?:paid|worked|payable)|payable days|working days|days present',
    basic: amount('basic(?: salary| pay| \\+ da)?'),
    hra: amount('h\\.?r\\.?a\\.?|house rent allowance(?: \\(hra\\))?'),
    gross_earnings: amount('gross (?:earnings?|salary|pay)|total earnings?|earnings total|gross'),
    pf_deduction: amount(
      '(?:employee )?(?:e?pf|provident fund)(?: contribution| deduction| \\(epf\\))?|employee pf|epf contribution',
    ),
    esi_deduction: amount('e\\.?s\\.?i\\.?c?(?: contribution| deduction)?|employee state insurance'),
    professional_tax: amount('prof(?:ession(?:al)?|\\.)? ?tax|p\\.?tax|p\\.?t\\.?'),
    tax_deducted: amount('t\\.?d\\.?s\\.?|income tax(?: \\(tds\\))?|tax deducted at source'),
    total_deductions: amount('total deductions?|gross deductions?|deductions total'),
    net_pay: amount(
      'net (?:pay(?:able)?|salary|amount|take ?-?home)(?: pay)?(?: \\([^)]*\\))?|take home(?: pay)?|total net pay(?:able)?|net salary payable',
    ),
  },
  more(reading) {
    employerOf(reading);
    wageMonth(reading);
  },
};
