import { lazily } from '#server/text/lazily.ts';
import * as v from 'valibot';
import type { FolderState } from '#server/documents/contract.ts';

export { expand, parseOutline, usesPlaceholder } from './outline.ts';

/** Clients per request. */
export const MAX_CLIENTS = 200;
/** Templates per firm, without the built-in ones. */
export const MAX_TEMPLATES = 100;
const MAX_OUTLINE_CHARACTERS = 60_000;

export interface TemplateView {
  /** A word for a built-in template, digits for a template of the firm. */
  id: string;
  name: string;
  /**
   * One folder per line, two spaces per level; `{fy}` and `{client}` are placeholders for the financial year and the
   * client's name.
   */
  outline: string;
  /** The number of folders. */
  folders: number;
  built_in: boolean;
  /** Increases with every change; an edit sends it back to detect conflicts. Null for a built-in template. */
  version: number | null;
}

/** The result of applying a template, or its preview. The folders of the clients themselves count too. */
export interface Totals {
  clients: number;
  created: number;
  /** Folders that exist already and stay unchanged. */
  existing: number;
  /** Folders that cannot be created: a file has the name, or the parent folder is sealed. */
  taken: number;
  /** Clients that no longer exist. */
  left_out: number;
}

/** A folder that was not created, with its contents, because a file has its name or its parent folder is sealed. */
export interface Problem {
  client_id: number;
  client_name: string;
  name: string;
  /** False when a file has the name. */
  sealed: boolean;
}

export interface Applied extends Totals {
  problems: Problem[];
}

/** The resulting folders of the first client. */
export interface Example {
  client_name: string;
  /** The path of the client's folder, joined by ' / '; '' in My Drive. */
  path: string;
  /** The client's folder, followed by its contents. */
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
  v.maxLength(MAX_OUTLINE_CHARACTERS, 'This is too long for a template'),
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
/** Whether the text is a financial year, such as `2026-27`. */
export const isFinancialYear = (text: string): boolean =>
  /^(?:19|20)\d\d-\d\d$/.test(text) && (Number(text.slice(0, 4)) + 1) % 100 === Number(text.slice(5));

export const application = v.object({
  client_ids: v.pipe(
    v.array(v.pipe(v.number(CLIENTS), v.safeInteger(CLIENTS), v.minValue(1, CLIENTS)), CLIENTS),
    v.nonEmpty(CLIENTS),
    v.maxLength(MAX_CLIENTS, `Choose at most ${MAX_CLIENTS} clients at once`),
    v.transform((ids) => [...new Set(ids)]),
  ),
  /** Required when the template contains `{fy}`. */
  fy: v.optional(v.pipe(v.string(YEAR), v.check(isFinancialYear, YEAR))),
});
export type Application = v.InferOutput<typeof application>;

const numberFormat = lazily(() => new Intl.NumberFormat('en-IN'));
const countText = (count: number, singular: string) =>
  `${numberFormat().format(count)} ${singular}${count === 1 ? '' : 's'}`;
const was = (count: number) => (count === 1 ? 'was' : 'were');

/** The result as text: `Created 412 folders for 38 clients; 14 were there already.` */
export function appliedText({ clients, created, existing, taken, left_out }: Totals): string {
  const existingText = `${numberFormat().format(existing)} ${was(existing)} there already`;
  const createdText =
    created > 0
      ? `Created ${countText(created, 'folder')} for ${countText(clients, 'client')}${existing > 0 ? `; ${existingText}` : ''}.`
      : `No folders were created${existing > 0 ? `: ${existingText}` : ''}.`;
  const takenText =
    taken > 0
      ? ` ${countText(taken, 'folder')} could not be created: a file has the name, or the folder is sealed.`
      : '';
  const leftOutText =
    left_out > 0
      ? ` ${countText(left_out, 'client')} ${was(left_out)} deleted in the meantime and left out.`
      : '';
  return createdText + takenText + leftOutText;
}
