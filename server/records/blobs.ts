import type { Knex } from 'knex';
import { eachTexts, execute, list, placeholders, queryRows, valueRows } from '../db/sql.ts';

/** The tables that name blobs, each with its column. */
const HOLDERS = {
  item_rows: 'blob_id',
  versions: 'blob_id',
  resumable_parts: 'blob_id',
  arrivals: 'blob_id',
  renditions: 'blob_id',
  document_texts: 'blob_id',
  blob_parts: 'part_id',
};

/** Lists bytes that are nobody's any more, for the sweep. */
export async function discard(trx: Knex.Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    trx,
    `INSERT INTO discarded_blobs (blob_id, discarded_at) SELECT one.value, ? FROM ${eachTexts('one')}
     WHERE true ON CONFLICT DO NOTHING`,
    [now.toISOString(), list(ids)],
  );
}

/** Notes of which blobs, each with a key of its own, a joined one consists. */
export const noteParts = (trx: Knex.Transaction, blobId: string, parts: readonly string[]): Promise<void> =>
  execute(trx, `INSERT INTO blob_parts (part_id, blob_id) SELECT one.value, ? FROM ${eachTexts('one')}`, [
    blobId,
    list(parts),
  ]);

/** What the sweep of the store asks: which blobs are ours, and which are nobody's any more. */
export function createBlobRecords(db: Knex) {
  return {
    /** Keeps CRC-32s that were counted, of bytes stored when that was not done, so that nobody has to read them again. */
    async noteChecksums(counted: readonly { blob_id: string; crc32: number }[]): Promise<void> {
      for (let at = 0; at < counted.length; at += 500) {
        const some = counted.slice(at, at + 500);
        await execute(
          db,
          `UPDATE item_rows SET crc32 = CAST(counted.column2 AS bigint)
           FROM (VALUES ${valueRows(some, 2)}) counted WHERE blob_id = counted.column1`,
          some.flatMap(({ blob_id, crc32 }) => [blob_id, crc32]),
        );
      }
    },

    /** Up to `limit` blobs whose rows are gone, the longest gone first. They stay listed until forgotten. */
    async takeDiscarded(limit: number): Promise<string[]> {
      const rows = await db('discarded_blobs').orderBy('discarded_at').limit(limit).select('blob_id');
      return rows.map(({ blob_id }: { blob_id: string }) => blob_id);
    },

    /** To be called once the bytes are deleted. What a joined blob consisted of is listed next. */
    async forgetDiscarded(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction(async (trx) => {
        await execute(
          trx,
          `INSERT INTO discarded_blobs (blob_id, discarded_at)
           SELECT part_id, discarded_at FROM blob_parts JOIN discarded_blobs USING (blob_id)
           WHERE blob_id IN (${placeholders(ids)}) ON CONFLICT DO NOTHING`,
          [...ids],
        );
        await trx('blob_parts').whereIn('blob_id', ids).delete();
        await trx('discarded_blobs').whereIn('blob_id', ids).delete();
      });
    },

    /** Which of these blobs belong to something: a file or an earlier version, a picture of one, or an upload under way. */
    async knownBlobs(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await queryRows<{ blob_id: string }>(
        db,
        Object.entries(HOLDERS)
          .map(
            ([table, column]) =>
              `SELECT ${column} AS blob_id FROM ${table} WHERE ${column} IN (${placeholders(ids)})`,
          )
          .join(' UNION '),
        Object.keys(HOLDERS).flatMap(() => [...ids]),
      );
      return new Set(rows.map(({ blob_id }) => blob_id));
    },

    /** Whether a file that is there for somebody has these bytes, or had them before it was replaced. */
    async isFile(blobId: string): Promise<boolean> {
      if (await db('items').where({ blob_id: blobId }).first('id')) return true;
      const replaced = db('versions').where({ blob_id: blobId }).select('item_id');
      return (await db('items').whereIn('id', replaced).first('id')) !== undefined;
    },
  };
}
