import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, conflict, forbidden } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import { admit } from './admit.ts';
import { BEGUN, subPath, uploadFields, uploadKey } from './contract.ts';

/** A file as it was announced with tus. */
export interface Announced {
  name: string;
  size: number;
  fields: Record<string, string>;
}

/** An upload that may begin: its fields say the folder itself, where they said a path. */
export interface Admitted extends Announced {
  key: string | null;
}

export interface Beginning {
  documents: Pick<Documents, 'checkUpload'>;
  /** Whoever acts, as they may act now; null once what lets them in has ended. */
  again: (actor: Actor) => Promise<Actor | null>;
  /** The folder at a path below another one, made where it is not there. */
  folderAt: (actor: Actor, parentId: number | null, path: string) => Promise<number | null>;
}

/**
 * Asks whether and where a file may go, before a byte of it is read.
 * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`, `path`, `upload_key`; 422 `quota_exceeded`.
 */
export async function admitted(
  { documents, folderAt }: Beginning,
  actor: Actor,
  { name, size, fields }: Announced,
): Promise<Admitted> {
  await admit(documents, actor, { name, fields, bytes: size });
  const { path, upload_key, ...rest } = fields;
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

/** Bytes may take hours: whoever has signed out since has ended this too. @throws {AppError} 401; 403. */
export async function demandSession({ again }: Pick<Beginning, 'again'>, actor: Actor): Promise<void> {
  // Whether a link still stands is asked by whoever takes what has come by it.
  if (actor.recipient) return;
  const now = await again(actor);
  if (now && (!actor.program || may(now, 'documents.write'))) return;
  if (now) throw forbidden();
  throw new AppError(401, 'unauthenticated', 'Please sign in to continue.');
}

/** A key begins one upload. @throws {AppError} 409. */
export async function demandFresh(
  trx: Knex.Transaction,
  { userId }: Actor,
  key: string | null,
): Promise<void> {
  if (key === null) return;
  const own = { user_id: userId, upload_key: key };
  if (await trx('resumable_uploads').where(own).first('id')) throw conflict(BEGUN, 'upload_begun');
}

/** What is noted of every upload at its beginning. */
export const noted = (
  actor: Actor,
  { id, name, size, fields, key }: Admitted & { id: string },
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
