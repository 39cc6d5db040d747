import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import { findAmount } from '../../layout/values.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { readChallanRows } from './challan-rows.ts';
import { readLabelledSpan } from '../span.ts';
import { doubtYear } from './certificate-year.ts';
import { ofParty } from './of-party.ts';
import { readQuarters } from './quarters.ts';
import { SALARY } from './salary.ts';

/** Reads `(d) Total` under the three parts of section 17, which has no label of its own. */
function readSalaryTotal(reading: Reading): void {
  const { lines } = reading.layout;
  const section = lines.findIndex(({ text }) => /17\s?\(3\)/.test(text));
  if (section < 0 || reading.value('gross_salary')) return;
  const total = lines
    .slice(section + 1, section + 5)
    .find(({ text }) => /^\W*(?:\(?[de]\)?\W*)?total\b/i.test(text));
  const cell = total?.cells.at(-1);
  const found = cell && findAmount(cell.text);
  if (found) reading.add('gross_salary', found.value, cell.words, total!.page, 'form_16.section_17.total');
}

const [EMPLOYER, EMPLOYEE] = ['employer|deductor', 'employee|deductee'];

/** The certificate of tax on a salary: Form 16, from the tax year 2026-27 on Form 130. */
export const form16: TypeRules = {
  type: 'form_16',
  cues: {
    title: /^(?:t\.?d\.?s\.? certificate\W+)?form\s*(?:no\.?)?\s*:?\s*(?:16|130)\b(?!\s*[a-e]\b)/i,
    words: [
      /certificate (?:under|u\/s)\s*(?:section)?\s*(?:203|395)/i,
      /details of salary paid/i,
      /employer/i,
      /section 17\(1\)/i,
      /31\(1\)\(a\)/i,
      /period with the employer/i,
    ],
    not: [/31\(1\)\(b\)|form\s*(?:no\.?)?\s*(?:16a|131)\b/i],
  },
  fields: {
    certificate_no: {
      labels: 'certificate no|certificate number|tds certificate no',
      // Seven capital letters on those of TRACES.
      like: /\b(?:(?=[A-Z0-9]*\d)[A-Z0-9]{5,12}|[A-Z]{7})\b/,
    },
    last_updated: 'last updated on|last updated|updated on|date of update',
    employer_name: [
      "name of (?:the )?employer|name of (?:the )?deductor|employer(?:[’']s)? name|deductor name",
      {
        labels:
          'name and address of (?:the )?(?:employer|deductor)[^:]*|employer(?: name)?(?:/| and )(?:specified bank|address)',
        where: 'below',
      },
      { labels: 'employer|deductor', where: 'beside' },
    ],
    employer_pan: [
      "pan of (?:the )?(?:deductor|employer)|(?:deductor|employer)(?:[’']s)? pan|pan no of (?:the )?(?:deductor|employer)|permanent account number of (?:the )?(?:deductor|employer)",
      ofParty(EMPLOYER, 'pan'),
    ],
    employer_tan: [
      "tan of (?:the )?(?:deductor|employer)|(?:deductor|employer)(?:[’']s)? tan|tan no of (?:the )?(?:deductor|employer)|tax deduction (?:and collection )?account number[^:]{0,40}|tan",
      ofParty(EMPLOYER, 'tan'),
    ],
    employee_name: [
      "name of (?:the )?employee|employee(?:[’']s)? name|name of (?:the )?deductee",
      { labels: 'name and (?:address|designation) of (?:the )?employee[^:]*', where: 'below' },
      { labels: 'employee', where: 'beside' },
    ],
    employee_pan: [
      "pan of (?:the )?(?:employee|deductee)[^:]{0,30}|employee(?:[’']s)? pan|pan no of (?:the )?employee|permanent account number of (?:the )?employee|employee pan",
      ofParty(EMPLOYEE, 'pan'),
    ],
    year: `${ASSESSMENT_YEAR}[^:\\d]{0,12}|tax year|${FINANCIAL_YEAR}`,
    period_from: ['period from|from|employed from|employment from'],
    period_to: ['period to|to|employed (?:to|until|upto)|employment to'],
    ...SALARY,
  },
  more(reading) {
    readLabelledSpan(reading, 'period(?: with (?:the )?employer| of employment)?|employment period');
    doubtYear(reading);
    readQuarters(reading);
    readChallanRows(reading);
    readSalaryTotal(reading);
  },
};
