import * as v from 'valibot';
import type { Activity, ItemView } from '#server/documents/contract.ts';
import type { HoldView } from '#server/documents/legal-holds/contract.ts';
import { BAD_CURSOR } from '#server/http/cursor.ts';
import { maskAadhaar } from '#server/text/aadhaar.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES } from '#server/text/language.ts';
import { isIncomplete, tenDigits } from '#server/text/phone.ts';
import {
  PAN_HOLDERS,
  PAN_TYPES,
  gstinError,
  isCin,
  isPan,
  isTan,
  normaliseIdentifier,
  panError,
  panOf,
} from './identifiers.ts';
import type { ClientType } from '#server/text/client-types.ts';
import { CLIENT_TYPES } from '#server/text/client-types.ts';

export { CLIENT_TYPES };
export type { ClientType };

export const CLIENT_STATUSES = ['Active', 'Inactive'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export interface ClientView {
  id: number;
  name: string;
  email: string | null;
  phone: string | null;
  /** In which the client is written to; the next request is offered in it. */
  language: Language;
  client_type: ClientType;
  city: string | null;
  status: ClientStatus;
  pan: string | null;
  gstin: string | null;
  tan: string | null;
  /** The CIN of a company, or the LLPIN of a partnership. */
  cin: string | null;
  /** Date of birth or incorporation, `YYYY-MM-DD`. */
  born_on: string | null;
  address: string | null;
  group_name: string | null;
  notes: string | null;
  /** Increases with every change; an edit sends it back to detect conflicts. */
  version: number;
  /** ISO 8601, UTC. */
  created_at: string;
  updated_at: string;
}

/** The totals of the items linked to a client. */
export interface ClientFigures {
  files: number;
  folders: number;
  bytes: number;
  formatted_bytes: string;
  /**
   * By financial year: the year read from or entered for the document, otherwise the year that a folder above it names,
   * otherwise the year of the file's date (the original date if known). Latest first, only years with files.
   */
  years: { year: string; files: number; bytes: number; formatted_bytes: string }[];
}

/** Files of one financial year that was read, entered or named by a folder, and of one month `2026-04` by file date. */
export interface FilesOfYear {
  /** The calendar year in which the financial year began. */
  year: number;
  month: string;
  files: number;
  bytes: number;
}

/** The initial data of a client's page. */
export interface ClientOverview {
  client: ClientView;
  /** Null, with empty lists, for an actor who may not see documents. */
  figures: ClientFigures | null;
  /** The newest files, with their `path`. */
  newest: ItemView[];
  /** Latest first. */
  activity: Activity[];
  /** The legal hold on the client; null without one. */
  hold: HoldView | null;
}

/** What ends when a client is deleted. */
export interface EndingView {
  requests: number;
  /** Of the requests, those that are not complete or closed. */
  open_requests: number;
  drop_link: boolean;
  /** Whether there is a client's page. */
  page: boolean;
}

/** What the question before a client is deleted names. */
export interface TiedView extends EndingView {
  files: number;
  folders: number;
  /** Why the client cannot be deleted; null when it can. */
  refused: string | null;
}

/** A client in the results of the global search. */
export interface ClientHit extends Pick<ClientView, 'id' | 'name' | 'client_type' | 'city' | 'status'> {
  /** The match when it is not in the name: `PAN AAAPZ0000A`; of clients of one name what tells them apart. */
  found_in: string | null;
}

/** An option of a select. */
export interface ClientOption {
  value: number;
  label: string;
  /** City and what else tells it apart, such as the PAN, where several clients have the name. */
  note?: string;
}

export interface ClientTotals {
  total: number;
  active: number;
  companies: number;
}

export interface ClientPage {
  data: ClientView[];
  /** The `cursor` of the next page; null at the end. */
  next_cursor: string | null;
  /** Totals of the firm, independent of the filters. */
  totals: ClientTotals;
}

/** Only addresses and notes may have line breaks; no text may change the text direction. */
const PLAIN = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u;
const LINES = /^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069]|[\n\t])*$/u;

/** Optional text; '' means none. */
const optional = <S extends v.GenericSchema<string, string>>(what: string, rule: S) =>
  v.pipe(
    v.nullable(v.string(`${what} must be text`)),
    v.transform((text) => text?.replaceAll('\r\n', '\n').trim() || null),
    v.nullable(rule),
  );
const text = (what: string, max: number, characters = PLAIN) =>
  optional(
    what,
    v.pipe(
      v.string(),
      v.maxLength(max, `${what} must be at most ${max} characters`),
      v.regex(characters, `${what} has characters that cannot be used`),
    ),
  );
/** Multi-line text. Masks Aadhaar numbers to their last four digits: nobody may show the others. */
const prose = (what: string, max: number) =>
  v.pipe(
    v.nullable(v.string(`${what} must be text`)),
    v.transform((value) => value && maskAadhaar(value).text),
    text(what, max, LINES),
  );
