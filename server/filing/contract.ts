import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';
import { NAME_MAX, checkName } from '#server/text/names.ts';

/** What stands for what in a pattern of names. */
const PLACEHOLDERS = ['client', 'type', 'number', 'period', 'year', 'date', 'name'] as const;
export const PATTERN = '{client} {type} {number} {period}';
const PATTERN_MAX = 200;
/** Documents that are filed at once. */
const FILED_MAX = 200;
/** Suggestions of one answer. */
export const SUGGESTED_MAX = 100;

/**
 * By what a client is recognised in a document; a company or an LLP by its full name too, which no
 * other one may have, and whoever by a name with the same date of birth, e-mail address, phone or address.
 */
export type ClientEvidence =
  'pan' | 'gstin' | 'tan' | 'cin' | 'registered_name' | 'account' | 'name_and_more' | 'name';

export interface ClientMatch {
  id: number;
  name: string;
  by: ClientEvidence;
  /** As it stands in the document: `AAAPZ0000A`; of an account the last digits: `…0001`. */
  value: string;
}

/**
 * Why a suggestion is not sure: no client has such identifiers; the client is known by its name alone; its identifiers,
 * its account or its name are those of several clients; what it is, or of which year, is not known for sure.
 */
export type Doubt = 'no_client' | 'name_only' | 'two_clients' | 'type' | 'year';

/** Where a document would go, and as what. */
export interface Suggestion {
  item: ItemView;
  /** A key of `DOCUMENT_TYPES`; null where it is not known. */
  type: string | null;
  /** `FY 2025-26`, `2025-04`, `2025-26 Q1`; null where it is not known. */
  period: string | null;
  /** By whom it was recognised that it is theirs; more than one where that is in doubt. */
  clients: ClientMatch[];
  /** Whose it would be; null as long as nobody is chosen. */
  client: { id: number; name: string } | null;
  /** The client's own folder, with those above it: `Sharma Traders`; '' without a client. */
  base: string;
  /** Folders below that, outermost first. */
  folder: string[];
  /** Of the folder, where it is there already. */
  folder_id: number | null;
  name: string;
  /** The name is taken there: it would get a number. */
  taken: boolean;
  /** In doubt about nothing. */
  sure: boolean;
  doubts: Doubt[];
  /** For a client that is not known so far. */
  new_client: { name: string; pan: string; gstin: string } | null;
}

/** There is nothing in it to go by: neither a client, nor what it is, nor of when. */
export const isUnknown = ({ type, period, client, clients, new_client }: Suggestion): boolean =>
  type === null && period === null && client === null && clients.length === 0 && new_client === null;

export interface Suggestions {
  /** What is sure first, then the newest. */
  suggestions: Suggestion[];
  /** Of how many something is known, of all that were looked at; `isUnknown` says which are not counted. */
  total: number;
  /** There are documents that were not looked at. */
  at_least: boolean;
  /** There are more documents than are in this answer. */
  more: boolean;
  pattern: string;
  /** Documents of which nothing is known: not read yet, or without text. */
  waiting: number;
  /** Those of them that are still to be read. */
  reading: number;
}

export interface FilingResult {
  /** To take it back; null when nothing was filed. */
  run: number | null;
  filed: { id: number; name: string; folder_id: number | null }[];
  failed: { id: number; name: string; message: string }[];
}

/** Documents that were filed at once. */
export interface FilingRun {
  id: number;
  /** ISO 8601, UTC. */
  at: string;
  by_itself: boolean;
  files: number;
  undone: boolean;
}

/** A folder into which documents come to be filed. */
export interface InboxView {
  folder_id: number;
  name: string;
  /** What is sure is filed by itself. */
  by_itself: boolean;
  set_by: string;
  /** ISO 8601, UTC. */
  set_at: string;
}

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const itemId = id('This item does not exist.');
const clientId = id('Choose a client from the list');
const idsText = v.pipe(
  v.string('Give ids'),
  v.regex(/^\d{1,15}(?:,\d{1,15}){0,199}$/, 'Give at most 200 ids, with commas between'),
  v.transform((text) => text.split(',').map(Number)),
);

/** The query of `GET /api/filing`: of these documents, of those in a folder, or of all that belong to nobody. */
export const filingQuery = v.object({
  ids: v.optional(idsText),
  folder: v.optional(
    v.pipe(
      v.string('This folder does not exist.'),
      v.regex(/^[1-9]\d{0,14}$/, 'This folder does not exist.'),
      v.transform(Number),
    ),
  ),
  /** As if it were this client's. */
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
        name,
        /** As the reader last saw it. */
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
const P = `Use letters and ${PLACEHOLDERS.map((one) => `{${one}}`).join(', ')}`;
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
  by_itself: v.optional(v.boolean('Say whether documents are filed by themselves: true or false.'), false),
});
export type SetInbox = v.InferOutput<typeof setInbox>;
