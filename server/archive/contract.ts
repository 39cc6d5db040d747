import * as v from 'valibot';
import type { JobStatus } from '#server/jobs/contract.ts';

/** The job kind of extractions. */
export const EXTRACTION = 'extraction';

const ENTRIES = 'Choose files and folders of this ZIP';
/** More would exceed the size limit of a request body. */
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
  /** Paths as `GET …/entries` returns them; left out, everything. A folder includes all of its contents. */
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
  /** The id of a failed extraction of this ZIP, to be repeated with the same entries. */
  again: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger())), null),
});
export type ExtractRequest = v.InferOutput<typeof extractRequest>;

/** The body of `POST /api/documents/{id}/entry-token`: one file of an archive, by its path as `GET …/entries` returns it. */
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
  /** Finds names that contain this text in the whole archive; `path` is ignored then. */
  search: v.optional(v.pipe(v.string(), v.maxLength(255, 'This is too long to look for')), ''),
  offset: count(100_000, 0),
  limit: count(5000, 1000),
});
export type EntriesQuery = v.InferOutput<typeof entriesQuery>;

export interface SkippedView {
  path: string;
  reason: string;
}

/** Details of an extraction. Numbers are 0 and names null until they are known. */
export interface ExtractionFacts {
  item_id: number;
  file_name: string;
  bytes_done: number;
  bytes_total: number;
  files: number;
  folders: number;
  /** The new folder, once it exists. */
  folder_id: number | null;
  folder_name: string | null;
  /** The folder that contains it; null for the root. */
  parent_id: number | null;
  /** The first thousand entries that were left out. */
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

/** A file or folder of an archive, as listed. */
export interface EntryView {
  name: string;
  /** The path from the archive's root, joined by `/`, as the requests above take it. */
  path: string;
  type: 'folder' | 'file';
  file_type: string | null;
  /** Unpacked size in bytes; for a folder the sum of its contents. */
  size: number;
  formatted_size: string;
  /** Files in a folder and below it; null for a file. */
  files: number | null;
  /** ISO 8601, with a time zone only if the archive contains one. Null for folders and unknown times. */
  modified: string | null;
  encrypted: boolean;
}

/** The contents of one folder, or the results of a search; folders first, in natural order. */
export interface EntriesView {
  path: string;
  entries: EntryView[];
  /** The total before `offset` and `limit` are applied. */
  total: number;
  /** `files`, `folders` and `bytes` are totals of the whole archive. */
  files: number;
  folders: number;
  bytes: number;
  formatted_bytes: string;
  /** Whether unpacking needs a password. */
  encrypted: boolean;
  /** Entries that unpacking would leave out. */
  skipped: SkippedView[];
  skipped_count: number;
}
