import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { queryManyRows } from '#server/db/sql.ts';

/** A file under a seal. */
interface ListedFile {
  /** The path from the sealed folder, including its name; for a sealed file, the name alone. */
  path: string;
  sha256: string | null;
  file_size: number | null;
}

/** The file itself, or all files in a folder, ordered by path; without those in Trash. */
export async function filesOf(db: Knex, id: number): Promise<ListedFile[]> {
  const rows = await queryManyRows<ListedFile>(
    db,
    ['path', 'sha256', 'file_size'],
    `WITH RECURSIVE tree(id, path, type, sha256, file_size) AS (
       SELECT id, name, type, sha256, file_size FROM items WHERE id = ?
       UNION ALL
       SELECT i.id, tree.path || '/' || i.name, i.type, i.sha256, i.file_size
       FROM tree CROSS JOIN items i ON i.parent_id = tree.id WHERE tree.type = 'folder'
     ) SELECT path, sha256, file_size FROM tree WHERE type = 'file'`,
    [id],
  );
  return rows.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** SHA-256 of the list, hexadecimal; reproducible from the files alone. */
export function digestOf(files: readonly ListedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256, file_size } of files) hash.update(`${sha256 ?? ''}  ${file_size}  ${path}\n`);
  return hash.digest('hex');
}
