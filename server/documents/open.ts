import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import type { ItemView } from './contract.ts';
import { findItem } from './rows.ts';
import type { VersionRef } from './versions/contract.ts';
import { findVersion } from './versions/rows.ts';

/** A file's metadata, as needed to send its bytes. */
export interface OpenedFile {
  item: Pick<ItemView, 'id' | 'name' | 'type' | 'file_type' | 'file_size' | 'parent_id' | 'client_id'>;
  blob_id: string;
  size: number;
  sha256: string;
  name: string;
  file_type: string;
  modified_at: string;
  /** The id of the earlier version; absent for the present content. */
  version?: number;
  /** Set when what a link that masks Aadhaar numbers serves is sent instead. `sha256` is still the original's. */
  masked?: true;
}

/** @throws {AppError} 404 for a folder. */
function openedOf(row: Awaited<ReturnType<typeof findItem>>): OpenedFile {
  if (row.type !== 'file') throw notFound('file');
  const { id, name, file_type, file_size, blob_id, sha256, client_id, modified_at } = row;
  return {
    item: { id, name, type: 'file', file_type, file_size, parent_id: row.seen_parent_id, client_id },
    blob_id: blob_id!,
    size: file_size!,
    sha256: sha256!,
    name,
    file_type: file_type!,
    modified_at,
  };
}

/** A file by its id, or one of its earlier versions. */
export type FileRef = number | VersionRef;

/** @throws {AppError} 404 also for a folder, 403. */
export async function openFile(db: Knex, actor: Actor, ref: FileRef): Promise<OpenedFile> {
  if (typeof ref === 'number') return openedOf(await findItem(db, actor, ref, 'documents.read'));
  const { item, version } = await findVersion(db, actor, ref, 'documents.read');
  const { name, file_type, file_size, blob_id, sha256, created_at } = version;
  return {
    item: { ...openedOf(item).item, name, file_type, file_size },
    blob_id,
    size: file_size,
    sha256,
    name,
    file_type,
    modified_at: created_at,
    version: version.id,
  };
}
