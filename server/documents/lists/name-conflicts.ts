import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { CompareFiles, Taken } from '../contract.ts';
import { nameKey, repairName } from '../../text/file-names.ts';
import { sealOver } from '../seals/guard.ts';
import { placementError } from '../changes/insert-item.ts';
import { withFolderFacts } from './folder-facts.ts';
import { andVisible } from '#server/visibility/visible.ts';
import { requirePermission, ofFirm } from '../rows.ts';
import { placeholders, queryRows } from '../../db/sql.ts';

const BATCH = 500;

interface ExistingItem {
  id: number;
  name: string;
  name_key: string;
  type: 'file' | 'folder';
  file_size: number | null;
  sha256: string | null;
  modified_at: string;
  /** The seal over the item, if any. */
  seal: number | null;
}

/**
 * Finds existing items with the names of files that are about to be uploaded. The path of a file names folders below the
 * target; if one of them does not exist, there is no conflict.
 * @throws {AppError} 403; 422 on `parent_id`.
 */
export async function compareFiles(db: Knex, actor: Actor, request: CompareFiles): Promise<Taken[]> {
  requirePermission(actor, 'documents.read');
  const refusal = await placementError(db, actor, { parent_id: request.parent_id, client_id: null });
  if (refusal) throw refusal;

  async function inFolder(
    parentId: number | null,
    keys: readonly string[],
  ): Promise<Map<string, ExistingItem>> {
    const found = new Map<string, ExistingItem>();
    for (let start = 0; start < keys.length; start += BATCH) {
      const batch = keys.slice(start, start + BATCH);
      const rows = await queryRows<ExistingItem>(
        db,
        `SELECT id, name, name_key, type, file_size, sha256, modified_at, ${sealOver('items')} AS seal FROM items
         WHERE ${ofFirm('items')} AND coalesce(parent_id, 0) = ? AND name_key IN (${placeholders(batch)})${andVisible(actor)}`,
        [actor.firmId, parentId ?? 0, ...batch],
      );
      for (const row of rows) found.set(row.name_key, row);
    }
    return found;
  }

  const folders = new Map<string, Promise<number | null | undefined>>();
  /** The folder at the end of the path; undefined if it does not exist. */
  function folderAt(path: readonly string[]): Promise<number | null | undefined> {
    const key = JSON.stringify(path.map((name) => nameKey(repairName(name))));
    const walk = async (): Promise<number | null | undefined> => {
      const last = path.at(-1);
      if (last === undefined) return request.parent_id;
      const above = await folderAt(path.slice(0, -1));
      if (above === undefined) return undefined;
      const lastKey = nameKey(repairName(last));
      const folder = (await inFolder(above, [lastKey])).get(lastKey);
      return folder?.type === 'folder' ? folder.id : undefined;
    };
    const walking = folders.get(key) ?? walk();
    folders.set(key, walking);
    return walking;
  }

  const byFolder = new Map<number | null, { index: number; key: string }[]>();
  for (const [index, { path, name }] of request.files.entries()) {
    const folder = await folderAt(path);
    if (folder === undefined) continue;
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { index, key: nameKey(repairName(name)) }]);
  }
  const taken: Taken[] = [];
  for (const [folder, files] of byFolder) {
    const found = await inFolder(folder, [...new Set(files.map(({ key }) => key))]);
    for (const { index, key } of files) {
      const existing = found.get(key);
      if (!existing) continue;
      const { id, name, type, file_size, modified_at } = existing;
      // Shown only for files of equal size, for comparison with the sender's file.
      const sha256 = file_size === request.files[index]!.size ? existing.sha256 : null;
      taken.push({
        index,
        id,
        name,
        type,
        file_size,
        modified_at,
        sha256,
        sealed: existing.seal !== null,
      });
    }
  }
  return withFolderFacts(
    db,
    actor,
    taken.toSorted((a, b) => a.index - b.index),
  );
}
