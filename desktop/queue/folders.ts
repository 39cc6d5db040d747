import type { Database } from './database.ts';

export const SUB_FOLDERS = ['keep', 'flat', 'none'] as const;
export const AFTER = ['leave', 'move', 'delete'] as const;

/** A local folder whose files are uploaded. */
export interface WatchedFolder {
  id: number;
  vault: number;
  path: string;
  /** Target folder in the vault; null for 'My Drive'. */
  parent_id: number | null;
  /** The client, when its folder is the target. */
  client_id: number | null;
  /** Displayed name of the target. */
  target: string;
  /** Keep sub-folders in the vault, flatten them into one folder, or ignore them. */
  sub_folders: (typeof SUB_FOLDERS)[number];
  /** Name patterns to exclude. */
  leave_out: string[];
  /** What to do with an uploaded file. */
  after: (typeof AFTER)[number];
  /** Why nothing of the folder is sent; null when all is well. */
  trouble: string | null;
}
export type FolderChoice = Omit<WatchedFolder, 'id' | 'trouble'>;

type Row = Omit<WatchedFolder, 'leave_out'> & { leave_out: string };
const read = (row: Row): WatchedFolder => ({ ...row, leave_out: JSON.parse(row.leave_out) as string[] });

export function createFolders(db: Database) {
  const find = (id: number): WatchedFolder | undefined => {
    const row = db.prepare('SELECT * FROM folders WHERE id = ?').get(id) as unknown as Row | undefined;
    return row && read(row);
  };
  const columns = ({
    vault,
    path,
    parent_id,
    client_id,
    target,
    sub_folders,
    leave_out,
    after,
  }: FolderChoice) =>
    [vault, path, parent_id, client_id, target, sub_folders, JSON.stringify(leave_out), after] as const;
  return {
    find,
    all: () => (db.prepare('SELECT * FROM folders ORDER BY path').all() as unknown as Row[]).map(read),

    add(choice: FolderChoice): WatchedFolder {
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO folders (vault, path, parent_id, client_id, target, sub_folders, leave_out, after)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...columns(choice));
      return find(Number(lastInsertRowid))!;
    },
    change(id: number, choice: FolderChoice): WatchedFolder | undefined {
      db.prepare(
        `UPDATE folders SET vault = ?, path = ?, parent_id = ?, client_id = ?, target = ?, sub_folders = ?,
           leave_out = ?, after = ?, trouble = NULL WHERE id = ?`,
      ).run(...columns(choice), id);
      return find(id);
    },
    trouble(id: number, trouble: string | null): void {
      db.prepare('UPDATE folders SET trouble = ? WHERE id = ?').run(trouble, id);
    },
    remove(id: number): void {
      db.prepare('DELETE FROM folders WHERE id = ?').run(id);
    },
  };
}
export type Folders = ReturnType<typeof createFolders>;
