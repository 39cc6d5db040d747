import type { TypeRules } from '../rules.ts';
import { readChallanRows } from './challan-rows.ts';
import { readQuarters } from './quarters.ts';
import { SALARY } from './salary.ts';

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
      like: /\b(?=[A-Z0-9]*\d)[A-Z0-9]{5,12}\b/i,
    },
    last_updated: 'last updated on|last updated|updated on|date of update',
    employer_name: [
      "name of (?:the )?employer|name of (?:the )?deductor|employer(?:[’']s)? name|deductor name|employer|deductor",
      {
        labels:
          'name and address of (?:the )?(?:employer|deductor)[^:]*|employer(?: name)?(?:/| and )(?:specified bank|address)',
        where: 'below',
      },
    ],
    employer_pan:
      "pan of (?:the )?(?:deductor|employer)|(?:deductor|employer)(?:[’']s)? pan|pan no of (?:the )?(?:deductor|employer)|permanent account number of (?:the )?(?:deductor|employer)",
    employer_tan:
      "tan of (?:the )?(?:deductor|employer)|(?:deductor|employer)(?:[’']s)? tan|tan no of (?:the )?(?:deductor|employer)|tax deduction (?:and collection )?account number[^:]{0,40}|tan",
    employee_name: [
      "name of (?:the )?employee|employee(?:[’']s)? name|name of (?:the )?deductee|employee",
      { labels: 'name and address of (?:the )?employee[^:]*', where: 'below' },
    ],
    employee_pan:
      "pan of (?:the )?(?:employee|deductee)[^:]{0,30}|employee(?:[’']s)? pan|pan no of (?:the )?employee|permanent account number of (?:the )?employee|employee pan",
    year: 'assessment year[^:\\d]{0,12}|a\\.?y\\.?|tax year|financial year|f\\.?y\\.?',
    period_from: ['period from|from|employed from|employment from'],
    period_to: ['period to|to|employed (?:to|until|upto)|employment to'],
    ...SALARY,
  },
  more(reading) {
    readQuarters(reading);
    readChallanRows(reading);
  },
};
