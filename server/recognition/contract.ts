import type { FieldKey } from './types/fields.ts';

/** Left, top, width and height in tenths of a point, from the upper left corner of the page as it is shown. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** What the text of a page is known as to those who recognise it: the lines, and the box of each word where there is one. */
export interface RecognisedPage {
  /** From 1. */
  page: number;
  /** Of a sheet or slide; '' for none. */
  label: string;
  text: string;
  /** Four numbers for each word (what stands between blanks), see `Box`; absent where the file has no pages to look at. */
  boxes?: readonly number[];
  /** Of a page that was read as a picture: how sure its words are. */
  sure?: readonly number[];
  /** QR codes on it, of those that may be of an e-invoice. */
  codes?: readonly { text: string; box: Box }[];
}

/** What a value is, which says how its normal form is written. */
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
 * What is known of an identifier: its check digit is right; it has the shape, and there is no check digit that is
 * public; or it fails its check, and is shown so that somebody looks, never used.
 */
export type IdentifierCheck = 'checksum' | 'shape' | 'failed';

/** One value that a document gives. A key may come more than once: two PANs are two fields. */
export interface RecognisedField {
  /** What it is, as screens name it by a message: `employee_pan`, `gross_salary`. */
  key: string;
  kind: ValueKind;
  /** The normal form, see `ValueKind`. */
  value: string;
  /** As it stands in the document. */
  raw: string;
  page: number;
  /** Around all its words; null where the file has no pages to look at. */
  box: Box | null;
  /** From 0 to 1; below `UNSURE` somebody should look. */
  sure: number;
  /** Of identifiers. */
  check?: IdentifierCheck;
  /** Which rule found it, in a few letters that a maintainer can search for. */
  rule: string;
}

export interface RecognisedColumn {
  key: string;
  kind: ValueKind;
}

/** Rows of a kind, such as the transactions of a bank statement. */
export interface RecognisedTable {
  key: string;
  columns: RecognisedColumn[];
  /** Cells in the order of the columns, in their normal form; null for an empty one. */
  rows: { page: number; box: Box | null; cells: (string | null)[] }[];
  /** Numbers of rows, from 0, at which a balance does not follow from the one before; null where nothing chains. */
  breaks: number[] | null;
}

/** The QR code of an e-invoice. Whether who signed it is known is checked by who has the keys. */
export interface RecognisedCode {
  page: number;
  box: Box | null;
  /** As it stands in the code: header, payload and signature (a compact JWS). */
  token: string;
  /** What it says, each beside what is printed: null where the page does not say it. */
  said: { key: FieldKey; kind: ValueKind; value: string; printed: string | null; same: boolean }[];
}

/** What a document is. */
export interface Recognised {
  /** A key of `DOCUMENT_TYPES`; null when it is none that is known. */
  type: string | null;
  type_sure: number;
  /** The financial year in which it began: 2025 for FY 2025-26; null where it has none. */
  year: number | null;
  /** `2025-04` for a month, `2025-26 Q1` for a quarter, `FY 2025-26` for a year; null for none. */
  period: string | null;
  fields: RecognisedField[];
  tables: RecognisedTable[];
  /** How it begins, see `headOf`; absent in what was kept before that was. */
  head?: string;
  /** Absent in what was kept before codes were read. */
  codes?: RecognisedCode[];
}

/** A value that is less sure than this waits in Review. */
export const UNSURE = 0.9;

export { meantBy } from './identifiers/suggest-correction.ts';
export { isToken } from './e-invoice/is-token.ts';
export { FIELD_KINDS } from './types/fields.ts';
export type { FieldKey } from './types/fields.ts';
export { TABLE_COLUMNS } from './types/table-columns.ts';
export type { TableKey } from './types/table-columns.ts';
export { DOCUMENT_TYPES } from './types/types.ts';
export type { DocumentType } from './types/types.ts';
export { NONE_OF_THESE, TYPE_GROUPS } from './types/type-of.ts';
export type { TypeGroup, TypeOf } from './types/type-of.ts';

/** What is known of a file beside its pages. */
export interface RecognitionHints {
  /** The ending, in small letters. */
  fileType: string;
}
