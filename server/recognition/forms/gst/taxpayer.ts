import type { TypeRules } from '../rules.ts';

/** Whose return it is, and of when: the head of every return of GST. */
export const TAXPAYER = {
  gstin:
    'gstin(?: of (?:the )?(?:taxpayer|supplier|recipient|registered person))?|1 gstin|gst identification number|gst no|registration number',
  legal_name:
    'legal name(?: of (?:the )?(?:registered person|taxpayer|business))?|name of (?:the )?(?:taxpayer|registered person)|legal name[^:]*',
  trade_name: 'trade name(?:,? (?:\\(?if any\\)?))?',
  arn: 'arn|application reference number|acknowledgement reference number',
  arn_date: 'date of arn|arn date|date of filing|filing date|filed on',
} as const satisfies NonNullable<TypeRules['fields']>;

/** Year and month stand apart on most forms. */
export const TIME: NonNullable<TypeRules['fields']> = {
  year: 'financial year|year|f\\.?y\\.?',
};
