import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';
import type { TextStateView } from '#server/reading/contract.ts';
import type { Box, IdentifierCheck, RecognisedColumn, ValueKind } from '#server/recognition/contract.ts';

/** A user's answer about a value: another value, that it is right, or that there is none. */
const ANSWERS = ['corrected', 'confirmed', 'cleared'] as const;
export type AnswerKind = (typeof ANSWERS)[number];

export interface AnswerView {
  what: AnswerKind;
  /** The name of the user. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** One value of a document, with the answer applied. */
export interface FieldView {
  /**
   * Its key, with `~2` for the second value of the same key, and so on. `type` and `period` are the document's own.
   */
  id: string;
  key: string;
  kind: ValueKind;
  /** The normal form, see `ValueKind`: the answered value, otherwise the read one. Null when there is none. */
  value: string | null;
  /** The value that was read, also where an answer overrides it; null when none was. */
  read: string | null;
  /** As written in the document; '' where nothing was read. */
  raw: string;
  /** Null where nothing was read. */
  page: number | null;
  /** See `Box`; null where it has no position. */
  box: Box | null;
  /** The check of an identifier that was read; null for other values, and for an answered value. */
  check: IdentifierCheck | null;
  /** The only valid identifier that a failing one can be a misreading of; null if unknown. */
  suggested: string | null;
  /** Read with doubts, and not yet checked by a user. */
  unsure: boolean;
  /** Null while there is none. */
  answer: AnswerView | null;
}

/** A table of a document without its rows. */
export interface TableView {
  key: string;
  columns: RecognisedColumn[];
  rows: number;
  /** Indexes of rows whose balance does not follow from the row before; null where there are no running balances. */
  breaks: number[] | null;
}

/**
 * The state of a QR code's signature: valid for one of this server's keys; no key to check it; valid for none of the
 * keys; or not signed as the Invoice Registration Portal signs.
 */
export type SignatureState = 'checked' | 'no_key' | 'mismatch' | 'unsigned';

/** The QR code of an e-invoice. */
export interface CodeView {
  page: number;
  /** See `Box`. */
  box: Box | null;
  signature: SignatureState;
  /** The name of the matching key; null unless `checked`. */
  key: string | null;
  /** The values in the code beside the printed ones; null where the page has none. */
  said: { key: string; kind: ValueKind; value: string; printed: string | null; same: boolean }[];
}

/** The response of `GET` and `PATCH /api/documents/:id/fields`. */
export interface FieldsView extends Pick<TextStateView, 'state' | 'reason' | 'paused'> {
  /** The document type: a key of `DOCUMENT_TYPES`. */
  type: FieldView;
  period: FieldView;
  /** The financial year in which the period began: 2025 for FY 2025-26; null for none. */
  year: number | null;
  fields: FieldView[];
  tables: TableView[];
  codes: CodeView[];
  /** How many values are still to be checked. */
  unsure: number;
}

/** The response of `GET /api/documents/:id/tables/:at`, `at` from 0. */
export interface TableRows extends Omit<TableView, 'rows'> {
  /** Cells in their normal form, in the order of the columns. */
  rows: { page: number; box: Box | null; cells: (string | null)[] }[];
}

/** Values changed per request. */
const CHANGES_MAX = 200;
export const VALUE_MAX = 500;

const ID = /^[a-z][a-z0-9_]{0,60}(?:~[2-9]\d{0,2})?$/;
const change = v.object({
  id: v.pipe(v.string('Say which value'), v.regex(ID, 'There is no such value')),
  /** Null withdraws the answer. */
  answer: v.nullable(v.picklist(ANSWERS, 'Say corrected, confirmed or cleared, or null')),
  /** As typed; only for `corrected`. */
  value: v.optional(
    v.pipe(
      v.string('Give a value'),
      v.trim(),
      v.maxLength(VALUE_MAX, 'A value can have at most 500 characters'),
    ),
  ),
  /** The value, in its normal form, that the user saw before; without it, nothing is compared. */
  seen: v.optional(v.nullable(v.string('Give the value that you have seen'))),
});
/** The body of `PATCH /api/documents/:id/fields`: values that are not named stay as they are. */
export const fieldChanges = v.object({
  fields: v.pipe(
    v.array(change, 'Say which values change'),
    v.nonEmpty('Say which values change'),
    v.maxLength(CHANGES_MAX, 'Change at most 200 values at once'),
  ),
});
export type FieldChange = v.InferOutput<typeof change>;

/** A value of a document with the answers about it. */
export interface KnownField {
  id: string;
  key: string;
  kind: ValueKind;
  value: string;
  sure: boolean;
  page: number | null;
  /**
   * Whether the document gives the value under this label, or a user said so. An identifier that only stands somewhere
   * in the text has the key of its shape, such as `pan`, and may be anybody's.
   */
  labelled: boolean;
}

/** A file's values for other parts of the product, without cleared ones. */
export interface KnownFields {
  type: string | null;
  /** Whether the type is certain: read without doubt, or answered. */
  typeSure: boolean;
  year: number | null;
  period: string | null;
  fields: KnownField[];
  /** The beginning of the text; '' where it is not stored. */
  head: string;
}

/** The client of a statement by its account. */
export interface AccountHolder {
  /** The client id; the actor may not see that client. */
  client: number;
  number: string;
}

/** A document in Review with the values to check. */
export interface ReviewDocument {
  item: ItemView;
  type: FieldView;
  fields: FieldView[];
}

/** The response of `GET /api/review`. */
export interface ReviewView {
  /** The next documents that no colleague is looking at. */
  documents: ReviewDocument[];
  /** How many documents wait that the user sees. */
  files: number;
  values: number;
  /** Clients with such documents, by name; null is no client. */
  clients: { id: number | null; name: string | null; files: number }[];
}

export const reviewQuery = v.object({
  /** Only this client's; 0 for no client. */
  client: v.optional(
    v.pipe(
      v.string('Choose a client from the list'),
      v.regex(/^(?:0|[1-9]\d{0,14})$/, 'Choose a client from the list'),
      v.transform(Number),
    ),
  ),
  /** Ids of files that were skipped, separated by commas. */
  skip: v.optional(
    v.pipe(
      v.string('Give ids'),
      v.regex(/^(?:\d{1,15}(?:,\d{1,15}){0,199})?$/, 'Give at most 200 ids, with commas between'),
      v.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    ),
  ),
});
export type ReviewQuery = v.InferOutput<typeof reviewQuery>;

/** Documents per export. */
export const EXPORT_MAX = 2000;
const form = v.picklist(['xlsx', 'csv'], 'Choose xlsx or csv');
/** The body of `POST /api/documents/fields/export`; the response is the file. */
export const exportFields = v.object({
  ids: v.pipe(
    v.array(
      v.pipe(v.number('Choose files'), v.safeInteger('Choose files'), v.minValue(1, 'Choose files')),
      'Choose files',
    ),
    v.nonEmpty('Choose files'),
    v.maxLength(EXPORT_MAX, 'Choose at most 2,000 files at once'),
  ),
  form,
});
export const tableForm = v.object({ form });

export type RecordCell = string | number | null;

/** The headings of a table of all values, one per row. Amounts are in rupees. */
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
