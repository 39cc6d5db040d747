import { gunzipSync, gzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import type { Sealer } from '#server/db/column-encryption.ts';
import { execute, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { PICTURE_TYPES } from '../contract.ts';
import type { ScannedPage } from '../readers/contract.ts';

/** Attempts per page: the second one in a process of its own, with a smaller picture. */
export const PAGE_ATTEMPTS = 2;
/** Pages of one file read before other files have their turn. */
const PAGES_PER_TURN = 10;
/** Pages inserted per statement. */
const INSERT_BATCH = 200;

/** A page that was claimed for reading. */
export interface ClaimedPage {
  id: number;
  page: number;
  /** From 1. */
  attempt: number;
  text_id: number;
  firm_id: number;
  sha256: string;
  item_id: number;
  client_id: number | null;
  blob_id: string;
  file_type: string;
}

interface Candidate extends Omit<ClaimedPage, 'id' | 'page' | 'attempt'> {
  turn: number;
}

const pack = (page: ScannedPage): Buffer => gzipSync(JSON.stringify(page));
const unpack = (packed: Buffer): ScannedPage => JSON.parse(gunzipSync(packed).toString()) as ScannedPage;

/**
 * The queue of pages that are pictures, and their texts, sealed. Firms take turns, and so do files, a few pages at a
 * time; the newest file comes first.
 */
export function createScanQueue({ db, seal }: { db: Knex; seal: Sealer }) {
  let lastFirm = 0;

  const nextFirm = async (after: number): Promise<number | null> => {
    const row = await queryRow<{ firm_id: number | null }>(
      db,
      `SELECT min(firm_id) AS firm_id FROM document_texts WHERE scan = 'waiting' AND firm_id > ?
       AND firm_id NOT IN (SELECT firm_id FROM reading_settings WHERE paused = 1)`,
      [after],
    );
    return row?.firm_id ?? null;
  };

  /** The next visible file of a firm with waiting pages, once its own text was read. */
  const fileOf = (firmId: number): Promise<Candidate | undefined> =>
    queryRow(
      db,
      `SELECT t.id AS text_id, t.firm_id, t.sha256, t.turn, i.id AS item_id, i.client_id, i.blob_id, i.file_type
       FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
       WHERE t.firm_id = ? AND t.scan = 'waiting' AND t.state IN ('read', 'no_text')
       ORDER BY t.turn, t.id DESC LIMIT 1`,
      [firmId],
    );

  /** The first waiting page of a file; undefined where all are done. */
  const pageOf = (textId: number): Promise<{ id: number; page: number; attempts: number } | undefined> =>
    queryRow(
      db,
      `SELECT id, page, attempts FROM scanned_pages WHERE text_id = ? AND sealed IS NULL AND reason IS NULL
       ORDER BY page LIMIT 1`,
      [textId],
    );

  /**
   * Records the progress of a file. Once all pages are done, or twice as many as last time, the file's text is queued
   * to be rebuilt.
   */
  async function advance(trx: Knex.Transaction, textId: number): Promise<void> {
    const row = await queryRow<{ done: number; pages: number }>(
      trx,
      `SELECT count(*) AS pages, count(CASE WHEN sealed IS NOT NULL OR reason IS NOT NULL THEN 1 END) AS done FROM scanned_pages WHERE text_id = ?`,
      [textId],
    );
    const [done, pages] = [Number(row?.done ?? 0), Number(row?.pages ?? 0)];
    const isDone = done >= pages;
    const shouldRebuild =
      isDone || (done % PAGES_PER_TURN === 0 && Number.isInteger(Math.log2(done / PAGES_PER_TURN)));
    await trx('document_texts')
      .where({ id: textId, scan: 'waiting' })
      .update({
        scanned: done,
        scan_pages: pages,
        turn: Math.floor(done / PAGES_PER_TURN),
        ...(isDone && { scan: 'read' }),
      });
    if (shouldRebuild)
      await trx('document_texts')
        .where({ id: textId })
        .whereIn('state', ['read', 'no_text'])
        .update({ state: 'waiting', attempts: 0 });
  }

  return {
    /** Whether a page of a firm that has not paused waits. */
    any: async (): Promise<boolean> => (await nextFirm(0)) !== null,

    /**
     * Claims the next page. The attempt is counted when it starts, so that a page that crashes the server is not
     * retried for ever.
     */
    async claim(): Promise<ClaimedPage | null> {
      const first = (await nextFirm(lastFirm)) ?? (await nextFirm(0));
      for (let firm = first; firm !== null;) {
        const file = await fileOf(firm);
        if (file) {
          lastFirm = firm;
          const page = await pageOf(file.text_id);
          if (!page) {
            // For example, when the file was restored after its last page was read.
            await db.transaction((trx) => advance(trx, file.text_id));
            continue;
          }
          await db('scanned_pages').where({ id: page.id }).increment('attempts', 1);
          const { turn: _turn, ...rest } = file;
          return { ...rest, id: page.id, page: page.page, attempt: page.attempts + 1 };
        }
        const next: number | null = (await nextFirm(firm)) ?? (await nextFirm(0));
        firm = next === first ? null : next;
      }
      return null;
    },

    /** Undoes a claim whose attempt says nothing about the page. */
    async unclaim({ id }: ClaimedPage): Promise<void> {
      await db('scanned_pages').where({ id }).where('attempts', '>', 0).decrement('attempts', 1);
    },

    /** Stores the text of a page, or why it could not be read. */
    async settle({ id, text_id }: ClaimedPage, result: ScannedPage | { reason: string }): Promise<void> {
      const values = 'reason' in result ? { reason: result.reason } : { sealed: seal.seal(pack(result)) };
      await db.transaction(async (trx) => {
        await trx('scanned_pages').where({ id }).update(values);
        await advance(trx, text_id);
      });
    },

    /** The pages of a file that were read so far. */
    async scannedOf(textId: number): Promise<ScannedPage[]> {
      const rows: { sealed: Buffer }[] = await db('scanned_pages')
        .where({ text_id: textId })
        .whereNotNull('sealed')
        .orderBy('page')
        .select('sealed');
      return rows.map(({ sealed }) => unpack(seal.open(sealed)));
    },

    /** Adds the pages of a file that are pictures, after its own text was read. */
    async enqueue(trx: Knex.Transaction, textId: number, pages: readonly number[]): Promise<void> {
      for (let start = 0; start < pages.length; start += INSERT_BATCH)
        await trx('scanned_pages')
          .insert(pages.slice(start, start + INSERT_BATCH).map((page) => ({ text_id: textId, page })))
          .onConflict(['text_id', 'page'])
          .ignore();
      const row = await queryRow<{ done: number | null; pages: number }>(
        trx,
        `SELECT count(*) AS pages, count(CASE WHEN sealed IS NOT NULL OR reason IS NOT NULL THEN 1 END) AS done FROM scanned_pages WHERE text_id = ?`,
        [textId],
      );
      const [done, total] = [Number(row?.done ?? 0), Number(row?.pages ?? 0)];
      // Stored even where no page is to be read, so that the file is not examined again.
      await trx('document_texts')
        .where({ id: textId })
        .update({
          scan: done < total ? 'waiting' : 'read',
          scan_pages: total,
          scanned: done,
          turn: Math.floor(done / PAGES_PER_TURN),
        });
    },

    /** Deletes the pages of these contents. */
    async delete(trx: Knex.Transaction, textIds: readonly number[]): Promise<void> {
      await execute(trx, `DELETE FROM scanned_pages WHERE text_id IN (${placeholders(textIds)})`, [
        ...textIds,
      ]);
    },

    /** How many pages of a file could not be read. */
    async failedOf(textId: number): Promise<number> {
      const row = await queryRow<{ n: number }>(
        db,
        'SELECT count(*) AS n FROM scanned_pages WHERE text_id = ? AND reason IS NOT NULL',
        [textId],
      );
      return Number(row!.n);
    },

    /** Queues contents that were skipped while reading of scans was off. @returns how many. */
    async enqueueSkipped(): Promise<number> {
      const scans = await queryRows<{ id: number }>(
        db,
        `UPDATE document_texts SET state = 'waiting', attempts = 0
         WHERE scan IS NULL AND kind = 'page' AND (state = 'no_text' OR (state = 'read' AND without > 0)) RETURNING id`,
        [],
      );
      const pictures = await queryRows<{ id: number }>(
        db,
        `UPDATE document_texts SET state = 'waiting', attempts = 0 WHERE state = 'unread' AND EXISTS
         (SELECT 1 FROM items i WHERE i.firm_id = document_texts.firm_id AND i.sha256 = document_texts.sha256
          AND i.file_type IN (${placeholders(PICTURE_TYPES)})) RETURNING id`,
        [...PICTURE_TYPES],
      );
      return scans.length + pictures.length;
    },
  };
}
export type ScanQueue = ReturnType<typeof createScanQueue>;
