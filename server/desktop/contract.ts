import * as v from 'valibot';
import type { Platform } from '#server/auth/paired-programs/contract.ts';
import { contentHash, subPath } from '#server/uploads/contract.ts';

/*
 * The API of Almirah Uploader. Responses have the shape of every other call: `{ success: true, data }` with the types below
 * as `data`, and `{ success: false, message, code, errors?, request_id }` for errors.
 * After pairing each request carries `Authorization: Bearer almd_…`, and no cookie.
 *
 * Errors of any call:
 * - 401 `device_ended`: the program was disconnected, the password was changed or the user deactivated. Pair again.
 * - 403 `forbidden`: the user may not upload (any more). `no_seat`, `two_step_needed`, `outside_hours`,
 *   `outside_network`: not now, or not from here. Pause the queue, show the message, and try again later.
 * - 422 `quota_exceeded`: the vault is full. 503 `disk_full`, `disk_failing`: its disk is. Pause the queue with one notice.
 * - 422 `invalid` with `errors`: `file` a type that is not accepted, `parent_id` a folder that no longer exists, `path` a
 *   component that is the name of a file. 413 `too_large`. 422 `infected`. These concern this file only; do not retry automatically.
 * - 404 on an upload, 410 `upload_lost`: start again with the same `upload_key`, after `compare`.
 * - 422 `wrong_content`: read the file again, and resend it.
 * - 409 `wrong_offset`: HEAD again. 429 with Retry-After in seconds.
 */

/** Pairing: `authorizeDevice` and `claimToken` are the bodies of `/authorize` and `/token`. */
export * from '#server/auth/paired-programs/contract.ts';
/** Where uploads start, and the form of an upload key. */
export { RESUMABLE, uploadKey } from '#server/uploads/contract.ts';

/** Path prefix of the API. */
export const DESKTOP = '/api/desktop';
/** Bytes in one PATCH of an upload, small enough for proxies with a limit. */
export const PIECE_BYTES = 16 * 1024 * 1024;
const BAD_FOLDER = 'Choose a folder';
/** Documents that one call may name. */
const OTHERS_MOST = 100;

export interface PairingCode {
  /** With a challenge 43 letters, digits, `-` and `_`; without one eight of `CODE_ALPHABET`. Valid once. */
  code: string;
  /** Seconds. */
  expires_in: number;
}

export interface Paired {
  /** `almd_…`; never shown again. */
  token: string;
  device: { id: number; name: string };
  user: { name: string; email: string };
  firm: { name: string };
  /** Identifies the vault, whatever its address. */
  vault_id: string;
  /** The public key that verifies updates: raw Ed25519, 32 bytes in base64; null where no program was built here. */
  public_key: string | null;
}

/**
 * `GET /api/desktop/me`. Each request carries `User-Agent: AlmirahUploader/1.4.0 (win-x64)`, so that the list
 * of signed-in devices is right after an update.
 */
export interface DeviceSelf {
  device: { id: number; name: string };
  user: { name: string; email: string };
  firm: { name: string };
  vault_id: string;
  /**
   * Identifies the server's data folder, which a restore from a backup makes anew: what was uploaded after the backup is
   * not in it, and its ids name other documents. Null if the server does not know it; older servers leave it out.
   */
  data_folder: string | null;
  /** Whether this user may upload now. */
  may_write: boolean;
  /** Remaining bytes. */
  quota_left: number;
  /** Bytes per file. */
  max_file_size: number;
  /** Lower case, without the dot. */
  allowed_extensions: string[];
  /** The newest version for the program's platform; null without one. */
  latest_version: string | null;
  public_key: string | null;
}

const id = v.pipe(v.number(BAD_FOLDER), v.safeInteger(BAD_FOLDER), v.minValue(1, BAD_FOLDER));
/** `GET /api/desktop/folders?parent=ID|root`: the folders that can be chosen as a target. 404 for an unknown folder. */
export interface TargetFolders {
  /** The path from the root down to `parent`; empty for the root, 'My Drive'. */
  breadcrumbs: { id: number; name: string }[];
  /** By name. */
  folders: TargetFolder[];
  /** Whether the list is cut off at `FOLDERS_SHOWN`. */
  more: boolean;
}
export interface TargetFolder {
  id: number;
  name: string;
  client_name: string | null;
}
/** Folders per response. */
export const FOLDERS_SHOWN = 1000;

/** `GET /api/desktop/clients?q=`: at most `CLIENTS_SHOWN`, the best matches first; without `q` by name. */
export interface TargetClient {
  id: number;
  name: string;
  city: string | null;
}
export const CLIENTS_SHOWN = 50;

