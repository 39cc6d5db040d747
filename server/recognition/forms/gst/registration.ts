import type { TypeRules } from '../rules.ts';

/** The certificate of registration, Form GST REG-06. */
export const gstRegistration: TypeRules = {
  type: 'gst_registration',
  cues: {
    title:
      /form\s+gst\s+reg\s?-?\s?0?6|registration certificate|certificate of registration|gst registration/i,
    words: [
      /10\(1\)/,
      /constitution of business/i,
      /principal place of business/i,
      /date of liability/i,
      /type of registration/i,
      /period of validity/i,
    ],
    not: [/registrar of companies|incorporation/i],
  },
  fields: {
    gstin: 'registration (?:number|no)[^:]{0,12}|gstin|gst identification number',
    legal_name: 'legal name(?: of (?:the )?business)?',
    trade_name: 'trade name(?:,? if any)?|additional trade names?',
    constitution: 'constitution of business|constitution',
    address: 'address of principal place of business|principal place of business|address',
    date_of_liability: 'date of liability',
    valid_from: [
      'from|valid from|(?:date of |period of )?validity from',
      { labels: 'period of validity|validity', where: 'beside' },
    ],
    valid_until: 'valid (?:to|until|upto)|validity to',
    registration_type: 'type of registration|registration type',
    date: 'date of issue(?: of certificate)?|issued on|date',
  },
};
