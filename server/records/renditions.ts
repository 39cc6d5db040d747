import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { discard } from './blobs.ts';
import * as usage from './usage.ts';
import { boundTupleRows, bindList, numberOf, queryRow, queryRows, textOf } from '#server/db/sql.ts';

/** The space for a firm's renditions: this many bytes plus a share of the bytes of its files. */
const ROOM = { bytes: 64 * 1024 * 1024, share: 0.1 };
/** Bytes per rendition besides its content: row and header. A row without a picture takes as much. */
const OVERHEAD = 1024;
/** The share of the space freed when it is exceeded, so that the following renditions need not free any. */
const FREED = 0.1;
/** Milliseconds for which `used_at` is not updated again. */
const DAY = 24 * 60 * 60_000;

/**
 * The content that a rendition was made of, and which rendition it is. Copies of a file within a firm share renditions if
 * they have the same type, which decides how the bytes are read. A `thumbnail` or a `page` is a picture; a `view` is the
 * extracted content of an office document; `masked` is what a link that covers Aadhaar numbers serves instead of the file,
 * and `masked_page` a picture of one of its pages.
 */
export interface RenditionKey {
  firm_id: number;
  sha256: string;
  file_type: string;
  kind: 'thumbnail' | 'page' | 'view' | 'masked' | 'masked_page';
  /** From 1. */
  page: number;
}

/** A row's key. Its `kind` also names the type of the file; rows without one are older, and no longer used. */
const rowKey = ({ firm_id, sha256, kind, file_type, page }: RenditionKey) => ({
  firm_id,
  sha256,
  kind: `${kind} ${file_type}`,
  page,
});

/** A stored rendition; a null `blob_id` records that none can be made. */
export interface Rendition {
  blob_id: string | null;
  /** The size of the rendition. */
  bytes: number | null;
  /** The number of pages of the file; null if unknown. */
  pages: number | null;
}

/** Deletes the firm's least recently used renditions, except `added`, until the rest fits into its space. */
async function makeRoom(
  trx: Knex.Transaction,
  added: ReturnType<typeof rowKey>,
  { room, now }: { room: typeof ROOM; now: Date },
): Promise<void> {
  const { firm_id } = added;
  const sums = await queryRow<{ pictures: number; bytes: number }>(
    trx,
    'SELECT count(*) AS pictures, coalesce(sum(bytes), 0) AS bytes FROM renditions WHERE firm_id = ?',
    [firm_id],
  );
  const limit = room.bytes + room.share * (await usage.used(trx, firm_id));
  const usedBytes = Number(sums!.bytes) + OVERHEAD * Number(sums!.pictures);
  if (usedBytes <= limit) return;
  const rows: (ReturnType<typeof rowKey> & Pick<Rendition, 'blob_id' | 'bytes'>)[] = await trx('renditions')
    .where({ firm_id })
    .orderBy(['used_at', 'made_at'])
    .select('firm_id', 'sha256', 'kind', 'page', 'blob_id', 'bytes')
    .limit(500);
  let over = usedBytes - limit * (1 - FREED);
  const blobs: string[] = [];
  for (const { blob_id, bytes, ...key } of rows) {
    if (over <= 0) break;
    if (key.sha256 === added.sha256 && key.kind === added.kind && key.page === added.page) continue;
    await trx('renditions').where(key).delete();
    if (blob_id) blobs.push(blob_id);
    over -= (bytes ?? 0) + OVERHEAD;
  }
  await discard(trx, blobs, now);
}

/**
 * The records of renditions. A rendition is deleted with the last file or version of its content, or earlier when a firm's
 * renditions exceed their space; it is then made again on the next view.
 */
