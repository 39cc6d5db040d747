import type { Knex } from 'knex';
import { EACH, execute, list, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { removeTexts } from '#server/db/document-text.ts';
import type { Records } from '#server/records/service.ts';
import type { Clock } from '../clock.ts';
import { READ_TYPES } from './contract.ts';
import type { TextRefusal } from './contract.ts';
import type { Probed, Range } from './cost-cache.ts';
import { createProbed } from './cost-cache.ts';

/** How often a file is tried: the second time alone, and for less of it. */
export const ATTEMPTS = 2;
/** Waiting contents that are looked at for one that is read. */
const LOOKED_AT = 100;
/** Of which texts are taken out of the index in one transaction. */
const GONE_AT_ONCE = 50;

/** A content whose turn it is. */
export interface Claimed {
  id: number;
  firm_id: number;
  sha256: string;
  blob_id: string;
  file_type: string;
  size: number;
  item_id: number;
  client_id: number | null;
  /** 1 at first. */
  attempt: number;
}

interface Waiting extends Omit<Claimed, 'attempt'> {
  attempts: number;
}

export interface TextRow {
  id: number;
  firm_id: number;
  sha256: string;
  state: string;
  reason: TextRefusal | null;
  blob_id: string | null;
  kind: 'page' | 'slide' | 'sheet' | 'whole' | null;
  pages: number | null;
  without: number | null;
  characters: number | null;
  cut: 'pages' | 'size' | 'time' | null;
  read_at: string | null;
  /** `waiting` while pages of it are to be read as pictures, `read` when none is any more. */
  scan: 'waiting' | 'read' | null;
  scan_pages: number | null;
  scanned: number | null;
  /** In percent. */
  sure: number | null;
}

/** What came of a reading. */
export type Came = Pick<
  TextRow,
  'reason' | 'blob_id' | 'kind' | 'pages' | 'without' | 'characters' | 'cut' | 'sure'
> & {
  state: 'read' | 'no_text' | 'refused';
};
export const NOTHING = {
  reason: null,
  blob_id: null,
  kind: null,
  pages: null,
  without: null,
  characters: null,
  cut: null,
  sure: null,
} as const;

/** The firm after this one that has something to be read and has not paused; null when none has. */
async function nextFirm(db: Knex, after: number): Promise<number | null> {
  const row = await queryRow<{ firm_id: number | null }>(
    db,
    `SELECT min(firm_id) AS firm_id FROM document_texts WHERE state = 'waiting' AND firm_id > ?
     AND firm_id NOT IN (SELECT firm_id FROM reading_settings WHERE paused = 1)`,
    [after],
  );
  return row?.firm_id ?? null;
}

async function newestOf(db: Knex, firmId: number): Promise<number> {
  const row = await queryRow<{ id: number | null }>(
    db,
    "SELECT max(id) AS id FROM document_texts WHERE state = 'waiting' AND firm_id = ?",
    [firmId],
  );
  return row?.id ?? 0;
}

/**
 * The newest contents of a firm that wait and that a file has which is there for somebody: a row for each such file.
 * Ids within the range are left out.
 */
const waitingOf = (db: Knex, firmId: number, { from, to }: Range): Promise<Waiting[]> =>
  queryRows(
    db,
    `SELECT t.id, t.firm_id, t.sha256, t.attempts, i.id AS item_id, i.client_id, i.blob_id, i.file_type, i.file_size AS size
     FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
     WHERE t.firm_id = ? AND t.state = 'waiting' AND t.id NOT BETWEEN ? AND ?
       AND NOT EXISTS (SELECT 1 FROM quarantined_blobs q WHERE q.blob_id = i.blob_id) ORDER BY t.id DESC LIMIT ?`,
    [firmId, from, to, LOOKED_AT],
  );

export interface QueueParts {
  db: Knex;
  clock: Clock;
  records: Pick<Records, 'discard'>;
  /** Types that are read. */
  types?: readonly string[];
  probed?: Probed;
}

/**
 * The list of contents that are to be read. Firms take turns, and of each the newest file comes first. Each beginning is
 * noted, so that a file which takes the whole server down with it is not tried for ever.
 */
export function createReadingQueue({
  db,
  clock,
  records,
  types = READ_TYPES,
  probed = createProbed(),
}: QueueParts) {
  const isRead = ({ file_type }: Waiting): boolean => types.includes(file_type);
  let served = 0;

  async function look(firmId: number): Promise<Waiting[]> {
    const newest = await newestOf(db, firmId);
    const began = probed.now();
    const rows = await waitingOf(db, firmId, probed.of(firmId));
    probed.note(firmId, { began, newest, first: rows[0]?.id });
    return rows;
  }

  /** Whose turn it is, with all that waits there which is of no type that is read. */
  async function lookAround(): Promise<{ one: Waiting | undefined; unread: number[] } | null> {
    const first = (await nextFirm(db, served)) ?? (await nextFirm(db, 0));
    for (let firm = first; firm !== null;) {
      const rows = await look(firm);
      if (rows.length > 0) {
        served = firm;
        const one = rows.find(isRead);
        const read = new Set(rows.filter(isRead).map(({ id }) => id));
        const unread = rows.map(({ id }) => id).filter((id) => !read.has(id));
        return { one, unread: [...new Set(unread)] };
      }
      const next: number | null = (await nextFirm(db, firm)) ?? (await nextFirm(db, 0));
      firm = next === first ? null : next;
    }
    return null;
  }

  return {
    /** Whether there is anything to do. */
    async any(): Promise<boolean> {
      const gone = await queryRow(db, "SELECT 1 AS one FROM document_texts WHERE state = 'gone' LIMIT 1");
      return gone !== undefined || (await lookAround()) !== null;
    },

    /** Takes what is to be read next; null when nothing is. */
    async claim(): Promise<Claimed | null> {
      for (;;) {
        const found = await lookAround();
        if (!found) return null;
        const { one, unread } = found;
        const claimed = await db.transaction(async (trx) => {
          if (unread.length > 0)
            await execute(
              trx,
              `UPDATE document_texts SET state = 'unread' WHERE state = 'waiting' AND id IN (${EACH})`,
              [list(unread)],
            );
          return one === undefined
            ? 0
            : trx('document_texts').where({ id: one.id, state: 'waiting' }).increment('attempts', 1);
        });
        if (!one || claimed === 0) continue;
        const { attempts, ...rest } = one;
        return { ...rest, attempt: attempts + 1 };
      }
    },

    /** Takes the beginning of a reading back that says nothing about the file, such as when the server stops. */
    async unclaim({ id }: Claimed): Promise<void> {
      await db('document_texts')
        .where({ id, state: 'waiting' })
        .where('attempts', '>', 0)
        .decrement('attempts', 1);
    },

    /**
     * Notes what came of a reading; `alongside` happens in the same transaction.
     * @returns false when it no longer waits or no file has the content any more: then nothing is noted.
     */
    settle(
      { id }: Claimed,
      came: Came,
      alongside: (trx: Knex.Transaction) => Promise<void>,
    ): Promise<boolean> {
      return db.transaction(async (trx) => {
        const row: Pick<TextRow, 'state' | 'blob_id'> | undefined = await trx('document_texts')
          .where({ id })
          .first('state', 'blob_id');
        if (row?.state !== 'waiting') return false;
        await trx('document_texts')
          .where({ id })
          .update({ ...came, attempts: 0, read_at: clock().toISOString() });
        if (row.blob_id) await records.discard(trx, [row.blob_id], clock());
        await alongside(trx);
        return true;
      });
    },

    /** Puts a content on the list again. */
    async again(firmId: number, sha256: string): Promise<void> {
      await db('document_texts')
        .where({ firm_id: firmId, sha256 })
        .whereNot({ state: 'gone' })
        .update({ state: 'waiting', attempts: 0, reason: null });
      probed.forget(firmId);
    },

    /** Some of the texts that were kept, from this id on. */
    kept: (after: number, limit: number): Promise<{ id: number; blob_id: string }[]> =>
      db('document_texts')
        .where('id', '>', after)
        .whereNotNull('blob_id')
        .orderBy('id')
        .limit(limit)
        .select('id', 'blob_id'),

    /** Puts a content on the list again that would not open for want of its password. */
    async unlocked(firmId: number, sha256: string): Promise<void> {
      await db('document_texts')
        .where({ firm_id: firmId, sha256, state: 'refused', reason: 'locked' })
        .update({ state: 'waiting', attempts: 0, reason: null });
      probed.forget(firmId);
    },

    /** Puts contents on the list again whose texts are lost. */
    async lost(ids: readonly number[]): Promise<void> {
      await execute(
        db,
        `UPDATE document_texts SET state = 'waiting', attempts = 0, blob_id = NULL WHERE state = 'read' AND id IN (${EACH})`,
        [list(ids)],
      );
    },

    /** Takes the texts of contents away that no file has any more. @returns how many. */
    async forgetGone(): Promise<number> {
      const rows: Pick<TextRow, 'id' | 'blob_id'>[] = await db('document_texts')
        .where({ state: 'gone' })
        .limit(GONE_AT_ONCE)
        .select('id', 'blob_id');
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      return db.transaction(async (trx) => {
        // What was added again meanwhile waits, and stays.
        // First what hangs on them, of those that are gone still.
        await execute(
          trx,
          `DELETE FROM scanned_pages WHERE text_id IN
           (SELECT id FROM document_texts WHERE state = 'gone' AND id IN (${placeholders(ids)}))`,
          ids,
        );
        const gone = await queryRows<{ id: number; blob_id: string | null }>(
          trx,
          `DELETE FROM document_texts WHERE state = 'gone' AND id IN (${placeholders(ids)}) RETURNING id, blob_id`,
          ids,
        );
        const goneIds = gone.map(({ id }) => id);
        await removeTexts(trx, goneIds);
        await records.discard(
          trx,
          gone.flatMap(({ blob_id }) => blob_id ?? []),
          clock(),
        );
        return gone.length;
      });
    },

    row: (firmId: number, sha256: string): Promise<TextRow | undefined> =>
      db('document_texts').where({ firm_id: firmId, sha256 }).first(),
  };
}
export type ReadingQueue = ReturnType<typeof createReadingQueue>;
