import { gunzipSync, gzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import type { Sealer } from '#server/datadir/sealing.ts';
import { execute, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { PICTURE_TYPES } from '../contract.ts';
import type { ScannedPage } from '../readers/contract.ts';

/** How often a page is tried: the second time alone, and in a smaller picture. */
export const PAGE_ATTEMPTS = 2;
/** Pages of one file that are read before others have their turn. */
const TURN = 10;
/** Pages inserted at once. */
const AT_ONCE = 200;

/** A page whose turn it is. */
export interface ClaimedPage {
  id: number;
  page: number;
  /** 1 at first. */
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
 * The pages that are pictures: which of them wait, and what was read of them, sealed. Firms take turns, files too, a few
 * pages at a time, and the newest file comes first.
 */
export function createScanQueue({ db, seal }: { db: Knex; seal: Sealer }) {
  let served = 0;

  const nextFirm = async (after: number): Promise<number | null> => {
    const row = await queryRow<{ firm_id: number | null }>(
      db,
      `SELECT min(firm_id) AS firm_id FROM document_texts WHERE scan = 'waiting' AND firm_id > ?
       AND firm_id NOT IN (SELECT firm_id FROM reading_settings WHERE paused = 1)`,
      [after],
    );
    return row?.firm_id ?? null;
  };

  /** A file of a firm that somebody can see and of which pages wait. A text that is just being made anew waits as well. */
  const fileOf = (firmId: number): Promise<Candidate | undefined> =>
    queryRow(
      db,
      `SELECT t.id AS text_id, t.firm_id, t.sha256, t.turn, i.id AS item_id, i.client_id, i.blob_id, i.file_type
       FROM document_texts t CROSS JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
       WHERE t.firm_id = ? AND t.scan = 'waiting' AND t.state IN ('read', 'no_text')
       ORDER BY t.turn, t.id DESC LIMIT 1`,
      [firmId],
    );

  /** The first page of it that waits; none where all are done. */
  const pageOf = (textId: number): Promise<{ id: number; page: number; attempts: number } | undefined> =>
    queryRow(
      db,
      `SELECT id, page, attempts FROM scanned_pages WHERE text_id = ? AND sealed IS NULL AND reason IS NULL
       ORDER BY page LIMIT 1`,
      [textId],
    );

  /** Notes how far a file is; once all is read, or twice as much as last time, its text is made anew. */
  async function advance(trx: Knex.Transaction, textId: number): Promise<void> {
    const row = await queryRow<{ done: number; pages: number }>(
      trx,
      `SELECT count(*) AS pages, count(CASE WHEN sealed IS NOT NULL OR reason IS NOT NULL THEN 1 END) AS done FROM scanned_pages WHERE text_id = ?`,
      [textId],
    );
    const [done, pages] = [Number(row?.done ?? 0), Number(row?.pages ?? 0)];
    const over = done >= pages;
    const worth = over || (done % TURN === 0 && Number.isInteger(Math.log2(done / TURN)));
    await trx('document_texts')
      .where({ id: textId, scan: 'waiting' })
      .update({
        scanned: done,
        scan_pages: pages,
        turn: Math.floor(done / TURN),
        ...(over && { scan: 'read' }),
      });
    if (worth)
      await trx('document_texts')
        .where({ id: textId })
        .whereIn('state', ['read', 'no_text'])
        .update({ state: 'waiting', attempts: 0 });
  }

  return {
    /** Whether any page waits of a firm that has not paused. */
    any: async (): Promise<boolean> => (await nextFirm(0)) !== null,

    /** Takes the next page; its beginning is noted, so that one which takes the server down is not tried for ever. */
    async claim(): Promise<ClaimedPage | null> {
      const first = (await nextFirm(served)) ?? (await nextFirm(0));
      for (let firm = first; firm !== null;) {
        const file = await fileOf(firm);
        if (file) {
          served = firm;
          const page = await pageOf(file.text_id);
          if (!page) {
            // Such as when its file came back after the last page of it was read.
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

    /** Takes a beginning back that says nothing about the page. */
    async unclaim({ id }: ClaimedPage): Promise<void> {
      await db('scanned_pages').where({ id }).where('attempts', '>', 0).decrement('attempts', 1);
    },

    /** Keeps what was read of a page, or why it could not be. */
    async settle({ id, text_id }: ClaimedPage, came: ScannedPage | { reason: string }): Promise<void> {
      const values = 'reason' in came ? { reason: came.reason } : { sealed: seal.seal(pack(came)) };
      await db.transaction(async (trx) => {
        await trx('scanned_pages').where({ id }).update(values);
        await advance(trx, text_id);
      });
    },

    /** What was read so far of a file's pages. */
    async scannedOf(textId: number): Promise<ScannedPage[]> {
      const rows: { sealed: Buffer }[] = await db('scanned_pages')
        .where({ text_id: textId })
        .whereNotNull('sealed')
        .orderBy('page')
        .select('sealed');
      return rows.map(({ sealed }) => unpack(seal.open(sealed)));
    },

    /** Notes which pages are pictures that are to be read, when the text of a file was made. */
    async want(trx: Knex.Transaction, textId: number, pages: readonly number[]): Promise<void> {
      for (let at = 0; at < pages.length; at += AT_ONCE)
        await trx('scanned_pages')
          .insert(pages.slice(at, at + AT_ONCE).map((page) => ({ text_id: textId, page })))
          .onConflict(['text_id', 'page'])
          .ignore();
      const row = await queryRow<{ done: number | null; pages: number }>(
        trx,
        `SELECT count(*) AS pages, count(CASE WHEN sealed IS NOT NULL OR reason IS NOT NULL THEN 1 END) AS done FROM scanned_pages WHERE text_id = ?`,
        [textId],
      );
      const [done, all] = [Number(row?.done ?? 0), Number(row?.pages ?? 0)];
      // That none is to be read is noted too, so that nobody looks for them again.
      await trx('document_texts')
        .where({ id: textId })
        .update({
          scan: done < all ? 'waiting' : 'read',
          scan_pages: all,
          scanned: done,
          turn: Math.floor(done / TURN),
        });
    },

    /** Forgets what was read of the pages of these contents. */
    async forget(trx: Knex.Transaction, textIds: readonly number[]): Promise<void> {
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

    /** Puts on the list what was passed by while scans were not read. @returns how many contents. */
    async takeUp(): Promise<number> {
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