export function createRenditions({ db, clock, room = ROOM }: { db: Knex; clock: Clock; room?: typeof ROOM }) {
  return {
    async rendition(key: RenditionKey): Promise<Rendition | null> {
      const row = (await db('renditions')
        .where(rowKey(key))
        .first('blob_id', 'bytes', 'pages', 'used_at')) as
        (Rendition & { used_at: string | null }) | undefined;
      if (!row) return null;
      const { used_at, ...found } = row;
      const now = clock();
      if (!used_at || Date.parse(used_at) < now.getTime() - DAY) {
        // A failed write, such as on a full disk, must not prevent the view.
        await db('renditions')
          .where(rowKey(key))
          .update({ used_at: now.toISOString() })
          .catch(() => 0);
      }
      return found;
    },

    /**
     * @param isValid asked in the transaction that stores the rendition: whether what it was made of is still right.
     * @returns false if it is not, the file was deleted or the rendition stored meanwhile: the caller still owns the blob.
     */
    async keepRendition(
      key: RenditionKey,
      made: Rendition,
      isValid: (trx: Knex.Transaction) => Promise<boolean> = async () => true,
    ): Promise<boolean> {
      const now = clock();
      const nowIso = now.toISOString();
      const row = rowKey(key);
      return db.transaction(async (trx) => {
        if (!(await isValid(trx))) return false;
        const rows = await queryRows<unknown>(
          trx,
          `INSERT INTO renditions (firm_id, sha256, kind, page, blob_id, bytes, pages, made_at, used_at)
           SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM items WHERE firm_id = ? AND sha256 = ?)
             OR EXISTS (SELECT 1 FROM versions WHERE firm_id = ? AND sha256 = ?)
           ON CONFLICT DO NOTHING RETURNING page`,
          [
            key.firm_id,
            key.sha256,
            row.kind,
            key.page,
            made.blob_id,
            made.bytes,
            made.pages,
            nowIso,
            nowIso,
            key.firm_id,
            key.sha256,
            key.firm_id,
            key.sha256,
          ],
        );
        if (rows.length > 0) await makeRoom(trx, row, { room, now });
        return rows.length > 0;
      });
    },

    /** Whether a blob is what a link that covers Aadhaar numbers serves of a content now; it stays so until the transaction ends. */
    async isServedMasked(
      trx: Knex.Transaction,
      { firm_id, sha256 }: Pick<RenditionKey, 'firm_id' | 'sha256'>,
      blob_id: string,
    ): Promise<boolean> {
      const row = trx('renditions').where({ firm_id, sha256, blob_id }).whereLike('kind', 'masked %');
      return (await row.forUpdate().first('page')) !== undefined;
    },

    /** Deletes outdated renditions of a content, of whatever type its files are, and discards their blobs. */
    async dropRenditions(
      trx: Knex.Transaction,
      firm_id: number,
      sha256: string,
      kinds: readonly RenditionKey['kind'][],
    ): Promise<void> {
      const these = () =>
        trx('renditions')
          .where({ firm_id, sha256 })
          .where((any) => {
            for (const kind of kinds) void any.orWhereLike('kind', `${kind} %`);
          });
      // Waits for whoever stores a picture of one of them, which the deletion then finds.
      await these().forUpdate().select('page');
      const lost: string[] = await these().whereNotNull('blob_id').pluck('blob_id');
      await these().delete();
      await discard(trx, lost, clock());
    },

    /** Deletes the record of a rendition, so that it is made again. */
    async forgetRendition(key: RenditionKey): Promise<void> {
      await db('renditions').where(rowKey(key)).delete();
    },
  };
}

/**
 * Deletes the renditions of contents without a remaining file or version. Called after the rows of files or versions are
 * deleted.
 * @returns the renditions' blobs.
 */
export async function discardRenditions(
  trx: Knex.Transaction,
  files: readonly { firm_id: number; sha256: string | null }[],
): Promise<string[]> {
  const held = files.filter(({ sha256 }) => sha256 !== null);
  if (held.length === 0) return [];
  const lost = await queryRows<{ blob_id: string | null }>(
    trx,
    `DELETE FROM renditions WHERE (firm_id, sha256) IN (
       SELECT ${numberOf('one.value', 0)}, ${textOf('one.value', 1)} FROM ${boundTupleRows('one')})
     AND NOT EXISTS (SELECT 1 FROM item_rows other
       WHERE other.firm_id = renditions.firm_id AND other.sha256 = renditions.sha256)
     AND NOT EXISTS (SELECT 1 FROM versions other
       WHERE other.firm_id = renditions.firm_id AND other.sha256 = renditions.sha256)
     RETURNING blob_id`,
    [bindList(held.map(({ firm_id, sha256 }) => [firm_id, sha256]))],
  );
  return lost.flatMap(({ blob_id }) => blob_id ?? []);
}
