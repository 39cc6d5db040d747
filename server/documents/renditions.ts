import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import type { below } from './tree.ts';

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

/** To be called before the items of a tree are deleted: lists the pictures for the sweep that nobody else's content has. */
export async function discardRenditions(
  trx: Knex,
  firmId: number,
  tree: ReturnType<typeof below>,
  now: string,
): Promise<void> {
  const lost = `firm_id = ?
    AND sha256 IN (SELECT sha256 FROM items WHERE id IN (SELECT id FROM below) AND sha256 IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM items other WHERE other.firm_id = renditions.firm_id
      AND other.sha256 = renditions.sha256 AND other.id NOT IN (SELECT id FROM below))`;
  await trx.raw(
    `${tree.sql} INSERT INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, ? FROM renditions WHERE ${lost} AND blob_id IS NOT NULL`,
    [...tree.bindings, now, firmId],
  );
  await trx.raw(`${tree.sql} DELETE FROM renditions WHERE ${lost}`, [...tree.bindings, firmId]);
}
