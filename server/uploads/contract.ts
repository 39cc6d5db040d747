import * as v from 'valibot';
import type { Conflict } from '#server/documents/contract.ts';

export const NO_FILE = 'Please select files to upload';
export const ONE_FILE = 'Send one file with each request.';
export const CUT_OFF = 'The upload was interrupted. Please try again.';

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

/** Of an upload that is asked for by its key after its file was deleted. */
export const DELETED_SINCE = 'This file was uploaded before, and somebody has deleted it since.';
/** Of a second upload by a key that one has begun with just now. */
export const BEGUN = 'This upload has been begun just now. Ask again.';

/** Levels of sub-folders that a path may have. */
export const PATH_LEVELS = 100;

const BAD_PATH = 'Choose a folder';
/** `sub/folders`: names as they are on the sender's disk, split by `/`; they are repaired as an upload's are. '' for none. */
export const subPath = v.optional(
  v.pipe(
    v.string(BAD_PATH),
    v.maxLength(8000, 'The path is too long.'),
    v.check((text) => text.split('/').length <= PATH_LEVELS, 'There are too many folders in one another.'),
    v.check(
      (text) => !text.split('/').some((name) => name === '.' || name === '..'),
      'A path cannot hold "." or "..".',
    ),
  ),
  '',
);

/** By which a program finds an upload again whose beginning it was never told of: a UUID of its own. */
export const uploadKey = v.pipe(
  v.string('The upload key is no UUID.'),
  v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'The upload key is no UUID.'),
  v.toLowerCase(),
);

/** SHA-256 of a content, in lower-case hex. */
export const contentHash = v.pipe(
  v.string('Say the SHA-256.'),
  v.regex(/^[0-9a-f]{64}$/, 'Say the SHA-256.'),
);
/** A file of at most so many bytes costs less to be sent than to be asked for first. */
export const COMPARED_MOST = 256 * 1024;
/** Of a file that came otherwise than its sender has it. */
export const WRONG_CONTENT = 'The file did not arrive as it was sent. Please send it again.';

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

/** Pictures of pages that become one PDF. */
export const PAGES_MAX = 50;
/** Bytes of one picture. */
export const PAGE_BYTES_MAX = 64 * 1024 * 1024;
export const NO_PAGES = 'Take or choose at least one picture.';
export const TOO_MANY_PAGES = `A PDF can be made of ${PAGES_MAX} pictures at most. Save these first, then go on with a second PDF.`;
export const unreadPages = (pages: readonly number[]): string =>
  `${pages.length === 1 ? 'Picture' : 'Pictures'} ${pages.join(', ')} cannot be read. Take ${pages.length === 1 ? 'it' : 'them'} again, or leave ${pages.length === 1 ? 'it' : 'them'} out.`;

const TURNS = [0, 90, 180, 270] as const;
/** The text fields beside the `page` parts, whose order is that of the pages. */
export const pagesFields = v.object({
  ...v.omit(uploadFields, ['extract_zip', 'conflict']).entries,
  name: v.pipe(v.string('Please enter a name'), v.trim(), v.nonEmpty('Please enter a name')),
  /** Degrees clockwise by which each page is turned, split by commas; '' turns none. */
  turns: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    v.array(v.picklist(TURNS, 'A page is turned by 0, 90, 180 or 270 degrees.')),
  ),
});
