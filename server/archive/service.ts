import type { Actor } from '#server/auth/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { invalid } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Zip, ZipEntry } from './zip.ts';
import { createZip } from './zip.ts';

/** Above what any tool opens with pleasure; a bound on the memory that one download can take. */
const MAX_ENTRIES = 100_000;

export function createArchive(use: {
  documents: Pick<Documents, 'walk'>;
  blobs: BlobStore;
  maxEntries?: number;
}) {
  const { documents, blobs, maxEntries = MAX_ENTRIES } = use;
  return {
    /**
     * The items, with all they hold, as one ZIP whose bytes are made while they are read.
     * @throws {AppError} what `walk` throws; 422 for more than 100,000 items.
     */
    async zip(actor: Actor, ids: number[]): Promise<Zip> {
      const entries: ZipEntry[] = [];
      for await (const { path, type, blob_id, size, modified_at } of documents.walk(actor, ids)) {
        if (entries.length === maxEntries) {
          const limit = maxEntries.toLocaleString('en-US');
          throw invalid({
            id: [`This folder holds more than ${limit} items. Download its folders one by one.`],
          });
        }
        entries.push({
          path,
          type,
          size: size ?? 0,
          modifiedAt: new Date(modified_at),
          open: () => blobs.get(blob_id!),
        });
      }
      return createZip(entries);
    },
  };
}
export type Archive = ReturnType<typeof createArchive>;
