import * as v from 'valibot';
import type { Conflict } from '#server/documents/contract.ts';
import { VERSION_OF_NOTHING } from '#server/documents/contract.ts';
import { notThere, NO_FOLDER } from '#server/text/not-there.ts';

export const NO_FILE = 'Please select files to upload';
export const ONE_FILE = 'Send one file with each request.';
export const CUT_OFF = 'The upload was interrupted. Please try again.';

/** Address of the tus endpoint for resumable uploads. */
export const RESUMABLE = '/api/documents/resumable';

// Errors of resumable uploads. `NO_UPLOAD` names the missing thing for `notFound`.
export const NO_UPLOAD = 'upload';
export const TAKEN_OVER = 'This upload goes on in another window.';
export const WRONG_OFFSET = 'The upload does not go on from there. Ask how far it has come.';
export const TOO_MANY_BYTES =
  'The file is longer than the upload said when it began. Please upload it again when nothing writes to it.';
export const NO_DEFERRED =
  'Say how long the file is with Upload-Length when the upload begins; it cannot be said later.';
export const NO_PARTS =
  'Uploads cannot be joined here (Upload-Concat). Send the file as one upload, without parallel parts.';
export const LOST = 'Parts of this upload are lost. Please upload the file again.';
export const TOO_MANY_PARTS = 'The upload came in too many small pieces. Please send larger ones.';

/** For an upload key whose file was deleted meanwhile. */
export const DELETED_SINCE = 'This file was uploaded before, and somebody has deleted it since.';
/** For a second upload with the key of one that was created a moment ago. */
export const BEGUN = 'This upload has been begun just now. Ask again.';

/** Maximum depth of a folder path. */
export const PATH_LEVELS = 100;

const BAD_PATH = 'Choose a folder';
/** A folder path such as `sub/folders`, with the names on the sender's disk; the server repairs invalid names. '' for none. */
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

/** A UUID chosen by the client. A client that never got the response to its first request finds its upload by this key. */
export const uploadKey = v.pipe(
  v.string('The upload key is no UUID.'),
  v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'The upload key is no UUID.'),
  v.toLowerCase(),
);

/** SHA-256 in lower-case hex. */
export const contentHash = v.pipe(
  v.string('Say the SHA-256.'),
  v.regex(/^[0-9a-f]{64}$/, 'Say the SHA-256.'),
);
/** Sending a file of up to so many bytes is cheaper than first asking whether the server has its content. */
export const COMPARED_MOST = 256 * 1024;
/** The received bytes do not match the SHA-256 that the client sent. */
export const WRONG_CONTENT = 'The file did not arrive as it was sent. Please send it again.';

const absent = new Set(['', 'null', 'no-client']);
/** Form fields are text; a missing field, '', 'null' and 'no-client' mean none. */
const idField = (message: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.transform((text) => (absent.has(text) ? null : text)),
    v.nullable(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, message), v.transform(Number))),
  );

/** The text fields of an upload, in any order. */
export const uploadFields = v.object({
  parent_id: idField(NO_FOLDER),
  client_id: idField('Choose a client from the list'),
  extract_zip: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => text === '1' || text.toLowerCase() === 'true'),
  ),
  /** Modification time on the sender's disk, ISO 8601; an invalid date is ignored. */
  original_at: v.optional(v.string(), ''),
  /** What to do if the folder has an item of this name. */
  conflict: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text): Conflict => (text === 'replace' ? 'replace' : 'keep')),
  ),
  /** With `replace`: the file to replace, whatever its name is now. If it is not in the folder any more, both are kept. */
  item_id: idField(notThere('file')),
  /** The file of which this one becomes a new version, wherever it is; folder, client and `conflict` are then not regarded. */
  version_of: idField(VERSION_OF_NOTHING),
});

/** Maximum number of page pictures in one PDF. */
export const PAGES_MAX = 50;
/** Maximum size of one page picture. A larger photo from a client is not read into memory; it stays a file of its own. */
export const PAGE_MAX_BYTES = 64 * 1024 * 1024;
export const NO_PAGES = 'Take or choose at least one picture.';
export const TOO_MANY_PAGES = `A PDF can be made of ${PAGES_MAX} pictures at most. Save these first, then go on with a second PDF.`;
export const unreadPages = (pages: readonly number[]): string =>
  `${pages.length === 1 ? 'Picture' : 'Pictures'} ${pages.join(', ')} cannot be read. Take ${pages.length === 1 ? 'it' : 'them'} again, or leave ${pages.length === 1 ? 'it' : 'them'} out.`;

const TURNS = [0, 90, 180, 270] as const;
/** The text fields of a PDF upload. The order of the `page` parts is the order of the pages. */
export const pagesFields = v.object({
  ...v.omit(uploadFields, ['extract_zip', 'conflict', 'item_id', 'version_of']).entries,
  name: v.pipe(v.string('Please enter a name'), v.trim(), v.nonEmpty('Please enter a name')),
  /** The same when the request is repeated, which then saves no second PDF. */
  upload_key: v.optional(uploadKey),
  /** Clockwise rotation of each page in degrees, comma-separated; '' for no rotation. */
  turns: v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text === '' ? [] : text.split(',').map(Number))),
    v.array(v.picklist(TURNS, 'A page is turned by 0, 90, 180 or 270 degrees.')),
  ),
});
