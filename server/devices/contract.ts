import * as v from 'valibot';
import type { Platform } from '#server/auth/paired-programs/contract.ts';
import { contentHash, subPath } from '#server/uploads/contract.ts';

/*
 * What Almirah Uploader and the vault say to each other. Answers have the shape of every other call: `{ success: true, data }`
 * with what is described here as `data`, and `{ success: false, message, code, errors?, request_id }` for what was refused.
 * After pairing each request carries `Authorization: Bearer almd_…`, and no cookie.
 *
 * What may be refused at any time:
 * - 401 `device_ended`: the program was disconnected, the password was changed or the person deactivated. Pair again.
 * - 403 `forbidden`: the person may not upload (any more). `no_seat`, `two_step_needed`, `outside_hours`,
 *   `outside_network`: not now, or not from here. Hold the queue, show the message, and ask again later.
 * - 422 `quota_exceeded`: the vault is full. 503 `disk_full`, `disk_failing`: its disk is. Hold the queue with one notice.
 * - 422 `invalid` with `errors`: `file` a type that is not taken, `parent_id` a folder that is gone, `path` a name on the way
 *   that a file has. 413 `too_large`. 422 `infected`. Of this file only; do not try again by itself.
 * - 404 on an upload, 410 `upload_lost`: begin again with the same `upload_key`, after `compare`.
 * - 422 `wrong_content`: read the file anew, and send it again.
 * - 409 `wrong_offset`: HEAD again. 429 with Retry-After in seconds.
 */

/** How a program is connected: `authorizeDevice` and `claimToken` are the bodies of `/authorize` and `/token`. */
export * from '#server/auth/paired-programs/contract.ts';
/** Where uploads are begun, and what an upload key is. */
export { PATH_LEVELS, RESUMABLE, uploadKey } from '#server/uploads/contract.ts';

/** Where programs speak with the vault. */
export const DESKTOP = '/api/desktop';
/** The most that one PATCH of an upload should carry, in bytes. */
export const PIECE_BYTES = 16 * 1024 * 1024;
const BAD_FOLDER = 'Choose a folder';

export interface PairingCode {
  /** With a challenge 43 letters, digits, `-` and `_`; without one eight of `CODE_ALPHABET`. Good once. */
  code: string;
  /** Seconds. */
  expires_in: number;
}

export interface Paired {
  /** `almd_…`: shown this once. */
  token: string;
  device: { id: number; name: string };
  user: { name: string; email: string };
  firm: { name: string };
  /** Tells this vault from others, whatever its address. */
  vault_id: string;
  /** The key by which updates are signed: the raw 32 bytes of Ed25519 in base64; null where no program was built here. */
  public_key: string | null;
}

/**
 * `GET /api/desktop/me`. With each request the program sends `User-Agent: AlmirahUploader/1.4.0 (win-x64)`, so that the list of
 * signed-in devices is right after an update.
 */
export interface DeviceSelf {
  device: { id: number; name: string };
  user: { name: string; email: string };
  firm: { name: string };
  vault_id: string;
  /** Whether this person may upload now. */
  may_write: boolean;
  /** Bytes that still fit. */
  quota_left: number;
  /** Bytes of one file. */
  max_file_size: number;
  /** Lower case, without the dot. */
  allowed_extensions: string[];
  /** Newest version that the vault has for the platform of the program; null without one. */
  latest_version: string | null;
  public_key: string | null;
}

const id = v.pipe(v.number(BAD_FOLDER), v.integer(BAD_FOLDER), v.minValue(1, BAD_FOLDER));
/** `GET /api/desktop/folders?parent=ID|root`: what can be chosen as a target. 404 for a folder that is not there. */
export interface TargetFolders {
  /** The way from the root down, `parent` itself last; empty for the root, 'My Drive'. */
  breadcrumbs: { id: number; name: string }[];
  /** By name. */
  folders: TargetFolder[];
  /** Whether there are more than are told. */
  more: boolean;
}
export interface TargetFolder {
  id: number;
  name: string;
  client_name: string | null;
}
/** Folders of one answer. */
export const FOLDERS_SHOWN = 1000;

