import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import { wordsBetween } from '../../layout/labels.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { readChallanRows } from './challan-rows.ts';
import { readLabelledSpan } from '../span.ts';
import { doubtYear } from './certificate-year.ts';
import { ofParty } from './of-party.ts';
import { readQuarters } from './quarters.ts';

const TO = /\bfrom\b.{6,20}?\bto\b\s*:?\s*(.{6,14})/i;

/** The end of the quarter where it stands beside its start: `From 01-Apr-2025 To 30-Jun-2025`. */
function readEndOfPeriod(reading: Reading): void {
  if (reading.value('period_to')) return;
  for (const line of reading.layout.lines) {
    const match = TO.exec(line.text);
    const date = match && readDate(match[1]!);
    if (!date) continue;
    const start = match.index + match[0].length - match[1]!.length;
    const words = wordsBetween(line, start, start + match[1]!.length);
    return reading.add('period_to', date.day, words, line.page, 'form_16a.period_to', 0.93);
  }
}

/** The certificate of tax deducted from income other than salary: Form 16A, from the tax year 2026-27 on Form 131. */
export const form16a: TypeRules = {
  type: 'form_16a',
  cues: {
    title: /^(?:t\.?d\.?s\.? certificate\W+)?form\s*(?:no\.?)?\s*:?\s*(?:16\s?a|131)\b/i,
    words: [
      /31\(1\)\(b\)/i,
      /certificate (?:under|u\/s)\s*(?:section)?\s*(?:203|395)/i,
      /deductee/i,
      /nature of payment|section code|section/i,
    ],
  },
  fields: {
    certificate_no: {
      labels: 'certificate no|certificate number|tds certificate no',
      // Seven capital letters on those of TRACES.
      like: /\b(?:(?=[A-Z0-9]*\d)[A-Z0-9]{5,12}|[A-Z]{7})\b/,
    },
    last_updated: 'last updated on|last updated|updated on',
    deductor_name: [
      "name of (?:the )?deductor|deductor(?:[’']s)? name|deductor",
      { labels: 'name and address of (?:the )?deductor[^:]*', where: 'below' },
    ],
    deductor_pan: [
      "pan of (?:the )?deductor|deductor(?:[’']s)? pan|pan no of (?:the )?deductor|permanent account number of (?:the )?deductor",
      ofParty('deductor', 'pan'),
    ],
    deductor_tan: [
      "tan of (?:the )?deductor|deductor(?:[’']s)? tan|tax deduction (?:and collection )?account number[^:]{0,40}|tan",
      ofParty('deductor', 'tan'),
    ],
    deductee_name: [
      "name of (?:the )?(?:deductee|payee)|deductee(?:[’']s)? name|deductee|payee",
      { labels: 'name and address of (?:the )?(?:deductee|payee)[^:]*', where: 'below' },
    ],
    deductee_pan: [
      "pan of (?:the )?(?:deductee|payee)|deductee(?:[’']s)? pan|pan no of (?:the )?deductee|permanent account number of (?:the )?deductee",
      ofParty('deductee|payee', 'pan'),
    ],
    year: `${ASSESSMENT_YEAR}[^:\\d]{0,12}|tax year|${FINANCIAL_YEAR}`,
    period_from: 'period from|from',
    period_to: 'period to|to',
    section: {
      labels: 'section(?: code)?|nature of payment(?: \\(section\\))?|under section|payment section',
      like: /\b(19\d[A-Z]{0,3}|39[234][^\s]{0,10})\b/i,
    },
    amount_paid: {
      labels: 'total amount paid[^:]*|amount paid[^:]*|amount credited[^:]*|total \\(rs\\.?\\)|total',
      nth: 0,
    },
    tax_deducted: 'total tax deducted|amount of tax deducted[^:]*|tax deducted[^:]*|tds deducted',
    tax_deposited: 'total tax deposited|amount of tax deposited[^:]*|tax deposited[^:]*',
  },
  more(reading) {
    readLabelledSpan(reading, 'period');
    readEndOfPeriod(reading);
    doubtYear(reading);
    readQuarters(reading, false);
    readChallanRows(reading);
  },
};
