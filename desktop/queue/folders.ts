import type { Database } from './database.ts';

export const SUB_FOLDERS = ['keep', 'flat', 'none'] as const;
export const AFTER = ['leave', 'move', 'delete'] as const;

/** A folder of this computer whose files go to the vault. */
export interface WatchedFolder {
  id: number;
  vault: number;
  path: string;
  /** Folder of the vault; null for 'My Drive'. */
  parent_id: number | null;
  /** The client whose folder that is. */
  client_id: number | null;
  /** What the person chose, as it is shown. */
  target: string;
  /** Sub-folders are made in the vault as well, or their files all go into one folder, or they are left alone. */
  sub_folders: (typeof SUB_FOLDERS)[number];
  /** Patterns of names to leave out. */
  leave_out: string[];
  /** What becomes of a file that has arrived. */
  after: (typeof AFTER)[number];
  /** Why nothing of it is sent; null while all is well. */
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
    /** What still waits goes where the folder goes now. */
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
    retarget(id: number, parent_id: number): void {
      db.prepare('UPDATE folders SET parent_id = ?, trouble = NULL WHERE id = ?').run(parent_id, id);
    },
    remove(id: number): void {
      db.prepare('DELETE FROM folders WHERE id = ?').run(id);
    },
  };
}
export type Folders = ReturnType<typeof createFolders>;
