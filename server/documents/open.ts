import { notFound } from '#server/http/errors.ts';
import type { ItemView } from './contract.ts';
import type { findItem } from './rows.ts';

/** A file's facts for whoever sends its bytes. */
export interface OpenedFile {
  item: Pick<ItemView, 'id' | 'name' | 'type' | 'file_type' | 'file_size' | 'parent_id' | 'client_id'>;
  blob_id: string;
  size: number;
  sha256: string;
  name: string;
  file_type: string;
  modified_at: string;
}

/** @throws {AppError} 404 for a folder. */
export function openedOf(row: Awaited<ReturnType<typeof findItem>>): OpenedFile {
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
