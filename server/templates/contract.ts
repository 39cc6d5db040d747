import { lazily } from '#server/text/lazily.ts';
import * as v from 'valibot';
import type { FolderState } from '#server/documents/contract.ts';

export { FOLDERS_MAX, LEVELS_MAX, expand, parseOutline, uses } from './outline.ts';
export type { Fault, Outline } from './outline.ts';

/** Clients of one call. */
export const CLIENTS_MAX = 200;
/** Templates of a firm's own. */
export const TEMPLATES_MAX = 100;
/** Characters. */
const OUTLINE_MAX = 60_000;

export interface TemplateView {
  /** A word for those that every firm has, digits for the firm's own. */
  id: string;
  name: string;
  /** One folder a line, two spaces for each level; `{fy}` and `{client}` stand for the year and the client's name. */
  outline: string;
  /** How many folders it has. */
  folders: number;
  built_in: boolean;
  /** Goes up with every change; sent back with an edit. Null for what is built in. */
  version: number | null;
}

/** What applying a template did, or would do. Folders of clients count themselves. */
export interface Totals {
  clients: number;
  created: number;
  /** There already, and left as they are. */
  existing: number;
  /** Not created, since a file has the name of one of them, or they would lie in a sealed folder. */
  taken: number;
  /** Clients that are not there any more. */
  left_out: number;
}

/**
 * That a file has the name of a folder, or the folder would lie in a sealed one, so that neither this folder nor what
 * belongs in it was created.
 */
export interface Problem {
  client_id: number;
  client_name: string;
  name: string;
  /** Otherwise a file has the name. */
  sealed: boolean;
}

export interface Applied extends Totals {
  problems: Problem[];
}

/** What it would be like for the first of the clients. */
export interface Example {
  client_name: string;
  /** Names of the folders in which the client's folder lies, joined by ' / '; '' in My Drive. */
  path: string;
  /** The client's folder first, then what lies in it. */
  folders: FolderState[];
}

export interface TemplatePreview extends Applied {
  example: Example | null;
}

const NAME = 'Please enter a name';
const OUTLINE = 'Enter at least one folder';
const name = v.pipe(
  v.string(NAME),
  v.trim(),
  v.normalize('NFC'),
  v.nonEmpty(NAME),
  v.maxLength(100, 'A name can have at most 100 characters'),
  v.regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, 'The name has characters that cannot be used'),
);
const outline = v.pipe(
  v.string(OUTLINE),
  v.maxLength(OUTLINE_MAX, 'This is too long for a template'),
  v.check((text) => text.trim() !== '', OUTLINE),
);

export const templateInput = v.object({ name, outline });
export type TemplateInput = v.InferOutput<typeof templateInput>;

const VERSION = 'The version is a whole number';
export const templateChange = v.object({
  name,
  outline,
  version: v.optional(v.pipe(v.number(VERSION), v.safeInteger(VERSION))),
});
export type TemplateChange = v.InferOutput<typeof templateChange>;

const YEAR = 'Give a financial year such as 2026-27';
const CLIENTS = 'Choose at least one client';
/** Whether `2026-27` is two years that follow each other. */
export const isFinancialYear = (text: string): boolean =>
  /^(?:19|20)\d\d-\d\d$/.test(text) && (Number(text.slice(0, 4)) + 1) % 100 === Number(text.slice(5));

export const application = v.object({
  client_ids: v.pipe(
    v.array(v.pipe(v.number(CLIENTS), v.safeInteger(CLIENTS), v.minValue(1, CLIENTS)), CLIENTS),
    v.nonEmpty(CLIENTS),
    v.maxLength(CLIENTS_MAX, `Choose at most ${CLIENTS_MAX} clients at once`),
    v.transform((ids) => [...new Set(ids)]),
  ),
  /** Needed where the template says `{fy}`. */
  fy: v.optional(v.pipe(v.string(YEAR), v.check(isFinancialYear, YEAR))),
});
export type Application = v.InferOutput<typeof application>;

const IN_INDIA = 330 * 60_000;
const named = (start: number) => `${start}-${String((start + 1) % 100).padStart(2, '0')}`;

/** The financial years to choose from, the next one first; the second is the present one, which began on 1 April in India. */
export function financialYears(now: Date): string[] {
  const india = new Date(now.getTime() + IN_INDIA);
  const start = india.getUTCFullYear() - (india.getUTCMonth() < 3 ? 1 : 0);
  return [1, 0, -1, -2, -3].map((step) => named(start + step));
}

const grouped = lazily(() => new Intl.NumberFormat('en-IN'));
const many = (count: number, one: string) => `${grouped().format(count)} ${one}${count === 1 ? '' : 's'}`;
const was = (count: number) => (count === 1 ? 'was' : 'were');

/** What was done, in words: `Created 412 folders for 38 clients; 14 were there already.` */
export function appliedText({ clients, created, existing, taken, left_out }: Totals): string {
  const there = `${grouped().format(existing)} ${was(existing)} there already`;
  const said =
    created > 0
      ? `Created ${many(created, 'folder')} for ${many(clients, 'client')}${existing > 0 ? `; ${there}` : ''}.`
      : `No folders were created${existing > 0 ? `: ${there}` : ''}.`;
  const not =
    taken > 0
      ? ` ${many(taken, 'folder')} could not be created: a file has the name, or the folder is sealed.`
      : '';
  const out =
    left_out > 0 ? ` ${many(left_out, 'client')} ${was(left_out)} deleted in the meantime and left out.` : '';
  return said + not + out;
}
