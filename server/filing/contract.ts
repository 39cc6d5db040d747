import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';
import { NAME_MAX, checkName, tidyName } from '#server/text/file-names.ts';
import { NO_FOLDER, NO_ITEM } from '#server/text/not-there.ts';

/** The placeholders of a name pattern. */
const PLACEHOLDERS = ['client', 'type', 'number', 'period', 'year', 'date', 'name'] as const;
export const PATTERN = '{client} {type} {number} {period}';
const PATTERN_MAX = 200;
/** Documents filed per request. */
const FILED_MAX = 200;
/** Suggestions per response. */
export const SUGGESTED_MAX = 100;

/**
 * How a client was recognised in a document. A registered name is the full name of a company or an LLP, which is
 * unique; `name_and_more` is a name with the same date of birth, e-mail address, phone or address. `issuer` is the
 * employer or deductor in a certificate of somebody else; `mentioned` is a client in somebody else's document.
 */
export type ClientEvidence =
  | 'pan'
  | 'gstin'
  | 'tan'
  | 'cin'
  | 'registered_name'
  | 'account'
  | 'name_and_more'
  | 'name'
  | 'issuer'
  | 'mentioned';

export interface ClientMatch {
  id: number;
  name: string;
  by: ClientEvidence;
  /** As written in the document: `AAAPZ0000A`; of an account only the last digits: `…0001`. */
  value: string;
  /** Where several clients have the name: the PAN, GSTIN, phone number or e-mail address that tells this one from the others. */
  distinct_by?: string;
}

/**
 * Why a suggestion is not certain: no client matches; the client matches by name only, only issued the document to
 * somebody else, or is only mentioned in it; several clients match; the type or the year is uncertain.
 */
export type Doubt = 'no_client' | 'name_only' | 'issuer' | 'mentioned' | 'two_clients' | 'type' | 'year';

/** The suggested client, folder and name of a document. */
export interface Suggestion {
  item: ItemView;
  /** A key of `DOCUMENT_TYPES`; null if unknown. */
  type: string | null;
  /** `FY 2025-26`, `2025-04`, `2025-26 Q1`; null if unknown. */
  period: string | null;
  /** The matching clients; more than one is a doubt. */
  clients: ClientMatch[];
  /** The suggested client; null if none. */
  client: { id: number; name: string } | null;
  /** The path of the client's own folder: `Sharma Traders`; '' without a client. */
  base: string;
  /** Folders below it, outermost first. */
  folder: string[];
  /** The id of the folder; null if it does not exist yet. */
  folder_id: number | null;
  name: string;
  /** Whether the name is taken there: it would get a number. */
  taken: boolean;
  /** Whether there are no doubts. */
  sure: boolean;
  doubts: Doubt[];
  /**
   * Whose document it is by its own values, as a new client to create; null if a client matches that did not only issue
   * it and is not only mentioned in it, or if there are none.
   */
  new_client: { name: string; pan: string; gstin: string } | null;
}

/** Whether nothing is known of a document: neither client, type nor period. */
export const isUnknown = ({ type, period, client, clients, new_client }: Suggestion): boolean =>
  type === null && period === null && client === null && clients.length === 0 && new_client === null;

export interface Suggestions {
  /** Certain ones first, then the newest. */
  suggestions: Suggestion[];
  /** How many of the examined documents are known, see `isUnknown`. */
  total: number;
  /** Whether some documents were not examined. */
  at_least: boolean;
  /** Whether there are more documents than in this response. */
  more: boolean;
  pattern: string;
  /** Documents of which nothing is known: not read yet, or without text. */
  waiting: number;
  /** How many of them are still to be read. */
  reading: number;
}

export interface FilingResult {
  /** The id for undoing it; null when nothing was filed. */
  run: number | null;
  filed: { id: number; name: string; folder_id: number | null }[];
  failed: { id: number; name: string; message: string }[];
}

/** Documents that were filed together. */
export interface FilingRun {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  by_itself: boolean;
  files: number;
  /** The present name of the first of them; null when the user no longer sees it. */
  name: string | null;
  undone: boolean;
}

/** A folder whose documents are to be filed. */
export interface InboxView {
  folder_id: number;
  name: string;
  /** Whether certain documents are filed automatically. */
  by_itself: boolean;
  set_by: string;
  /** ISO 8601, UTC. */
  set_at: string;
}

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const itemId = id(NO_ITEM);
const clientId = id('Choose a client from the list');
const idsText = v.pipe(
  v.string('Give ids'),
  v.regex(/^\d{1,15}(?:,\d{1,15}){0,199}$/, 'Give at most 200 ids, with commas between'),
  v.transform((text) => text.split(',').map(Number)),
);

/** The query of `GET /api/filing`: these documents, those of a folder, or all without a client. */
export const filingQuery = v.object({
  ids: v.optional(idsText),
  folder: v.optional(v.pipe(v.string(NO_FOLDER), v.regex(/^[1-9]\d{0,14}$/, NO_FOLDER), v.transform(Number))),
  /** Suggest this client. */
  client: v.optional(
    v.pipe(
      v.string('Choose a client from the list'),
      v.regex(/^[1-9]\d{0,14}$/, 'Choose a client from the list'),
      v.transform(Number),
    ),
  ),
});
export type FilingQuery = v.InferOutput<typeof filingQuery>;

const NAME = 'Please enter a valid name';
const name = v.pipe(v.string(NAME), v.trim(), v.nonEmpty(NAME), v.maxLength(NAME_MAX, NAME));
const DEEP = 'There are too many folders in each other.';
const folderName = v.pipe(
  name,
  v.check(
    (text) => checkName(text.normalize('NFC')) === null,
    String.raw`A folder cannot be called so: / \ : * ? " < > | are not allowed`,
  ),
);

/** Body of `POST /api/filing`. */
export const fileDocuments = v.object({
  files: v.pipe(
    v.array(
      v.object({
        id: itemId,
        client_id: clientId,
        /** Folders below the client's own, outermost first. */
        folder: v.pipe(v.array(folderName, DEEP), v.maxLength(20, DEEP)),
        name: v.pipe(
          name,
          v.check(
            (text) => checkName(tidyName(text)) === null,
            ({ input }) => checkName(tidyName(input)) ?? NAME,
          ),
        ),
        /** As the user last saw it. */
        seen: v.object({ name: v.string(NAME), parent_id: v.nullable(itemId) }),
      }),
      'Choose at least one document',
    ),
    v.nonEmpty('Choose at least one document'),
    v.maxLength(FILED_MAX, `File at most ${FILED_MAX} documents at once`),
  ),
});
export type FileDocuments = v.InferOutput<typeof fileDocuments>;

const ANY_PLACEHOLDER = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');
const P = `Use letters and ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`;
export const filingPattern = v.object({
  pattern: v.pipe(
    v.string(P),
    v.trim(),
    v.nonEmpty(P),
    v.maxLength(PATTERN_MAX, 'A pattern can have at most 200 characters'),
    v.check((text) => {
      const left = text.replace(ANY_PLACEHOLDER, 'x');
      return !/[{}]/.test(left) && checkName(left) === null;
    }, P),
    v.check((text) => /\{(client|type|number|period|date|name)\}/.test(text), P),
  ),
});

export const setInbox = v.object({
  /** Whether the folder is an inbox. */
  inbox: v.boolean('Say whether this folder is an inbox: true or false.'),
  by_itself: v.optional(
    v.boolean('Say whether documents are organised automatically: true or false.'),
    false,
  ),
});
export type SetInbox = v.InferOutput<typeof setInbox>;
