import type { Knex } from 'knex';
import { BOUND_IDS, execute, bindList, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { removeTexts } from '#server/db/document-text.ts';
import type { Records } from '#server/records/service.ts';
import type { Clock } from '../clock.ts';
import { READ_TYPES } from './contract.ts';
import type { TextRefusal } from './contract.ts';
import type { SkipCache, Range } from './skip-cache.ts';
import { createSkipCache } from './skip-cache.ts';

/**
 * The version of what makes texts, index entries and recognised values of files. Raise it with a change that is worth reading again what
 * was read before.
 */
export const READER = 3;

/** Attempts per file: the second one in a process of its own, with less of the file. */
export const ATTEMPTS = 2;
/** Waiting rows fetched to choose one. */
const CANDIDATES = 100;
/** Clients whose passwords are tried on one content. */
export const CLIENTS_MAX = 4;
/** Texts deleted in one transaction. */
const DELETE_BATCH = 50;

/** A content that was claimed for reading. */
export interface Claimed {
  id: number;
  firm_id: number;
  sha256: string;
  blob_id: string;
  file_type: string;
  size: number;
  item_id: number;
  /** The nearest client above the file, or its own. */
  client_id: number | null;
  /** Those of files with this content, at most `CLIENTS_MAX`: each may have the password of a locked PDF. */
  clients: number[];
  /** From 1. */
  attempt: number;
  /** The blob of a text that an earlier version has read: it stays unless it is replaced. */
  text?: string;
}

interface Waiting extends Omit<Claimed, 'attempt' | 'clients' | 'text'> {
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
  /** `waiting` while pages are still to be read as pictures, then `read`. */
  scan: 'waiting' | 'read' | null;
  scan_pages: number | null;
  scanned: number | null;
  /** Confidence in percent. */
  sure: number | null;
}

/** The stored result of a reading. */
export type ReadingResult = Pick<
  TextRow,
  'reason' | 'blob_id' | 'kind' | 'pages' | 'without' | 'characters' | 'cut' | 'sure'
> & {
  state: 'read' | 'no_text' | 'refused';
};
export const EMPTY_RESULT = {
  reason: null,
  blob_id: null,
  kind: null,
  pages: null,
  without: null,
  characters: null,
  cut: null,
  sure: null,
} as const;

/** The next firm by id that has waiting contents and has not paused; null when there is none. */
async function nextFirm(db: Knex, after: number): Promise<number | null> {
  const row = await queryRow<{ firm_id: number | null }>(
    db,
    `SELECT min(firm_id) AS firm_id FROM document_texts WHERE state = 'waiting' AND firm_id > ?
     AND firm_id NOT IN (SELECT firm_id FROM reading_settings WHERE paused = 1)`,
    [after],
  );
  return row?.firm_id ?? null;
}

async function newestWaiting(db: Knex, firmId: number): Promise<number> {
  const row = await queryRow<{ id: number | null }>(
    db,
    "SELECT max(id) AS id FROM document_texts WHERE state = 'waiting' AND firm_id = ?",
    [firmId],
  );
  return row?.id ?? 0;
}

/**
 * The newest waiting contents of a firm with a visible file that is not quarantined: a row per file. Ids within the
 * range are left out.
 */
const waitingOf = (db: Knex, firmId: number, { from, to }: Range): Promise<Waiting[]> =>
  queryRows(
    db,
    `SELECT t.id, t.firm_id, t.sha256, t.attempts, i.id AS item_id, nullif(i.scope_client_id, 0) AS client_id, i.blob_id, i.file_type, i.file_size AS size
     FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
     WHERE t.firm_id = ? AND t.state = 'waiting' AND t.id NOT BETWEEN ? AND ?
       AND NOT EXISTS (SELECT 1 FROM quarantined_blobs q WHERE q.blob_id = i.blob_id) ORDER BY t.id DESC LIMIT ?`,
    [firmId, from, to, CANDIDATES],
  );

export interface QueueDependencies {
  db: Knex;
  clock: Clock;
  records: Pick<Records, 'discard'>;
  /** Readable file types. */
  types?: readonly string[];
  skipCache?: SkipCache;
}

/**
 * The queue of contents to read, in rounds over the firms, the newest content of each first. An attempt is counted
 * when it starts, so that a file that crashes the whole server is not retried for ever.
 */
export function createReadingQueue({
  db,
  clock,
  records,
  types = READ_TYPES,
  skipCache = createSkipCache(),
}: QueueDependencies) {
  const isReadable = ({ file_type }: Waiting): boolean => types.includes(file_type);
  let lastFirm = 0;

  async function candidatesOf(firmId: number): Promise<Waiting[]> {
    const newest = await newestWaiting(db, firmId);
    const began = skipCache.now();
    const rows = await waitingOf(db, firmId, skipCache.range(firmId));
    skipCache.record(firmId, { began, newest, first: rows[0]?.id });
    return rows;
  }

  /** The next content to read, and the waiting contents of that firm that are of no readable type. */
  async function findNext(): Promise<{
    next: (Waiting & Pick<Claimed, 'clients'>) | undefined;
    unread: number[];
  } | null> {
    const first = (await nextFirm(db, lastFirm)) ?? (await nextFirm(db, 0));
    for (let firm = first; firm !== null;) {
      const rows = await candidatesOf(firm);
      if (rows.length > 0) {
        lastFirm = firm;
        const readable = rows.filter(isReadable);
        const readableIds = new Set(readable.map(({ id }) => id));
        const unread = rows.map(({ id }) => id).filter((id) => !readableIds.has(id));
        const [first] = readable;
        const owners = readable.flatMap(({ id, client_id }) => (id === first?.id ? (client_id ?? []) : []));
        const clients = [...new Set(owners)].slice(0, CLIENTS_MAX);
        return { next: first && { ...first, clients }, unread: [...new Set(unread)] };
      }
      const following: number | null = (await nextFirm(db, firm)) ?? (await nextFirm(db, 0));
      firm = following === first ? null : following;
    }
    return null;
  }

  return {
    /** Whether a content waits, or a text is to be deleted. */
    async any(): Promise<boolean> {
      const row = await queryRow(db, "SELECT 1 AS one FROM document_texts WHERE state = 'gone' LIMIT 1");
      return row !== undefined || (await findNext()) !== null;
    },

    /** Claims the next content; null when none waits. */
    async claim(): Promise<Claimed | null> {
      for (;;) {
        const found = await findNext();
        if (!found) return null;
        const { next, unread } = found;
        const claimed = await db.transaction(async (trx) => {
          if (unread.length > 0)
            await execute(
              trx,
              `UPDATE document_texts SET state = 'unread' WHERE state = 'waiting' AND id IN (${BOUND_IDS})`,
              [bindList(unread)],
            );
          return next === undefined
            ? 0
            : trx('document_texts').where({ id: next.id, state: 'waiting' }).increment('attempts', 1);
        });
        if (!next || claimed === 0) continue;
        const { attempts, ...rest } = next;
        return { ...rest, attempt: attempts + 1 };
      }
    },

    /** Undoes a claim whose attempt says nothing about the file, such as when the server stops. */
    async unclaim({ id }: Claimed): Promise<void> {
      await db('document_texts')
        .where({ id, state: 'waiting' })
        .where('attempts', '>', 0)
        .decrement('attempts', 1);
    },

    /**
     * Stores the result of a reading; `alongside` runs in the same transaction.
     * @returns false, and stores nothing, when the content no longer waits, its text was replaced, or no file has it any more.
     */
    settle(
      { id, text }: Claimed,
      result: ReadingResult,
      alongside: (trx: Knex.Transaction) => Promise<void>,
    ): Promise<boolean> {
      return db.transaction(async (trx) => {
        const row: Pick<TextRow, 'state' | 'blob_id'> | undefined = await trx('document_texts')
          .where({ id })
          .first('state', 'blob_id');
        if (
          !row ||
          (text === undefined ? row.state !== 'waiting' : row.state !== 'read' || row.blob_id !== text)
        )
          return false;
        await trx('document_texts')
          .where({ id })
          .update({ ...result, reader: READER, attempts: 0, read_at: clock().toISOString() });
        if (row.blob_id) await records.discard(trx, [row.blob_id], clock());
        await alongside(trx);
        return true;
      });
    },

    /** Queues a content to be read again. */
    async enqueue(firmId: number, sha256: string): Promise<void> {
      await db('document_texts')
        .where({ firm_id: firmId, sha256 })
        .whereNot({ state: 'gone' })
        .update({ state: 'waiting', attempts: 0, reason: null });
      skipCache.invalidate(firmId);
    },

    /** The next stored texts by id. */
    stored: (after: number, limit: number): Promise<{ id: number; blob_id: string }[]> =>
      db('document_texts')
        .where('id', '>', after)
        .whereNotNull('blob_id')
        .orderBy('id')
        .limit(limit)
        .select('id', 'blob_id'),

    /** Queues a content again that was refused for want of a password. */
    async enqueueUnlocked(firmId: number, sha256: string): Promise<void> {
      await db('document_texts')
        .where({ firm_id: firmId, sha256, state: 'refused', reason: 'locked' })
        .update({ state: 'waiting', attempts: 0, reason: null });
      skipCache.invalidate(firmId);
    },

    /** Queues contents again whose stored texts are lost. */
    async enqueueLost(ids: readonly number[]): Promise<void> {
      await execute(
        db,
        `UPDATE document_texts SET state = 'waiting', attempts = 0, blob_id = NULL WHERE state = 'read' AND id IN (${BOUND_IDS})`,
        [bindList(ids)],
      );
    },

    /** Deletes the texts of contents that no file has any more. @returns how many. */
    async deleteGone(): Promise<number> {
      const rows: Pick<TextRow, 'id' | 'blob_id'>[] = await db('document_texts')
        .where({ state: 'gone' })
        .limit(DELETE_BATCH)
        .select('id', 'blob_id');
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      return db.transaction(async (trx) => {
        // A content that was added again meanwhile is no longer `gone`, and stays. Dependent rows go first.
        await execute(
          trx,
          `DELETE FROM scanned_pages WHERE text_id IN
           (SELECT id FROM document_texts WHERE state = 'gone' AND id IN (${placeholders(ids)}))`,
          ids,
        );
        const deleted = await queryRows<{ id: number; blob_id: string | null }>(
          trx,
          `DELETE FROM document_texts WHERE state = 'gone' AND id IN (${placeholders(ids)}) RETURNING id, blob_id`,
          ids,
        );
        const deletedIds = deleted.map(({ id }) => id);
        await removeTexts(trx, deletedIds);
        await records.discard(
          trx,
          deleted.flatMap(({ blob_id }) => blob_id ?? []),
          clock(),
        );
        return deleted.length;
      });
    },

    row: (firmId: number, sha256: string): Promise<TextRow | undefined> =>
      db('document_texts').where({ firm_id: firmId, sha256 }).first(),
  };
}
export type ReadingQueue = ReturnType<typeof createReadingQueue>;
