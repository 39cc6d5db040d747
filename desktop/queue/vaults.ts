import type { Paired } from '#server/devices/contract.ts';
import type { Database } from './database.ts';

/** A vault that this program is paired with. Its token is kept elsewhere. */
export interface Vault {
  id: number;
  /** Address without a slash at the end. */
  base: string;
  vault_id: string;
  device_id: number;
  user_name: string;
  user_email: string;
  firm_name: string;
  /** What its updates must be signed by; null where it had none to give when it was paired. */
  public_key: string | null;
  /** 1 once the vault said that the pairing is over. */
  ended: 0 | 1;
}

export function createVaults(db: Database) {
  const all = db.prepare('SELECT * FROM vaults ORDER BY id');
  const one = db.prepare('SELECT * FROM vaults WHERE id = ?');
  return {
    all: () => all.all() as unknown as Vault[],
    find: (id: number) => one.get(id) as unknown as Vault | undefined,

    /** The same vault and person paired again keeps its folders and its queue. */
    note(base: string, { vault_id, device, user, firm, public_key }: Paired): Vault {
      const before = db
        .prepare('SELECT id FROM vaults WHERE vault_id = ? AND user_email = ?')
        .get(vault_id, user.email) as { id: number } | undefined;
      const values = [base, vault_id, device.id, user.name, user.email, firm.name] as const;
      if (before) {
        // The person has just said yes in the browser, so the key of updates is the one told now.
        db.prepare(
          `UPDATE vaults SET base = ?, vault_id = ?, device_id = ?, user_name = ?, user_email = ?, firm_name = ?,
             public_key = ?, ended = 0 WHERE id = ?`,
        ).run(...values, public_key, before.id);
        return one.get(before.id) as unknown as Vault;
      }
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO vaults (base, vault_id, device_id, user_name, user_email, firm_name, public_key)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...values, public_key);
      return one.get(lastInsertRowid) as unknown as Vault;
    },

    end(id: number): void {
      db.prepare('UPDATE vaults SET ended = 1 WHERE id = ?').run(id);
    },
    /** Forgets the vault with its folders and its queue; no file on the disk is touched. */
    remove(id: number): void {
      db.prepare('DELETE FROM vaults WHERE id = ?').run(id);
    },
  };
}
export type Vaults = ReturnType<typeof createVaults>;
