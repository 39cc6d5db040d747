import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';
import { HEADER_BYTES, textsEnd } from './stored-text.ts';

/** The stored text of a content for an export: gzipped JSON `{ kind, pages: [{ page, label, text }] }`. */
export interface PackedText {
  /** Bytes. */
  size: number;
  open: () => Promise<Readable>;
}

/** The texts of those contents that have one. Lost texts are left out; they are read again. */
export async function packedTexts(
  { db, blobs }: { db: Knex; blobs: BlobStore },
  firmId: number,
  hashes: readonly string[],
): Promise<Map<string, PackedText>> {
  const rows: { sha256: string; blob_id: string }[] = await db('document_texts')
    .where({ firm_id: firmId })
    .whereIn('sha256', [...hashes])
    .whereNotNull('blob_id')
    .select('sha256', 'blob_id');
  const found = new Map<string, PackedText>();
  for (const { sha256, blob_id } of rows) {
    try {
      const end = textsEnd(await buffer(await blobs.get(blob_id, { start: 0, end: HEADER_BYTES - 1 })));
      found.set(sha256, {
        size: end - HEADER_BYTES,
        open: () => blobs.get(blob_id, { start: HEADER_BYTES, end: end - 1 }),
      });
    } catch (error) {
      if (!(error instanceof BlobCorrupt || error instanceof BlobMissing)) throw error;
    }
  }
  return found;
}
