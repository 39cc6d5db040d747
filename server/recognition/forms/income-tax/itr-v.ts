import { ASSESSMENT_YEAR } from '#server/text/written-years.ts';
import type { LocatedValue } from '../../layout/labels.ts';
import type { Layout } from '../../layout/page.ts';
import type { TypeRules } from '../rules.ts';

/** Whether `(-)` is printed before an amount, directly or with a blank between, or the amount is negative. */
function isNegative({ lines }: Layout, { value, raw, words, line }: LocatedValue): boolean {
  if (value.startsWith('-') || /\(\s?[-–−]\s?\)/.test(raw)) return true;
  const before = lines[line]!.words.slice(0, lines[line]!.words.indexOf(words[0]!));
  return /\(\s?[-–−]\s?\)\s*(?:₹|rs\.?)?$/i.test(before.map(({ text }) => text).join(' '));
}

/** The acknowledgement of a return of income. */
export const itrV: TypeRules = {
  type: 'itr_v',
  cues: {
    title:
      /(?:indian\s+)?income\s+tax\s+return\s+(?:acknowledge?ment|verification)|^itr-?\s?v\b|acknowledge?ment\s+of\s+(?:income\s+tax\s+)?return/i,
    words: [
      /e-?filing\s+acknowledge?ment/i,
      /filed u\/s|filed under/i,
      /taxes paid/i,
      /refundable/i,
      /date of filing/i,
    ],
  },
  fields: {
    pan: 'pan|permanent account number',
    name: 'name(?: of (?:the )?(?:assessee|taxpayer))?|assessee name|taxpayer name',
    year: `${ASSESSMENT_YEAR}|tax year`,
    form_name: {
      labels: 'form no|form number|itr form|form|return form|itr type',
      like: /\bITR\s?-?\s?[1-7]\b/i,
    },
    filed_under: {
      labels: 'filed u\\/s|filed under(?: section)?|return filed (?:u\\/s|under)(?: section)?|section',
      like: /\b(1\d{2}\s?\(\d[A-Z]?\)|26\d\s?\(\d\))/i,
    },
    acknowledgement_no:
      'e-?filing acknowledge?ment (?:no|number)|acknowledge?ment (?:no|number)|ack(?:nowledge?ment)? no',
    date_of_filing: [
      'date of filing|filed on|filing date|date of (?:e-?filing|submission)|e-?filed on|submitted (?:electronically )?on',
      { labels: '(?:electronically )?transmitted (?:electronically )?on', within: true },
    ],
    status: {
      labels: 'status',
      like: /\b(individual|huf|hindu undivided family|(?:pvt\.?|private|public|domestic|foreign) company|company|firm|llp|trust|aop|boi|partnership firm|domestic company|private company|public company|local authority)\b[^:]{0,30}/i,
    },
    current_year_loss: {
      labels: 'current year business loss[^:]*|current year loss[^:]*|business loss[^:]*',
      nth: -1,
    },
    total_income: { labels: 'total income[^:]*', nth: -1 },
    net_tax_payable: { labels: 'net tax payable', nth: -1 },
    interest_and_fee: {
      labels: 'interest and fee payable|interest (?:and|&) fee[^:]*|interest payable[^:]*',
      nth: -1,
    },
    total_tax: {
      labels:
        'total tax,? interest and fee payable|total tax,? (?:interest )?(?:and|&) (?:fee|interest)[^:]*|total tax[^:]*',
      nth: -1,
    },
    taxes_paid: { labels: 'taxes paid|total taxes paid|tax paid', nth: -1 },
    refund: [{ labels: '\\(-\\) ?refundable|refundable|refund(?: due| amount)?|amount refundable', nth: -1 }],
    payable: [
      {
        labels: '\\(\\+\\) ?(?:tax )?payable|tax payable balance|balance (?:tax )?payable|amount payable',
        nth: -1,
      },
    ],
  },
  more(reading) {
    // One row for both, `(+) Tax Payable /(-) Refundable (6-7)`: the sign decides.
    if (reading.value('refund') !== undefined) return;
    const both = reading.locate('payable', {
      labels:
        '\\(\\+\\) ?tax payable ?\\/ ?\\(-\\) ?refundable[^:]*|tax payable ?\\/ ?\\(?-?\\)? ?refundable[^:]*',
      nth: -1,
    });
    if (!both) return;
    const known = reading.fields.findIndex(({ key }) => key === 'payable');
    if (known >= 0) reading.fields.splice(known, 1);
    reading.add(
      isNegative(reading.layout, both) ? 'refund' : 'payable',
      both.value.replace('-', ''),
      both.words,
      both.page,
      'itr_v.both',
    );
  },
};
