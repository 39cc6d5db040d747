import * as v from 'valibot';
import type { Conflict } from '#server/documents/contract.ts';

export const NO_FILE = 'Please select files to upload';
export const ONE_FILE = 'Send one file with each request.';
export const CUT_OFF = 'The upload was cut off before its end. Please try again.';

/** Where uploads that can be resumed are begun. */
export const RESUMABLE = '/api/documents/resumable';

/** Of an upload in several requests. */
export const NO_UPLOAD = 'upload';
export const TAKEN_OVER = 'This upload goes on in another window.';
export const WRONG_OFFSET = 'The upload does not go on from there. Ask how far it has come.';
export const NO_DEFERRED =
  'Say how long the file is with Upload-Length when the upload begins; it cannot be said later.';
export const NO_PARTS =
  'Uploads cannot be joined here (Upload-Concat). Send the file as one upload, without parallel parts.';
export const LOST = 'Parts of this upload are lost. Please upload the file again.';
export const TOO_MANY_PARTS = 'The upload came in too many small pieces. Please send larger ones.';

const absent = new Set(['', 'null', 'no-client']);
/** A form sends text; nothing, '' and 'no-client' mean none. */
const idField = (message: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.transform((text) => (absent.has(text) ? null : text)),
    v.nullable(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, message), v.transform(Number))),
  );

/** The text fields beside `file`, in any order. */
export const uploadFields = v.object({
  parent_id: idField('This folder does not exist.'),
  client_id: idField('Choose a client from the list'),
  extract_zip: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => text === '1' || text.toLowerCase() === 'true'),
  ),
  /** When the file was last changed on the sender's disk, ISO 8601; what is no date is left out when it is saved. */
  original_at: v.optional(v.string(), ''),
  /** What to do when the name is taken. */
  conflict: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text): Conflict => (text === 'replace' ? 'replace' : 'keep')),
  ),
});
export type UploadFields = v.InferOutput<typeof uploadFields>;
