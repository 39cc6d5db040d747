import type { TypeRules } from '../rules.ts';

const last = (labels: string) => ({ labels, nth: -1 });

/** Part B of Form 16: salary, deductions and tax; of two columns the last one holds the total. */
export const SALARY: NonNullable<TypeRules['fields']> = {
  salary_17_1: last(
    'salary as per (?:the )?provisions contained in (?:section|sec)? ?17 ?\\(1\\)|salary (?:as per|under|u/s)(?: section)? 17 ?\\(1\\)',
  ),
  perquisites_17_2: last(
    'value of perquisites[^:]*17 ?\\(2\\)[^:]{0,60}|perquisites (?:as per|under|u/s)(?: section)? 17 ?\\(2\\)',
  ),
  profits_17_3: last('profits in lieu of salary[^:]*17 ?\\(3\\)[^:]{0,60}|profits in lieu of salary'),
  gross_salary: last('gross salary|total gross salary|gross salary total'),
  exempt_allowances: last(
    'total amount of exemption claimed (?:under|u/s) (?:section )?10|(?:less ?:? ?)?allowances? (?:to the extent )?exempt (?:under|u/s) (?:section )?10|exempt allowances[^:]{0,20}|exemptions? (?:under|u/s) (?:section )?10',
  ),
  standard_deduction: last('standard deduction[^:]*'),
  professional_tax: last('tax on employment[^:]*|professional? tax[^:]*'),
  income_salary: last(
    'income chargeable under the head [“"\']?salar(?:y|ies)[^:]{0,20}|income (?:under the head |from )?[“"\']?salar(?:y|ies)[”"\']?',
  ),
  income_other_sources: last(
    'income (?:under the head |from )other sources[^:]*|total amount of other income[^:]*|any other income reported[^:]*',
  ),
  gross_total_income: last('gross total income[^:]*'),
  deduction_80c: last(
    '(?:deductions? [^:]{0,80})?(?:under|u/s|section) ?(?:section )?80 ?c(?![a-z])[^:]*|80c',
  ),
  deduction_80ccd_1b: last(
    '(?:deductions? [^:]{0,90})?(?:under|u/s|section) ?(?:section )?80 ?ccd ?\\(1b\\)[^:]*|80ccd ?\\(1b\\)',
  ),
  deduction_80d: last(
    '(?:deductions? [^:]{0,80})?(?:under|u/s|section) ?(?:section )?80 ?d(?![a-z])[^:]*|80d',
  ),
  deductions_via: last(
    'aggregate of deductible amount[^:]*|total deductions? (?:under|u/s) chapter vi-?a[^:]*|deductions? (?:under|u/s) chapter vi-?a[^:]*|deductions under chapter vi-?a',
  ),
  total_income: last('total taxable income[^:]*|taxable income|total income[^:]*|net taxable income'),
  tax_on_income: last('tax on total income[^:]*|tax on taxable income|income tax on total income'),
  rebate_87a: last('rebate (?:under|u/s)? ?(?:section )?87a[^:]*|rebate 87a'),
  surcharge: last('surcharge[^:]*'),
  cess: last(
    'health and education cess[^:]*|education cess[^:]*|health & education cess[^:]*|cess[^:]{0,20}',
  ),
  tax_payable: last('tax payable[^:]*'),
  relief_89: last('(?:less ?:? ?)?relief (?:under|u/s) (?:section )?89[^:]*|relief 89'),
  net_tax_payable: last('net tax payable[^:]*|net tax[^:]{0,20}'),
  opted_out_115bac: {
    labels: 'whether opting out of taxation u/s 115bac[^:?]*\\??|opt(?:ing|ed) out of[^:?]*115bac[^:?]*\\??',
    like: /\b(yes|no)\b/i,
  },
};