const identifier = (what: string, fault: (text: string) => string | null) =>
  optional(
    what,
    v.pipe(
      v.string(),
      v.maxLength(40, `${what} is too long`),
      v.transform(normaliseIdentifier),
      v.rawCheck(({ dataset, addIssue }) => {
        const message = dataset.typed ? fault(dataset.value) : null;
        if (message) addIssue({ message });
      }),
    ),
  );
const of = (known: (text: string) => boolean, message: string) => (value: string) =>
  known(value) ? null : message;

/** Reduces a mobile number to its ten digits; other numbers stay as written. */
export function plainPhone(text: string): string {
  const digits = tenDigits(text);
  return digits && /^[6-9]/.test(digits) ? digits : text;
}

/** Whether the date is not in the future. */
function isPast(day: string): boolean {
  if (day < '1800-01-01') return false;
  // Allows one more day: India can be a day ahead of UTC.
  return Date.parse(`${day}T00:00:00Z`) <= Date.now() + 86_400_000;
}

const NAME = 'Name is required';
/** The message for a date such as 31 February. */
export const NO_SUCH_DAY = 'There is no such day';
export const clientFields = {
  name: v.pipe(
    v.string(NAME),
    v.trim(),
    v.nonEmpty(NAME),
    v.maxLength(200, 'Name must be at most 200 characters'),
    v.regex(PLAIN, 'Name has characters that cannot be used'),
  ),
  email: optional(
    'Email',
    v.pipe(
      v.string(),
      v.toLowerCase(),
      v.maxLength(254, 'Invalid email'),
      v.regex(PLAIN, 'Invalid email'),
      v.regex(/^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@.,;<>()"]+$/, 'Invalid email'),
    ),
  ),
  phone: optional(
    'Phone',
    v.pipe(
      v.string(),
      v.regex(/^\+?[\d\s()/-]{6,24}$/, 'Phone must be 6 to 15 digits'),
      v.check((phone) => /^\d{6,15}$/.test(phone.replace(/\D/g, '')), 'Phone must be 6 to 15 digits'),
      v.check((phone) => !isIncomplete(phone), 'A number with +91 has 10 digits after it'),
      v.transform(plainPhone),
    ),
  ),
  language: v.picklist(LANGUAGES, 'Choose English or Hindi'),
  client_type: v.picklist(CLIENT_TYPES, `Choose one of: ${CLIENT_TYPES.join(', ')}`),
  city: text('City', 120),
  status: v.picklist(CLIENT_STATUSES, 'Choose Active or Inactive'),
  pan: identifier('PAN', panError),
  gstin: identifier('GSTIN', gstinError),
  tan: identifier('TAN', of(isTan, 'A TAN has four letters, five digits and a letter, such as DELZ00000A')),
  cin: identifier(
    'CIN',
    of(isCin, 'A CIN has 21 characters, such as U00000MH2020PTC000000; an LLPIN reads AAA-0000'),
  ),
  born_on: optional(
    'Date',
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Give the date as year-month-day'),
      v.check(isCalendarDay, NO_SUCH_DAY),
      v.check(isPast, 'This is not a date in the past'),
    ),
  ),
  address: prose('Address', 500),
  group_name: text('Group', 120),
  notes: prose('Notes', 4000),
};
export type ClientField = keyof typeof clientFields;

const none = <S extends v.GenericSchema<string | null, string | null>>(rule: S) => v.optional(rule, null);
export const clientInput = v.object({
  name: clientFields.name,
  email: none(clientFields.email),
  phone: none(clientFields.phone),
  language: v.optional(clientFields.language, 'en'),
  client_type: v.optional(clientFields.client_type, 'Individual'),
  city: none(clientFields.city),
  status: v.optional(clientFields.status, 'Active'),
  pan: none(clientFields.pan),
  gstin: none(clientFields.gstin),
  tan: none(clientFields.tan),
  cin: none(clientFields.cin),
  born_on: none(clientFields.born_on),
  address: none(clientFields.address),
  group_name: none(clientFields.group_name),
  notes: none(clientFields.notes),
});
export type ClientInput = v.InferOutput<typeof clientInput>;

const VERSION = 'Load the client again and repeat the change';
/** Omitted fields stay unchanged. */
export const clientChange = v.object({
  ...v.partial(v.object(clientFields)).entries,
  /** The edited version; without it the edit overwrites any newer change. */
  version: v.optional(v.pipe(v.number(VERSION), v.safeInteger(VERSION), v.minValue(1, VERSION))),
});
export type ClientChange = v.InferOutput<typeof clientChange>;

const CLIENT_SORTS = ['name', 'city', 'added', 'changed'] as const;
export type ClientSort = (typeof CLIENT_SORTS)[number];

