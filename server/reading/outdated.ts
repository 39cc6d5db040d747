import { performance } from 'node:perf_hooks';
import type { Knex } from 'knex';
import { queryRow, queryRows } from '#server/db/sql.ts';
import type { Claimed } from './queue.ts';
import { CLIENTS_MAX, READER } from './queue.ts';

/** A pause in which nothing is looked for, after all that is left was found to lie in Trash or in quarantine. */
const QUIET_MS = 10 * 60_000;

/** A content whose text an earlier version has read. */
export interface Outdated extends Claimed {
  /** Its text, which stays unless it is replaced. */
  text: string;
}

/** The next firm that has not paused reading, of those with texts of this version. */
async function nextFirm(db: Knex, version: number, after: number): Promise<number | null> {
  const row = await queryRow<{ firm_id: number | null }>(
    db,
    `SELECT min(firm_id) AS firm_id FROM document_texts WHERE state = 'read' AND reader = ? AND firm_id > ?
     AND firm_id NOT IN (SELECT firm_id FROM reading_settings WHERE paused = 1)`,
    [version, after],
  );
  return row?.firm_id ?? null;
}

/**
 * The newest text of this version of a firm that has a visible file. Left out are those whose pages are still being recognised: they
 * are read anew when these are done.
 */
const newestOf = (
  db: Knex,
  version: number,
  firmId: number,
): Promise<(Omit<Outdated, 'attempt' | 'clients'> & { attempts: number }) | undefined> =>
  queryRow(
    db,
    `SELECT t.id, t.firm_id, t.sha256, t.attempts, t.blob_id AS text, i.id AS item_id,
       nullif(i.scope_client_id, 0) AS client_id, i.blob_id, i.file_type, i.file_size AS size
     FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
     WHERE t.state = 'read' AND t.reader = ? AND t.firm_id = ? AND t.blob_id IS NOT NULL AND coalesce(t.scan, '') <> 'waiting'
       AND NOT EXISTS (SELECT 1 FROM quarantined_blobs q WHERE q.blob_id = i.blob_id) ORDER BY t.id DESC LIMIT 1`,
    [version, firmId],
  );

/**
 * The texts that an earlier version has read: of firms in turns, the newest first. Each stays as it is, and is found, until it is
 * replaced. An attempt is counted when it starts, so that a file that crashes the whole server is not retried for ever.
 */
export function createOutdated(db: Knex) {
  let lastFirm = 0;
  let quietUntil = -Infinity;

  async function next() {
    if (performance.now() < quietUntil) return undefined;
    let some = false;
    for (let version = READER - 1; version >= 0; version -= 1) {
      const first = (await nextFirm(db, version, lastFirm)) ?? (await nextFirm(db, version, 0));
      for (let firm = first; firm !== null;) {
        some = true;
        const found = await newestOf(db, version, firm);
        if (found) return found;
        const following: number | null =
          (await nextFirm(db, version, firm)) ?? (await nextFirm(db, version, 0));
        firm = following === first ? null : following;
      }
    }
    if (some) quietUntil = performance.now() + QUIET_MS;
    return undefined;
  }

  /** Its row, unless it was read or deleted meanwhile. */
  const still = (on: Knex, { id, text }: Pick<Outdated, 'id' | 'text'>) =>
    on('document_texts').where({ id, state: 'read', blob_id: text });

  return {
    any: async (): Promise<boolean> => (await next()) !== undefined,

    /** Claims the next one; null when there is none. */
    async claim(): Promise<Outdated | null> {
      for (let found = await next(); found; found = await next()) {
        if ((await still(db, found).increment('attempts', 1)) === 0) continue;
        lastFirm = found.firm_id;
        const { attempts, client_id, ...rest } = found;
        const clients = await queryRows<{ id: number }>(
          db,
          'SELECT DISTINCT scope_client_id AS id FROM items WHERE firm_id = ? AND sha256 = ? AND scope_client_id <> 0 LIMIT ?',
          [rest.firm_id, rest.sha256, CLIENTS_MAX],
        );
        return { ...rest, client_id, clients: clients.map(({ id }) => id), attempt: attempts + 1 };
      }
      return null;
    },

    /** Undoes a claim whose attempt says nothing about the file, such as when the server stops. */
    async unclaim(file: Outdated): Promise<void> {
      await still(db, file).where('attempts', '>', 0).decrement('attempts', 1);
    },

    /** Ends the work on a text that stays; `alongside` runs in the same transaction unless it was replaced meanwhile. */
    keep: (
      file: Outdated,
      alongside: (trx: Knex.Transaction) => Promise<void> = async () => {},
    ): Promise<void> =>
      db.transaction(async (trx) => {
        if ((await still(trx, file).update({ reader: READER, attempts: 0 })) > 0) await alongside(trx);
      }),
  };
}
export type OutdatedTexts = ReturnType<typeof createOutdated>;
