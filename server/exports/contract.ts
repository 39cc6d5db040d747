import * as v from 'valibot';

export const EXPORTS = ['everything', 'history'] as const;
/** `everything` is a ZIP of all files and tables; `history` is the audit trail alone, as CSV. */
export type ExportKind = (typeof EXPORTS)[number];

export const exportRequest = v.object({ what: v.picklist(EXPORTS, 'Choose what to export') });
