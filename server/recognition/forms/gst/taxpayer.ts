import type { TypeRules } from '../rules.ts';

/** The taxpayer and period in the head of every GST return. */
export const TAXPAYER = {
  gstin:
    'gstin(?: of (?:the )?(?:taxpayer|supplier|recipient|registered person))?|1 gstin|gst identification number|gst no|registration number',
  legal_name:
    'legal name(?: of (?:the )?(?:registered person|taxpayer|business))?|name of (?:the )?(?:taxpayer|registered person)|legal name[^:]*',
  trade_name: 'trade name(?:,? (?:\\(?if any\\)?))?',
  arn: 'arn|application reference number|acknowledgement reference number',
  arn_date: 'date of arn|arn date|date of filing|filing date|filed on',
} as const satisfies NonNullable<TypeRules['fields']>;

/** The year and the month are separate on most forms. */
export const TIME: NonNullable<TypeRules['fields']> = {
  year: 'financial year|year|f\\.?y\\.?',
};
