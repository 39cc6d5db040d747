import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Item } from '../model.ts';
import { findItem } from '../rows.ts';
import type { VersionRef, VersionView } from './contract.ts';

/** A row of `versions`. */
export interface Version {
  id: number;
  item_id: number;
  firm_id: number;
  name: string;
  file_type: string;
  file_size: number;
  blob_id: string;
  sha256: string;
  crc32: number | null;
  original_at: string | null;
  user_id: number;
  created_at: string;
  replaced_at: string;
  restored_from: string | null;
  kept_as: string | null;
  uploaded_as: string | null;
  bytes: number;
}

/**
 * A file and one of its earlier versions.
 * @throws {AppError} 404 when either does not exist for the actor, 403 when the actor lacks the permission.
 */
export async function findVersion(
  db: Knex,
  actor: Actor,
  { item: id, version }: VersionRef,
  permission: Parameters<typeof findItem>[3],
): Promise<{ item: Item; version: Version }> {
  const item = await findItem(db, actor, id, permission);
  const found: Version | undefined = await db('versions').where({ id: version, item_id: id }).first();
  if (!found) throw notFound('version');
  return { item, version: found };
}

/**
 * Whether a file is in the drive, and not in Trash, with this content: as its present one or as an earlier version.
 * @param sha256 of the content; null asks only for the file.
 */
export async function isInDrive(db: Knex, id: number, sha256: string | null): Promise<boolean> {
  const item: { sha256: string | null } | undefined = await db('items').where({ id }).first('sha256');
  if (!item || sha256 === null || item.sha256 === sha256) return item !== undefined;
  return (await db('versions').where({ item_id: id, sha256 }).first('id')) !== undefined;
}

export function toVersionView(
  row: Pick<Version, 'name' | 'file_type' | 'file_size' | 'sha256' | 'user_id' | 'created_at'> &
    Pick<Version, 'original_at' | 'restored_from' | 'kept_as' | 'uploaded_as'> & { user_name: string } & {
      id: number | null;
      replaced_at: string | null;
    },
): VersionView {
  return {
    id: row.id,
    name: row.name,
    file_type: row.file_type,
    file_size: row.file_size,
    formatted_file_size: formatBytes(row.file_size),
    sha256: row.sha256,
    user_id: row.user_id,
    user_name: row.user_name,
    created_at: row.created_at,
    replaced_at: row.replaced_at,
    original_at: row.original_at,
    restored_from: row.restored_from,
    kept_as: row.kept_as,
    uploaded_as: row.uploaded_as,
  };
}
