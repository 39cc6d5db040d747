import type { Paired } from '#server/desktop/contract.ts';
import type { Database } from './database.ts';

/** A paired vault. Its token is stored separately. */
export interface Vault {
  id: number;
  /** URL without a trailing slash. */
  base: string;
  vault_id: string;
  device_id: number;
  user_name: string;
  user_email: string;
  firm_name: string;
  /** The key that must have signed updates; null when the vault had none at pairing. */
  public_key: string | null;
  /** The server's data folder, from which all `item_id` of the queue are; null while the vault has not said it. */
  data_folder: string | null;
  /** 1 once the vault has ended the pairing. */
  ended: 0 | 1;
}

export function createVaults(db: Database) {
  const all = db.prepare('SELECT * FROM vaults ORDER BY id');
  const selectVault = db.prepare('SELECT * FROM vaults WHERE id = ?');
  return {
    all: () => all.all() as unknown as Vault[],
    find: (id: number) => selectVault.get(id) as unknown as Vault | undefined,

    /** Stores a pairing. Pairing again with the same vault and user keeps folders and queue. */
    save(base: string, { vault_id, device, user, firm, public_key }: Paired): Vault {
      const before = db
        .prepare('SELECT id FROM vaults WHERE vault_id = ? AND user_email = ?')
        .get(vault_id, user.email) as { id: number } | undefined;
      const values = [base, vault_id, device.id, user.name, user.email, firm.name] as const;
      if (before) {
        // The user has just confirmed this pairing in the browser, so its update key is trusted.
        db.prepare(
          `UPDATE vaults SET base = ?, vault_id = ?, device_id = ?, user_name = ?, user_email = ?, firm_name = ?,
             public_key = ?, ended = 0 WHERE id = ?`,
        ).run(...values, public_key, before.id);
        return selectVault.get(before.id) as unknown as Vault;
      }
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO vaults (base, vault_id, device_id, user_name, user_email, firm_name, public_key)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...values, public_key);
      return selectVault.get(lastInsertRowid) as unknown as Vault;
    },

    end(id: number): void {
      db.prepare('UPDATE vaults SET ended = 1 WHERE id = ?').run(id);
    },
    /** Deletes the vault with its folders and queue; no file on disk is touched. */
    remove(id: number): void {
      db.prepare('DELETE FROM vaults WHERE id = ?').run(id);
    },
  };
}
export type Vaults = ReturnType<typeof createVaults>;
