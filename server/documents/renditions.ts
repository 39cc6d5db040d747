import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';

/** What a picture was made of, and which one it is. Copies of a file within a firm have the same. */
export interface RenditionKey {
  firm_id: number;
  sha256: string;
  kind: 'thumbnail' | 'page';
  /** From 1. */
  page: number;
}

/** A picture that was made, or with a null `blob_id` the knowledge that none can be. */
export interface Rendition {
  blob_id: string | null;
  /** Of the picture. */
  bytes: number | null;
  /** Pages of the file, when that was found out. */
  pages: number | null;
}

/** Where pictures of files are noted. They go with the last file that has their content. */
export function createRenditions({ db, clock }: { db: Knex; clock: Clock }) {
  return {
    async rendition(key: RenditionKey): Promise<Rendition | null> {
      const row = (await db('renditions')
        .where({ ...key })
        .first('blob_id', 'bytes', 'pages')) as Rendition | undefined;
      return row ?? null;
    },

    /** @returns false when the file is gone meanwhile or somebody was faster: then the caller still owns the blob. */
    async keepRendition(key: RenditionKey, made: Rendition): Promise<boolean> {
      const rows: unknown[] = await db.raw(
        `INSERT INTO renditions (firm_id, sha256, kind, page, blob_id, bytes, pages, made_at)
         SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM items WHERE firm_id = ? AND sha256 = ?)
         ON CONFLICT DO NOTHING RETURNING page`,
        [
          key.firm_id,
          key.sha256,
          key.kind,
          key.page,
          made.blob_id,
          made.bytes,
          made.pages,
          clock().toISOString(),
          key.firm_id,
          key.sha256,
        ],
      );
      return rows.length > 0;
    },

    /** Forgets a picture whose bytes are lost, so that it is made again. */
    async forgetRendition(key: RenditionKey): Promise<void> {
      await db('renditions')
        .where({ ...key })
        .delete();
    },
  };
}

/**
 * To be called once rows of files are deleted: forgets the pictures of contents that no file has any more.
 * @returns the pictures' blobs.
 */
export async function discardRenditions(
  trx: Knex,
  files: readonly { firm_id: number; sha256: string | null }[],
): Promise<string[]> {
  const contents = files.flatMap(({ firm_id, sha256 }) => (sha256 === null ? [] : [firm_id, sha256]));
  if (contents.length === 0) return [];
  const lost: { blob_id: string | null }[] = await trx.raw(
    `DELETE FROM renditions WHERE (firm_id, sha256) IN (VALUES ${'(?, ?), '.repeat(contents.length / 2 - 1)}(?, ?))
     AND NOT EXISTS (SELECT 1 FROM item_rows other
       WHERE other.firm_id = renditions.firm_id AND other.sha256 = renditions.sha256)
     RETURNING blob_id`,
    contents,
  );
  return lost.flatMap(({ blob_id }) => blob_id ?? []);
}
