import { DatabaseSync } from 'node:sqlite';

/** Schema migrations, one entry per version; released entries never change. */
const VERSIONS = [
  `CREATE TABLE vaults (
     id INTEGER PRIMARY KEY,
     base TEXT NOT NULL,
     vault_id TEXT NOT NULL,
     device_id INTEGER NOT NULL,
     user_name TEXT NOT NULL,
     user_email TEXT NOT NULL,
     firm_name TEXT NOT NULL,
     public_key TEXT,
     ended INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE folders (
     id INTEGER PRIMARY KEY,
     vault INTEGER NOT NULL REFERENCES vaults(id) ON DELETE CASCADE,
     path TEXT NOT NULL,
     parent_id INTEGER,
     client_id INTEGER,
     target TEXT NOT NULL,
     sub_folders TEXT NOT NULL,
     leave_out TEXT NOT NULL,
     after TEXT NOT NULL,
     trouble TEXT,
     UNIQUE (vault, path)
   ) STRICT;
   CREATE TABLE files (
     id INTEGER PRIMARY KEY,
     vault INTEGER NOT NULL REFERENCES vaults(id) ON DELETE CASCADE,
     folder INTEGER REFERENCES folders(id) ON DELETE CASCADE,
     path TEXT NOT NULL,
     lies_in TEXT NOT NULL,
     sub_path TEXT NOT NULL,
     name TEXT NOT NULL,
     parent_id INTEGER,
     target TEXT NOT NULL,
     size INTEGER NOT NULL,
     changed_at REAL NOT NULL,
     looked_at REAL NOT NULL,
     state TEXT NOT NULL,
     version INTEGER NOT NULL DEFAULT 0,
     sha256 TEXT,
     upload_key TEXT NOT NULL,
     upload_url TEXT,
     begun INTEGER NOT NULL DEFAULT 0,
     sent INTEGER NOT NULL DEFAULT 0,
     problem TEXT,
     item_id INTEGER,
     ended_at REAL,
     UNIQUE (vault, folder, path)
   ) STRICT;
   CREATE INDEX files_by_state ON files (state, vault, id);
   CREATE INDEX files_by_place ON files (folder, lies_in);
   CREATE INDEX files_ended ON files (ended_at) WHERE ended_at IS NOT NULL;
   CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE log (
     id INTEGER PRIMARY KEY,
     at REAL NOT NULL,
     kind TEXT NOT NULL,
     text TEXT NOT NULL
   ) STRICT;`,
  // Until then the item may have been one that somebody else had put there; a changed file is kept beside it, once.
  `UPDATE files SET item_id = NULL;
   ALTER TABLE files DROP COLUMN version;`,
  // Triggers, so that no change of the queue can lose an upload that was begun. Without its vault nothing can be cancelled.
  `CREATE TABLE abandoned (
     id INTEGER PRIMARY KEY,
     vault INTEGER NOT NULL REFERENCES vaults(id) ON DELETE CASCADE,
     upload_url TEXT,
     upload_key TEXT NOT NULL,
     name TEXT NOT NULL,
     size INTEGER NOT NULL
   ) STRICT;
   CREATE TRIGGER upload_replaced AFTER UPDATE OF upload_key ON files
   WHEN NEW.upload_key <> OLD.upload_key AND OLD.begun = 1 AND OLD.state NOT IN ('arrived', 'done') BEGIN
     INSERT INTO abandoned (vault, upload_url, upload_key, name, size)
     VALUES (OLD.vault, OLD.upload_url, OLD.upload_key, OLD.name, OLD.size);
   END;
   CREATE TRIGGER upload_forgotten AFTER DELETE ON files
   WHEN OLD.begun = 1 AND OLD.state NOT IN ('arrived', 'done') AND EXISTS (SELECT 1 FROM vaults WHERE id = OLD.vault) BEGIN
     INSERT INTO abandoned (vault, upload_url, upload_key, name, size)
     VALUES (OLD.vault, OLD.upload_url, OLD.upload_key, OLD.name, OLD.size);
   END;`,
  // Files that were not sent and had left their watched folder; a dropped file's copy has no name of its own on the disk.
  `DELETE FROM files WHERE folder IS NULL AND state NOT IN ('arrived', 'done')
     AND substr(path, -length(name) - 1) IN ('/' || name, '\\' || name);`,
  `ALTER TABLE vaults ADD COLUMN data_folder TEXT;
   ALTER TABLE files ADD COLUMN sent_before INTEGER NOT NULL DEFAULT 0;`,
];

export type Database = DatabaseSync;

/** Opens the program's database, and creates it when missing. */
export function openQueue(file: string): Database {
  const db = new DatabaseSync(file);
  // With synchronous=NORMAL a power cut may lose the newest rows: the next scan finds those files again.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  for (const [index, statements] of VERSIONS.entries()) {
    if (index >= user_version)
      transaction(db, () => db.exec(`${statements} PRAGMA user_version = ${index + 1}`));
  }
  return db;
}

/** Runs `work` in a transaction; joins an outer one. */
export function transaction<T>(db: Database, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