/** `GET /api/desktop/clients?q=`: at most `CLIENTS_SHOWN`, the best matches first; without `q` by name. */
export interface TargetClient {
  id: number;
  name: string;
  city: string | null;
}
export const CLIENTS_SHOWN = 50;

/**
 * `POST /api/desktop/folders`: the folder of a client, or one below a folder; made where it is not there yet. Answers
 * `TargetFolder` with `path`, the names from the root down joined by ' / '. 422 on `client_id`, `parent_id`, `path`.
 */
export const findFolder = v.object({
  /** Whose folder; then `parent_id` counts for nothing. */
  client_id: v.optional(v.nullable(id), null),
  /** Null for 'My Drive'. */
  parent_id: v.optional(v.nullable(id), null),
  path: subPath,
});
export type FindFolder = v.InferOutput<typeof findFolder>;
export interface FoundFolder extends TargetFolder {
  path: string;
}

/** `POST /api/desktop/compare`: whether this content lies in that very folder already, under any name. */
export const compareContent = v.object({
  parent_id: v.nullable(id),
  /** A sub-folder that is not there holds nothing, and is not made. */
  path: subPath,
  /** Lower-case hex. */
  sha256: contentHash,
  size: v.pipe(v.number('Say the size.'), v.integer('Say the size.'), v.minValue(0, 'Say the size.')),
});
export type CompareContent = v.InferOutput<typeof compareContent>;
export interface Compared {
  exists: { id: number; name: string } | null;
  /** A file of at most so many bytes need not be asked for: its upload tells the same when it says its `sha256`. */
  by_sending: number;
}

/**
 * `POST /api/documents/resumable` and on, over tus 1.0.0, as the browser does; `Upload-Metadata` of a program:
 * - `filename`, `original_at` (ISO 8601, the file's own date), `parent_id` ('' for 'My Drive')
 * - `path`: `sub/folders` below that, made where they are not there
 * - `conflict`: `replace`; a changed file of the same name becomes a version of the one that is there. Without, both are kept.
 * - `upload_key`: a UUID of the program's. POST with a key that this person has used answers the same upload, 201 with its
 *   Location: HEAD tells its offset. Where it is finished, 200 with the item as its last PATCH answered.
 * A file of at most 4 MB whose bytes all come with the POST is answered by it, 201 with the item, and costs the vault no more
 * than a form does. Such a one may say its content:
 * - `sha256`: lower-case hex. What lies in that very folder already, under any name, is not taken again: 200 with its id and
 *   name. What comes otherwise than it says is refused, 422 `wrong_content`.
 * The last PATCH answers 200 `{ success, data: item }`; `data.id` and `data.name` say what the file is called now.
 */
/** `DELETE /api/desktop/me`: the program disconnects itself. Answers null. */

/**
 * `GET /api/desktop/latest`, for anybody: what the vault gives out, from `dist-desktop/release.json` as the build writes it. Of
 * each `file` the folder `dist-desktop/` (or `DESKTOP_DIR`) holds the bytes, given out at `/desktop/download/FILE`.
 */
export interface Release {
  /** Ed25519, the raw 32 bytes in base64; null where nothing was built. */
  public_key: string | null;
  builds: ReleaseBuild[];
}
export interface ReleaseBuild {
  platform: Platform;
  /** `setup` is what a person installs, `update` what the program replaces itself by. */
  kind: 'setup' | 'update';
  version: string;
  /** Name of the file in the folder, without a path: letters, digits, `.`, `_` and `-`. */
  file: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  /** Base64 of the Ed25519 signature of `signedText`. */
  signature: string;
}
/** `dist-desktop/release.json` holds exactly this. */
export type ReleaseFile = Release & { public_key: string };

/** What the build signs, in UTF-8. */
export const signedText = ({
  platform,
  kind,
  version,
  size,
  sha256,
}: Omit<ReleaseBuild, 'signature' | 'file'>): string =>
  `almirah-uploader\n${platform}\n${kind}\n${version}\n${size}\n${sha256}\n`;
