import type { TypeRules } from '../rules.ts';
import { bankName } from './banks.ts';

/** A cheque, cancelled or to be paid. */
export const cheque: TypeRules = {
  type: 'cheque',
  cues: {
    title: /\bpay\b.*\b(?:or bearer|or order)|cancelled|a\/c payee|account payee/i,
    words: [
      /or bearer|or order/i,
      /\bpay\b/i,
      /\brupees\b/i,
      /\bIFSC?\b/i,
      /valid for (?:three|3) months/i,
      /multi-?city|payable at par/i,
      /please sign above/i,
    ],
    not: [/invoice|statement|payslip|balance/i],
  },
  fields: {
    pay_to: { labels: 'pay', like: /^[\s:]*(.+?)\s*(?:or (?:bearer|order))?\s*$/i },
    amount: ['rs|₹|amount|inr'],
    date: 'date',
    cheque_no: { labels: 'cheque (?:no|number)|chq no', like: /\d{6}/ },
    account_no: { labels: 'a\\/c ?(?:no|number)?|account (?:no|number)', like: /\d{9,18}/, within: true },
    ifsc: { labels: 'ifsc?(?: code)?|rtgs\\/neft ifsc?(?: code)?', within: true },
    micr: { labels: 'micr(?: code)?', within: true },
  },
  more(reading) {
    bankName(reading);
    // The MICR line at the bottom: "000123" 400002000: 012345 31.
    for (const line of reading.layout.lines) {
      const band = /(?<!\d)(\d{6})(?!\d)[^\dA-Za-z]{1,6}(\d{9})(?!\d)/.exec(line.text);
      if (!band) continue;
      if (!reading.value('cheque_no'))
        reading.add('cheque_no', band[1]!, line.words.slice(0, 1), line.page, 'cheque.band', 0.92);
      if (!reading.value('micr'))
        reading.add('micr', band[2]!, line.words.slice(1, 2), line.page, 'cheque.band', 0.92);
    }
  },
};