/**
 * `POST /api/desktop/folders`: the folder of a client, or one below a folder; created when missing. Responds
 * with `TargetFolder` and `path`, the names from the root down joined by ' / '. 422 on `client_id`,
 * `parent_id`, `path`.
 */
export const findFolder = v.object({
  /** The client; when set, `parent_id` is ignored. */
  client_id: v.optional(v.nullable(id), null),
  /** Null for 'My Drive'. */
  parent_id: v.optional(v.nullable(id), null),
  path: subPath,
});
export type FindFolder = v.InferOutput<typeof findFolder>;
export interface FoundFolder extends TargetFolder {
  path: string;
}

/**
 * `POST /api/desktop/compare`: whether this very folder already holds this content, under any name; with `made` also whether
 * a document that a program of this user made holds it, wherever that is now.
 */
export const compareContent = v.object({
  parent_id: v.nullable(id),
  /** A missing sub-folder counts as empty and is not created. */
  path: subPath,
  /** Lower-case hex. */
  sha256: contentHash,
  size: v.pipe(v.number('Say the size.'), v.safeInteger('Say the size.'), v.minValue(0, 'Say the size.')),
  made: v.optional(v.boolean(), false),
  /** Documents that are another file's, which `made` does not count. */
  others: v.optional(v.pipe(v.array(id), v.maxLength(OTHERS_MOST)), []),
});
/** Of a call, and as the server has read it. */
export type CompareContent = v.InferInput<typeof compareContent>;
export type ComparedContent = v.InferOutput<typeof compareContent>;
export interface Compared {
  exists: { id: number; name: string } | null;
  /** Up to this many bytes the check is unnecessary: an upload with `sha256` gives the same result. */
  by_sending: number;
}

/**
 * `POST /api/documents/resumable` and following, tus 1.0.0, as in the browser. `Upload-Metadata` of a program:
 * - `filename`, `original_at` (ISO 8601, the file's own date), `parent_id` ('' for 'My Drive')
 * - `path`: `sub/folders` below that; created when missing
 * - `conflict` `replace` with `item_id`: the document that the program made of this very file, by an earlier response. A changed
 *   file becomes a new version of it, whatever its name is now. If it is not in that folder any more, or without `item_id`,
 *   both are kept: a document of the same name may be somebody else's.
 * - `data_folder`: that of `/me` from which `item_id` is. Of another one, `item_id` names some other document, and both are kept.
 * - `upload_key`: a UUID that the program chooses. POST with a key that this user has used returns the same upload, 201 with
 *   its Location: HEAD gives the offset. The file arrives where the last POST said. For a finished upload it returns 200 with the
 *   item, like the last PATCH, wherever that arrived: for another target choose another key.
 * A file of at most 4 MB whose bytes are all in the POST is finished by it, 201 with the item, and costs the vault no more
 * than a form upload. Such a POST may state its content:
 * - `sha256`: lower-case hex. If this very folder already holds that content, under any name, nothing is stored: 200 with its
 *   id and name. Bytes that do not match the hash are refused, 422 `wrong_content`.
 * The last PATCH returns 200 `{ success, data: item }`; `data.id` and `data.name` are the final id and name of the file.
 */
/** `DELETE /api/desktop/me`: the program disconnects itself. Returns null. */

/**
 * `GET /api/desktop/latest`, without authentication: the available builds, from `dist-desktop/release.json` as
 * the build writes it. Each `file` lies in `dist-desktop/` (or `DESKTOP_DIR`) and is served at
 * `/desktop/download/FILE`.
 */
export interface Release {
  /** Raw Ed25519, 32 bytes in base64; null where nothing was built. */
  public_key: string | null;
  builds: ReleaseBuild[];
}
export interface ReleaseBuild {
  platform: Platform;
  /** `setup` is the installer for people, `update` the binary that the program replaces itself with. */
  kind: 'setup' | 'update';
  version: string;
  /** File name within the folder: letters, digits, `.`, `_` and `-`. */
  file: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  /** Ed25519 signature of `signedText`, in base64. */
  signature: string;
}
/** The content of `dist-desktop/release.json`. */
export type ReleaseFile = Release & { public_key: string };

/** The text that the build signs, in UTF-8. */
export const signedText = ({
  platform,
  kind,
  version,
  size,
  sha256,
}: Omit<ReleaseBuild, 'signature' | 'file'>): string =>
  `almirah-uploader\n${platform}\n${kind}\n${version}\n${size}\n${sha256}\n`;
