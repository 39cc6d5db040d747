import type { Database } from './database.ts';

/** An upload that was begun and is no longer wanted. The vault keeps storage for it, for days, until it is cancelled. */
export interface AbandonedUpload {
  id: number;
  /** Path of the upload at the vault; null if its first answer has not come: then `upload_key` finds it. */
  upload_url: string | null;
  upload_key: string;
  name: string;
  size: number;
}

/** Triggers of the database add the uploads: when a queued file gets another key, or is forgotten. */
export const createAbandoned = (db: Database) => ({
  of: (vault: number): AbandonedUpload[] =>
    db
      .prepare(
        'SELECT id, upload_url, upload_key, name, size FROM abandoned WHERE vault = ? ORDER BY id LIMIT 100',
      )
      .all(vault) as unknown as AbandonedUpload[],
  remove: (id: number): void => void db.prepare('DELETE FROM abandoned WHERE id = ?').run(id),
});
export type Abandoned = ReturnType<typeof createAbandoned>;
