import { GST_TYPES } from './gst.ts';
import { INCOME_TAX_TYPES } from './income-tax.ts';
import { OTHER_TYPES } from './others.ts';
import { TRADE_TYPES } from './trade.ts';

/** The known document types and their fields. */
export const DOCUMENT_TYPES = { ...INCOME_TAX_TYPES, ...GST_TYPES, ...TRADE_TYPES, ...OTHER_TYPES } as const;
export type DocumentType = keyof typeof DOCUMENT_TYPES;
