import type { Database } from './database.ts';
import { transaction } from './database.ts';

export const createRestored = (db: Database) => ({
  /**
   * Notes the data folder of a vault. Another one than before was restored from a backup: what was uploaded since is missing
   * there, and the ids of documents are given out again for others. So the ids are forgotten, and the files that lie in
   * watched folders still are queued again, by their upload keys of before; files that the user took out of the queue are not.
   * @param data_folder undefined from a vault that does not say it.
   * @returns how many files are queued again.
   */
  note(vault: number, data_folder: string | null | undefined): number {
    if (!data_folder) return 0;
    return transaction(db, () => {
      const known = db.prepare('SELECT data_folder FROM vaults WHERE id = ?').get(vault)?.data_folder;
      if (known === undefined || known === data_folder) return 0;
      db.prepare('UPDATE vaults SET data_folder = ? WHERE id = ?').run(data_folder, vault);
      if (known === null) return 0;
      const { changes } = db
        .prepare(
          `UPDATE files SET state = 'settling', looked_at = 0, upload_url = NULL, sent = 0, problem = NULL, ended_at = NULL,
             sent_before = CASE WHEN item_id IS NULL THEN 1 ELSE 2 END
           WHERE vault = ? AND folder IS NOT NULL AND state IN ('arrived', 'done') AND sent = size`,
        )
        .run(vault);
      db.prepare('UPDATE files SET item_id = NULL WHERE vault = ? AND item_id IS NOT NULL').run(vault);
      return Number(changes);
    });
  },
});
export type Restored = ReturnType<typeof createRestored>;
