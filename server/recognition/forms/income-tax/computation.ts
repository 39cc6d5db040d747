import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import type { TypeRules } from '../rules.ts';

const last = (labels: string) => ({ labels, nth: -1 });

/** A computation of income, as tax software and offices set it out. */
export const computation: TypeRules = {
  type: 'computation',
  cues: {
    title:
      /computation\s+(?:sheet\s+)?of\s+(?:total\s+|taxable\s+)?income|statement\s+of\s+(?:total\s+)?income|income\s+computation|tax\s+computation/i,
    words: [
      /gross total income/i,
      /previous year|assessment year/i,
      /tax (?:on|thereon)/i,
      /income from|profits and gains/i,
      /advance tax|self assessment/i,
    ],
    not: [/form\s*no\.?\s*16/i, /acknowledge?ment number/i],
  },
  fields: {
    name: 'name of (?:the )?assessee|assessee(?: name)?|name',
    father_name: "father(?:[’']?s)? name",
    pan: 'pan|permanent account number|p\\.a\\.n\\.?',
    date_of_birth: 'date of birth|d\\.?o\\.?b\\.?|date of (?:birth|incorporation)[^:]{0,20}',
    status: {
      labels: 'status',
      like: /\b(individual|huf|hindu undivided family|company|firm|llp|trust|aop|boi)\b/i,
    },
    year: `${ASSESSMENT_YEAR}|${FINANCIAL_YEAR}|tax year`,
    income_salary: last(
      'income (?:chargeable )?(?:under the head |from )?[“"\']?salar(?:y|ies)[^:]{0,12}|salary income|income from salary|salar(?:y|ies)',
    ),
    income_house_property: last('income (?:under the head |from )house property|house property(?: income)?'),
    income_business: last(
      '(?:income|profits?)(?: and gains)? (?:under the head |from )?(?:of )?business(?: (?:or|and|&) profession)?|business income|profits and gains (?:of|from) business[^:]{0,20}',
    ),
    income_capital_gains: last('(?:income (?:under the head |from )?)?capital gains?'),
    income_other_sources: last('income (?:under the head |from )other sources|other sources'),
    gross_total_income: last('gross total income'),
    deductions_via: last(
      '(?:less ?:? ?)?(?:total )?deductions? (?:under|u\\/s) chapter vi-?a|deductions? under chapter vi-?a|chapter vi-?a deductions?',
    ),
    total_income: last('(?:net )?total income(?: \\(rounded[^)]*\\))?|taxable income|net taxable income'),
    tax_on_income: last('tax (?:on|thereon)(?: total)?(?: income)?|tax at (?:normal|slab) rates?|income tax'),
    rebate_87a: last('(?:less ?:? ?)?rebate (?:under|u\\/s)? ?(?:section )?87a'),
    surcharge: last('(?:add ?:? ?)?surcharge'),
    cess: last('(?:add ?:? ?)?(?:health (?:and|&) education|education) cess[^:]{0,12}'),
    total_tax: last('total tax(?: payable| liability)?|tax liability|gross tax payable'),
    tds: last(
      '(?:less ?:? ?)?t\\.?d\\.?s\\.?(?: ?\\/ ?t\\.?c\\.?s\\.?)?(?: deducted)?|tax deducted at source(?: \\(tds\\))?',
    ),
    tcs: last('(?:less ?:? ?)?t\\.?c\\.?s\\.?|tax collected at source(?: \\(tcs\\))?'),
    advance_tax: last('(?:less ?:? ?)?advance tax(?: paid)?'),
    self_assessment_tax: last('(?:less ?:? ?)?self ?-?assessment tax(?: paid)?'),
    payable: last('balance (?:tax )?payable|tax payable|net tax payable|amount payable'),
    refund: last('refund(?: due)?|(?:tax|amount) refundable|refundable'),
  },
};
