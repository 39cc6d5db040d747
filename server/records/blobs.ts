import type { Knex } from 'knex';
import { boundTextRows, execute, bindList, memberOf, placeholders, queryRows, valueRows } from '../db/sql.ts';

/** The tables that reference blobs, each with its column, or an expression for the blob's id. */
const HOLDERS = {
  item_rows: 'blob_id',
  versions: 'blob_id',
  resumable_parts: 'blob_id',
  arrivals: 'blob_id',
  renditions: 'blob_id',
  document_texts: 'blob_id',
  blob_parts: 'part_id',
  dav_scratch: memberOf('blob', 'id'),
};

/** Lists unreferenced blobs for deletion by the sweep of the blob store. */
export async function discard(trx: Knex.Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    trx,
    `INSERT INTO discarded_blobs (blob_id, discarded_at) SELECT one.value, ? FROM ${boundTextRows('one')}
     WHERE true ON CONFLICT DO NOTHING`,
    [now.toISOString(), bindList(ids)],
  );
}

/** Records the blobs, each with its own key, that a joined blob consists of. */
export const noteParts = (trx: Knex.Transaction, blobId: string, parts: readonly string[]): Promise<void> =>
  execute(trx, `INSERT INTO blob_parts (part_id, blob_id) SELECT one.value, ? FROM ${boundTextRows('one')}`, [
    blobId,
    bindList(parts),
  ]);

/** The records that the sweep of the blob store needs: which blobs are referenced, and which are discarded. */
export function createBlobRecords(db: Knex) {
  return {
    /** Stores CRC-32s computed later for files that were stored without one, so that their bytes are not read for it again. */
    async noteChecksums(counted: readonly { blob_id: string; crc32: number }[]): Promise<void> {
      for (let start = 0; start < counted.length; start += 500) {
        const some = counted.slice(start, start + 500);
        await execute(
          db,
          `UPDATE item_rows SET crc32 = CAST(counted.column2 AS bigint)
           FROM (VALUES ${valueRows(some, 2)}) counted WHERE blob_id = counted.column1`,
          some.flatMap(({ blob_id, crc32 }) => [blob_id, crc32]),
        );
      }
    },

    /** Up to `limit` discarded blobs, longest discarded first. They stay listed until `forgetDiscarded`. */
    async takeDiscarded(limit: number): Promise<string[]> {
      const rows = await db('discarded_blobs').orderBy('discarded_at').limit(limit).select('blob_id');
      return rows.map(({ blob_id }: { blob_id: string }) => blob_id);
    },

    /** Removes blobs from the list after their bytes are deleted. The parts of a joined blob are listed next. */
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

    /** Which of these blobs are referenced: by a file, an earlier version, a rendition, a text, an upload under way or a program's temporary file. */
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

    /** Whether these bytes are the content, or an earlier version, of a visible file. */
    async isFile(blobId: string): Promise<boolean> {
      if (await db('items').where({ blob_id: blobId }).first('id')) return true;
      const replaced = db('versions').where({ blob_id: blobId }).select('item_id');
      return (await db('items').whereIn('id', replaced).first('id')) !== undefined;
    },
  };
}
