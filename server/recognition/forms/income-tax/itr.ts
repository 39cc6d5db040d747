import { ASSESSMENT_YEAR } from '#server/text/written-years.ts';
import type { TypeRules } from '../rules.ts';

const last = (labels: string) => ({ labels: `(?:[a-d]\\d{1,2}[.)]? )?(?:${labels})`, nth: -1 });

/** A return of income as it is printed: Form ITR-1 to ITR-7; its acknowledgement is a type of its own. */
export const itr: TypeRules = {
  type: 'itr',
  cues: {
    title: /^(?:form\s+)?itr\s?-?\s?[1-7]\b|^indian\s+income\s+tax\s+return\W*$|\b(?:sahaj|sugam)\b/i,
    words: [
      /part a\W+general information/i,
      /gross total income/i,
      /part [bcd]\b/i,
      /schedule [a-z]{2,4}\b/i,
      /computation of tax payable/i,
      /refer instructions/i,
      /verification/i,
    ],
    not: [/acknowledge?ment\s+number|acknowledge?ment$/im, /form\s*no\.?\s*(?:16|26)/i],
  },
  fields: {
    form_name: { labels: 'form|itr', like: /\bITR\s?-?\s?[1-7]\b/i },
    pan: '(?:\\(?a\\d{1,2}\\)? )?(?:pan|permanent account number)',
    name: '(?:full )?name(?: of (?:the )?assessee)?',
    date_of_birth: '(?:\\(?a\\d{1,2}\\)? )?date of (?:birth|formation|incorporation)',
    year: `${ASSESSMENT_YEAR}|tax year`,
    gross_total_income: last('gross total income'),
    total_income: last('total (?:taxable )?income'),
    total_tax: last('total tax,? (?:fee|interest) and (?:fee|interest)|total tax(?:,? fee and interest)?'),
    taxes_paid: last('total taxes paid|taxes paid'),
    refund: last('refund'),
    payable: last('(?:amount|balance|tax) payable'),
  },
  more(reading) {
    if (reading.value('form_name')) return;
    for (const line of reading.layout.lines.slice(0, 10)) {
      const form = /\bITR\s?-?\s?([1-7])\b/i.exec(line.text);
      if (form) return reading.add('form_name', `ITR-${form[1]}`, line.words, line.page, 'itr.form', 0.93);
    }
  },
};
