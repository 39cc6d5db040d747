import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextStateView } from '#server/reading/contract.ts';
import type { Box, IdentifierCheck, RecognisedColumn, ValueKind } from '#server/recognition/contract.ts';

/** What somebody said of a value: another one, that it is right, or that there is none. */
export const ANSWERS = ['corrected', 'confirmed', 'cleared'] as const;
export type AnswerKind = (typeof ANSWERS)[number];

export interface AnswerView {
  what: AnswerKind;
  /** Who said it, by name. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** One value of a document, as it counts now. */
export interface FieldView {
  /** Its key; with `~2` behind it for the second of the same key, and so on. `type` and `period` are those of the document. */
  id: string;
  key: string;
  kind: ValueKind;
  /** The normal form, see `ValueKind`: what a person said, otherwise what was read. Null when there is none. */
  value: string | null;
  /** What was read, also where a person said otherwise; null when nothing was. */
  read: string | null;
  /** As it stands in the document; '' where nothing was read. */
  raw: string;
  /** Null where nothing was read. */
  page: number | null;
  /** See `Box`; null where there is no place to look at. */
  box: Box | null;
  /** Of an identifier as it was read; null for other values, and for what a person said. */
  check: IdentifierCheck | null;
  /** What an identifier that fails its check can only mean, for a person to accept; null where that is not known. */
  suggested: string | null;
  /** It was read with doubts, and nobody has looked yet. */
  unsure: boolean;
  /** Null as long as nobody said anything. */
  answer: AnswerView | null;
}

/** A table of a document without its rows. */
export interface TableView {
  key: string;
  columns: RecognisedColumn[];
  rows: number;
  /** Numbers of rows, from 0, at which a balance does not follow from the one before; null where nothing chains. */
  breaks: number[] | null;
}

/**
 * What is known of the signature of a QR code: it is right by one of the keys of this server; there is no key to check it
 * with; it is right by none of the keys; or it is not signed as the Invoice Registration Portal signs.
 */
export type SignatureState = 'checked' | 'no_key' | 'mismatch' | 'unsigned';

/** The QR code of an e-invoice. */
export interface CodeView {
  page: number;
  /** See `Box`. */
  box: Box | null;
  signature: SignatureState;
  /** The name of the key by which the signature is right; null unless `checked`. */
  key: string | null;
  /** What it says, beside what is printed; null where the page does not say it. */
  said: { key: string; kind: ValueKind; value: string; printed: string | null; same: boolean }[];
}

/** The answer of `GET /api/documents/:id/fields`, and of `PATCH` there. */
export interface FieldsView extends Pick<TextStateView, 'state' | 'reason' | 'paused'> {
  /** What the document is: a key of `DOCUMENT_TYPES`. */
  type: FieldView;
  period: FieldView;
  /** The financial year in which the period began: 2025 for FY 2025-26; null for none. */
  year: number | null;
  fields: FieldView[];
  tables: TableView[];
  codes: CodeView[];
  /** How many values wait for somebody to look. */
  unsure: number;
}

/** The answer of `GET /api/documents/:id/tables/:at`, `at` from 0. */
export interface TableRows extends Omit<TableView, 'rows'> {
  /** Cells in their normal form, in the order of the columns. */
  rows: { page: number; box: Box | null; cells: (string | null)[] }[];
}

/** Values of one document that may be changed at once. */
export const CHANGES_MAX = 200;
export const VALUE_MAX = 500;

const ID = /^[a-z][a-z0-9_]{0,60}(?:~[2-9]\d{0,2})?$/;
const change = v.object({
  id: v.pipe(v.string('Say which value'), v.regex(ID, 'There is no such value')),
  /** Null takes back what was said. */
  answer: v.nullable(v.picklist(ANSWERS, 'Say corrected, confirmed or cleared, or null')),
  /** As people write it; only of what is corrected. */
  value: v.optional(
    v.pipe(
      v.string('Give a value'),
      v.trim(),
      v.maxLength(VALUE_MAX, 'A value can have at most 500 characters'),
    ),
  ),
});
/** Body of `PATCH /api/documents/:id/fields`: values that are not named stay as they are. */
export const fieldChanges = v.object({
  fields: v.pipe(
    v.array(change, 'Say which values change'),
    v.nonEmpty('Say which values change'),
    v.maxLength(CHANGES_MAX, 'Change at most 200 values at once'),
  ),
});
export type FieldChange = v.InferOutput<typeof change>;

/** What the rest of the product is told of a file. Values that were cleared are left out. */
export interface KnownFields {
  type: string | null;
  /** Whether that is beyond doubt: read without any, or said by a person. */
  typeSure: boolean;
  year: number | null;
  period: string | null;
  fields: { id: string; key: string; kind: ValueKind; value: string; sure: boolean; page: number | null }[];
  /** How it begins; '' where that is not kept. */
  head: string;
}

/** Whose a statement is by its account. */
export interface AccountHolder {
  /** Id of the client, whom the actor does not see perhaps. */
  client: number;
  number: string;
}

/** A document in Review with the values that wait there, as they stand on its pages. */
export interface ReviewDocument {
  item: ItemView;
  type: FieldView;
  fields: FieldView[];
}

/** The answer of `GET /api/review`. */
export interface ReviewView {
  /** The next ones, of those that nobody else is just looking at. */
  documents: ReviewDocument[];
  /** How many wait, of what one sees. */
  files: number;
  values: number;
  /** Clients who have such, by name; null is no client. */
  clients: { id: number | null; name: string | null; files: number }[];
}

export const reviewQuery = v.object({
  /** Of this client alone; 0 for no client. */
  client: v.optional(
    v.pipe(
      v.string('Choose a client from the list'),
      v.regex(/^(?:0|[1-9]\d{0,14})$/, 'Choose a client from the list'),
      v.transform(Number),
    ),
  ),
  /** Ids of files that were looked at and left, with commas between. */
  skip: v.optional(
    v.pipe(
      v.string('Give ids'),
      v.regex(/^(?:\d{1,15}(?:,\d{1,15}){0,199})?$/, 'Give at most 200 ids, with commas between'),
      v.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    ),
  ),
});
export type ReviewQuery = v.InferOutput<typeof reviewQuery>;

/** Documents whose values go out at once. */
export const EXPORT_MAX = 2000;
const form = v.picklist(['xlsx', 'csv'], 'Choose xlsx or csv');
/** Body of `POST /api/documents/fields/export`, which answers with the file. */
export const exportFields = v.object({
  ids: v.pipe(
    v.array(
      v.pipe(v.number('Choose files'), v.integer('Choose files'), v.minValue(1, 'Choose files')),
      'Choose files',
    ),
    v.nonEmpty('Choose files'),
    v.maxLength(EXPORT_MAX, 'Choose at most 2,000 files at once'),
  ),
  form,
});
export const tableForm = v.object({ form });

export type RecordCell = string | number | null;

/** Of a table of all that was recognised, a line for each value. Amounts are in rupees. */
export const RECORD_HEADINGS = [
  'Type of document',
  'Period',
  'Value of',
  'Value',
  'As it was read',
  'Page',
  'Said',
  'Said by',
  'Said on (UTC)',
];

export const fieldsUrl = (itemId: number): string => `/api/documents/${itemId}/fields`;
