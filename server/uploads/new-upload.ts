import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, conflict, forbidden } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import { admit } from './admit.ts';
import { BEGUN, subPath, uploadFields, uploadKey } from './contract.ts';
import type { UploadRow } from './upload-row.ts';

/** What a tus client declares of a file when it creates the upload. */
export interface UploadRequest {
  name: string;
  size: number;
  fields: Record<string, string>;
}

/** An accepted request; `fields.parent_id` is the target folder, with a requested `path` resolved. */
export interface AcceptedUpload extends UploadRequest {
  key: string | null;
}

export interface NewUploadDependencies {
  documents: Pick<Documents, 'checkUpload' | 'checkVersion'>;
  /** The actor with present permissions; null once the session or program access has ended. */
  again: (actor: Actor) => Promise<Actor | null>;
  /** The folder at a path below another folder; created if it does not exist. */
  folderAt: (actor: Actor, parentId: number | null, path: string) => Promise<number | null>;
  /** The id of the data folder; left out without one. */
  dataFolderId?: string | undefined;
}

/**
 * Checks a request before any byte is read, and resolves its target folder.
 * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`, `path`, `upload_key`; 422 `quota_exceeded`.
 */
export async function acceptUpload(
  { documents, folderAt, dataFolderId }: NewUploadDependencies,
  actor: Actor,
  { name, size, fields }: UploadRequest,
): Promise<AcceptedUpload> {
  await admit(documents, actor, { name, fields, bytes: size });
  const { path, upload_key, data_folder, ...rest } = fields;
  // Ids of another data folder name other documents in this one, which was restored from a backup.
  if (data_folder !== undefined && data_folder !== dataFolderId) delete rest.item_id;
  const key =
    upload_key === undefined ? null : parse(v.object({ upload_key: uploadKey }), { upload_key }).upload_key;
  if (path) {
    const { parent_id } = parse(uploadFields, fields);
    const below = parse(v.object({ path: subPath }), { path }).path;
    const folder = await folderAt(actor, parent_id, below);
    rest.parent_id = folder === null ? '' : String(folder);
  }
  return { name, size, fields: rest, key };
}

/**
 * The target folder may be deleted or hidden while bytes arrive, which the sender should not learn only after all of them. A
 * door checks itself what arrives through it.
 * @throws {AppError} 403; 422 like `admit`.
 */
export async function requireTarget(
  { documents }: Pick<NewUploadDependencies, 'documents'>,
  actor: Actor,
  { name, fields, door }: Pick<UploadRow, 'name' | 'fields' | 'door'>,
): Promise<void> {
  // Storage for its bytes is reserved already.
  if (door === null) await admit(documents, actor, { name, fields: JSON.parse(fields), bytes: 0 });
}

/** Bytes may take hours to arrive; signing out meanwhile ends the upload. @throws {AppError} 401; 403. */
export async function requireSession(
  { again }: Pick<NewUploadDependencies, 'again'>,
  actor: Actor,
): Promise<void> {
  // For uploads through a door, the door's own code checks that the link is still valid.
  if (actor.recipient) return;
  const now = await again(actor);
  if (now && (!actor.program || may(now, 'documents.write'))) return;
  if (now) throw forbidden();
  throw new AppError(401, 'unauthenticated', 'Please sign in to continue.');
}

/** @throws {AppError} 409 when an upload with this key exists. */
export async function requireUnusedKey(
  trx: Knex.Transaction,
  { userId }: Actor,
  key: string | null,
): Promise<void> {
  if (key === null) return;
  const uploadRow = { user_id: userId, upload_key: key };
  if (await trx('resumable_uploads').where(uploadRow).first('id')) throw conflict(BEGUN, 'upload_begun');
}

/** The row of a new upload in `resumable_uploads`. */
export const newUploadRow = (
  actor: Actor,
  { id, name, size, fields, key }: AcceptedUpload & { id: string },
  now: Date,
) => ({
  id,
  firm_id: actor.firmId,
  user_id: actor.userId,
  door: actor.recipient?.door ?? null,
  name,
  size,
  received: 0,
  fields: JSON.stringify(fields),
  upload_key: key,
  touched_at: now.toISOString(),
});
