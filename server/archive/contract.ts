import * as v from 'valibot';
import type { JobStatus } from '#server/jobs/contract.ts';

/** The kind of job under which extractions run. */
export const EXTRACTION = 'extraction';

const ENTRIES = 'Choose files and folders of this ZIP';
/** More would not fit the body of a call. */
export const MAX_CHOSEN = 10_000;
export const TOO_MANY_CHOSEN = 'Choose at most 10,000 files and folders, or the folder that holds them';

const password = v.pipe(
  v.optional(
    v.nullable(v.pipe(v.string('Enter the password'), v.maxLength(1024, 'This password is too long'))),
  ),
  v.transform((text) => text || undefined),
);

/** The body of `POST /api/documents/{id}/extract`; it may be left out. */
export const extractRequest = v.object({
  password,
  /** Paths as `entries` shows them; everything when left out. A folder stands for all it holds. */
  entries: v.optional(
    v.nullable(
      v.pipe(
        v.array(v.pipe(v.string(ENTRIES), v.nonEmpty(ENTRIES), v.maxLength(30_000, ENTRIES)), ENTRIES),
        v.minLength(1, ENTRIES),
        v.maxLength(MAX_CHOSEN, TOO_MANY_CHOSEN),
      ),
    ),
    null,
  ),
  /** An extraction of this ZIP that failed: what was asked of it is asked again. */
  again: v.optional(v.nullable(v.pipe(v.number(), v.integer())), null),
});
export type ExtractRequest = v.InferOutput<typeof extractRequest>;

/** The body of `POST /api/documents/{id}/entry-token`: one file of an archive, by its path as `entries` shows it. */
export const entryRequest = v.object({
  path: v.pipe(v.string(ENTRIES), v.nonEmpty(ENTRIES), v.maxLength(30_000, ENTRIES)),
  password,
});
export type EntryRequest = v.InferOutput<typeof entryRequest>;

const count = (max: number, otherwise: number) =>
  v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^\d{1,6}$/, 'Give a number')), String(otherwise)),
    v.transform(Number),
    v.maxValue(max, `Give a number up to ${max}`),
  );

/** The query of `GET /api/documents/{id}/entries`. */
export const entriesQuery = v.object({
  path: v.optional(v.pipe(v.string(), v.maxLength(30_000, 'This folder is not in the ZIP.')), ''),
  /** Names that contain this, wherever they are in the archive; then `path` counts for nothing. */
  search: v.optional(v.pipe(v.string(), v.maxLength(255, 'This is too long to look for')), ''),
  offset: count(100_000, 0),
  limit: count(5000, 1000),
});
export type EntriesQuery = v.InferOutput<typeof entriesQuery>;

export interface SkippedView {
  path: string;
  reason: string;
}

/** What an extraction knows beside its status. Figures are 0 and names null until they are known. */
export interface ExtractionFacts {
  item_id: number;
  file_name: string;
  bytes_done: number;
  bytes_total: number;
  files: number;
  folders: number;
  /** The new folder, once it is there. */
  folder_id: number | null;
  folder_name: string | null;
  /** Where it lies; null for the root. */
  parent_id: number | null;
  /** The first thousand of what was left out. */
  skipped: SkippedView[];
  skipped_count: number;
}

export interface ExtractionView extends ExtractionFacts {
  id: number;
  extraction_id: number;
  status: JobStatus;
  /** 0 to 100. */
  progress: number;
  message: string;
  /** Why it failed: `password_needed`, `wrong_password`, `damaged`, `quota_exceeded`, …; null otherwise. */
  code: string | null;
  created_at: string;
  finished_at: string | null;
}

/** One line of a look into an archive. */
export interface EntryView {
  name: string;
  /** From the archive's top, joined by `/`; what `extract` and the download of one entry take. */
  path: string;
  type: 'folder' | 'file';
  file_type: string | null;
  /** Bytes once unpacked; a folder's is the sum of all it holds. */
  size: number;
  formatted_size: string;
  /** Files in a folder and below it; null for a file. */
  files: number | null;
  /** ISO 8601; a zone only where the archive tells one. Null for a folder, and where it is not known. */
  modified: string | null;
  encrypted: boolean;
}

/** One folder of an archive, or what was found in all of it; folders first, in natural order. */
export interface EntriesView {
  path: string;
  entries: EntryView[];
  /** Entries of this folder, or found, in all; `offset` and `limit` choose among them. */
  total: number;
  /** Of the whole archive. */
  files: number;
  folders: number;
  bytes: number;
  formatted_bytes: string;
  /** Whether unpacking needs a password. */
  encrypted: boolean;
  /** What unpacking would leave out. */
  skipped: SkippedView[];
  skipped_count: number;
}