/** Clients that the screen loads at once. */
export const CLIENTS_PAGE = 60;
const LIMIT = 'Give a number from 1 to 200';
const oneOf = <const T extends readonly string[]>(values: T) =>
  v.optional(v.picklist(values, `Choose one of: ${values.join(', ')}`));
export const clientQuery = v.object({
  search: v.optional(
    v.pipe(v.string('Search for one text'), v.maxLength(255, 'Search for at most 255 characters')),
    '',
  ),
  client_type: oneOf(CLIENT_TYPES),
  status: oneOf(CLIENT_STATUSES),
  sort: oneOf(CLIENT_SORTS),
  direction: oneOf(['asc', 'desc']),
  limit: v.optional(
    v.pipe(v.string(LIMIT), v.regex(/^[1-9]\d{0,2}$/, LIMIT), v.transform(Number), v.maxValue(200, LIMIT)),
  ),
  cursor: v.optional(v.pipe(v.string(BAD_CURSOR), v.maxLength(2000, BAD_CURSOR))),
});
export type ClientQuery = Partial<v.InferOutput<typeof clientQuery>>;

/** Warnings about unusual but possible values, by field; they never block saving. */
export function clientWarnings(
  client: Pick<ClientView, 'client_type' | 'pan' | 'gstin'>,
): Partial<Record<'pan' | 'gstin', string>> {
  const { client_type, pan, gstin } = client;
  const warnings: ReturnType<typeof clientWarnings> = {};
  if (pan && isPan(pan)) {
    const letter = pan[3]!;
    if (!PAN_HOLDERS[letter]) warnings.pan = `The fourth letter ${letter} is unusual in a PAN.`;
    else if (!PAN_TYPES[letter]?.includes(client_type))
      warnings.pan = `This PAN is that of ${PAN_HOLDERS[letter]}, the client's type is ${client_type}.`;
  }
  const inside = gstin ? panOf(gstin) : null;
  if (pan && inside && inside !== pan) warnings.gstin = `This GSTIN holds another PAN: ${inside}.`;
  return warnings;
}

const LLP_NAME = /\b(?:llp|l\.\s?l\.\s?p|limited liability partnership)[.)\s]*$/i;

/**
 * The client type implied by the fourth letter of a PAN, where firms and LLPs share one, and by the name; null for an
 * invalid PAN or an unknown letter.
 */
export function typeOfPan(pan: string, name: string): ClientType | null {
  const [usual = null, ...others] = (isPan(pan) && PAN_TYPES[pan[3]!]) || [];
  return others.includes('LLP') && LLP_NAME.test(name) ? 'LLP' : usual;
}

/** Normalisation and validation of identifiers. */
export { gstinError, isPan, isTan, panError, normaliseIdentifier, panOf } from './identifiers.ts';

export const IMPORT_MAX_BYTES = 5 * 1024 * 1024;
/** Columns beyond this are ignored. */
export const IMPORT_MAX_COLUMNS = 200;

/** One row of a file, and the effect of importing it. */
export interface ImportRow {
  /** The row number in a spreadsheet. */
  line: number;
  name: string;
  pan: string | null;
  gstin: string | null;
  email: string | null;
  action: 'create' | 'update' | 'same' | 'error';
  errors: Record<string, string[]>;
  /** The client to update. */
  client_id: number | null;
  /** Whether the new client's name is that of another client, or of a row above, of which it may be a duplicate. */
  namesake: boolean;
  /** What the row changes of its client. */
  changes: { field: ClientField; before: string | null; after: string | null }[];
  /** Whether only the e-mail address says that this is the client, and its name is another: that of a relative, perhaps. */
  renames: boolean;
}

export interface ImportPreview {
  columns: { heading: string; sample: string; field: ClientField | null }[];
  rows: ImportRow[];
  counts: Record<ImportRow['action'], number>;
  /** The state of the firm's clients at the preview; the import sends it back and is refused after a change. */
  as_of: string;
  /** Line numbers without a client: above the headings, totals, and repeated headings. */
  aside: number[];
  /** The imported sheet, one of `sheets`; '' in a file without sheets. */
  sheet: string;
  sheets: string[];
}

const fieldNames = Object.keys(clientFields) as ClientField[];
const MAPPING = 'Choose what the columns hold again';
/** The field of each column, or null; each field once. */
export const importMapping = v.pipe(
  v.array(v.nullable(v.picklist(fieldNames, MAPPING)), MAPPING),
  v.maxLength(IMPORT_MAX_COLUMNS, MAPPING),
  v.check(
    (fields) => fields.every((field, index) => field === null || fields.indexOf(field) === index),
    'Two columns cannot hold the same',
  ),
);

/** A client with the identifiers that documents name it by; '' and null mean none. */
export interface IdentifiedClient {
  id: number;
  name: string;
  pan: string | null;
  gstin: string | null;
  tan: string | null;
  cin: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
  /** See `ClientView`. */
  born_on: string | null;
}
