import type { FieldKey } from './types/fields.ts';

/** Left, top, width and height in tenths of a point, from the upper left corner of the page as it is shown. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** A page as recognition sees it: its lines, and the box of each word if known. */
export interface RecognisedPage {
  /** From 1. */
  page: number;
  /** The name of a sheet or slide; '' for none. */
  label: string;
  text: string;
  /** Four numbers per word (a piece between blanks), see `Box`; absent if the file has no pages. */
  boxes?: readonly number[];
  /** Of a scan: the confidence of each word. */
  sure?: readonly number[];
  /** QR codes that may be of an e-invoice. */
  codes?: readonly { text: string; box: Box }[];
}

/** The kind of a value, which defines its normal form. */
const VALUE_KINDS = [
  /** As it stands. */
  'text',
  /** Paise, as a whole number: `-12050`. */
  'amount',
  /** A count or a rate, with a point: `18`, `7.5`. */
  'number',
  /** `2026-04-07`. */
  'date',
  /** `FY 2025-26`, `2025-04` for a month, `2025-26 Q1`. */
  'period',
  /** PAN, GSTIN, TAN, IRN …, in capitals without blanks; of an Aadhaar number the last four digits. */
  'identifier',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/**
 * The check of an identifier: its check digit is right; it has the right shape, and no public check digit exists; or
 * it fails its check: it is shown for a user to check, and never used.
 */
export type IdentifierCheck = 'checksum' | 'shape' | 'failed';

/** One value of a document. A key may occur several times: two PANs are two fields. */
export interface RecognisedField {
  /** The key of its name in the interface: `employee_pan`, `gross_salary`. */
  key: string;
  kind: ValueKind;
  /** The normal form, see `ValueKind`. */
  value: string;
  /** As written in the document. */
  raw: string;
  page: number;
  /** Around all its words; null if the file has no pages. */
  box: Box | null;
  /** Confidence from 0 to 1; values below `UNSURE` go to Review. */
  sure: number;
  /** Only of identifiers. */
  check?: IdentifierCheck;
  /** The rule that found it, a short string to search for in the code. */
  rule: string;
}

export interface RecognisedColumn {
  key: string;
  kind: ValueKind;
}

/** A table, such as the transactions of a bank statement. */
export interface RecognisedTable {
  key: string;
  columns: RecognisedColumn[];
  /** Cells in the order of the columns, in their normal form; null for an empty one. */
  rows: { page: number; box: Box | null; cells: (string | null)[] }[];
  /** Indexes of rows whose balance does not follow from the row before; null where there are no running balances. */
  breaks: number[] | null;
}

/** The QR code of an e-invoice. Its signature is checked elsewhere, with the keys. */
export interface RecognisedCode {
  page: number;
  box: Box | null;
  /** The content of the code: header, payload and signature (a compact JWS). */
  token: string;
  /** The values in the code beside the printed ones; null where the page has none. */
  said: { key: FieldKey; kind: ValueKind; value: string; printed: string | null; same: boolean }[];
}

/** What was recognised in a document. */
export interface Recognised {
  /** A key of `DOCUMENT_TYPES`; null if unknown. */
  type: string | null;
  type_sure: number;
  /** The start year of its financial year: 2025 for FY 2025-26; null for none. */
  year: number | null;
  /** `2025-04` for a month, `2025-26 Q1` for a quarter, `FY 2025-26` for a year; null for none. */
  period: string | null;
  fields: RecognisedField[];
  tables: RecognisedTable[];
  /** The beginning of the text, see `headOf`; absent in older results. */
  head?: string;
  /** Absent in results from before codes were read. */
  codes?: RecognisedCode[];
}

/** How the rules of identifiers begin that no rule of the document type assigned. */
export const UNASSIGNED = 'identifier.';
/** Whether a value is an identifier that only stands somewhere in the text: it may be anybody's. */
export const isUnassigned = ({ rule }: Pick<RecognisedField, 'rule'>): boolean => rule.startsWith(UNASSIGNED);

/** Values with less confidence go to Review. */
export const UNSURE = 0.9;

export { suggestCorrection } from './identifiers/suggest-correction.ts';
export { isToken } from './e-invoice/is-token.ts';
export { FIELD_KINDS } from './types/fields.ts';
export type { FieldKey } from './types/fields.ts';
export { TABLE_COLUMNS } from './types/table-columns.ts';
export type { TableKey } from './types/table-columns.ts';
export { DOCUMENT_TYPES } from './types/types.ts';
export type { DocumentType } from './types/types.ts';
export { NONE_OF_THESE, TYPE_GROUPS } from './types/type-of.ts';
export type { TypeGroup, TypeOf } from './types/type-of.ts';

/** What else is known of a file. */
export interface RecognitionHints {
  /** The file extension, in lowercase. */
  fileType: string;
}
