import type { Archive } from '#server/archive/service.ts';
import type { Zip } from '#server/archive/zip.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Sendable } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';

/** A file as it is, or a folder as a ZIP. */
export type Download = { kind: 'file'; file: Sendable } | { kind: 'folder'; name: string; zip: Zip };

/** Longer than any link is good for, in milliseconds. */
const REMEMBERED = 15 * 60_000;

export function createDownloads(use: {
  documents: Pick<Documents, 'resolveDownload' | 'openFile'>;
  archive: Archive;
  blobs: BlobStore;
  audit: Audit;
  clock: Clock;
}) {
  const { documents, archive, blobs, audit, clock } = use;
  /** Links that are on record already: a player asks for hundreds of ranges, and that is one download. */
  const recorded = new Map<string, number>();

  function firstUse(token: string): boolean {
    const now = clock().getTime();
    for (const [old, at] of recorded) {
      if (now - at < REMEMBERED) break;
      recorded.delete(old);
    }
    if (recorded.has(token)) return false;
    recorded.set(token, now);
    return true;
  }

  return {
    /**
     * What a link to item `id` gives. `sending` says that the bytes will be sent: then it goes on record.
     * @throws {AppError} 403 `bad_link`, 404.
     */
    async open(
      token: string,
      id: number,
      { sending, inline }: { sending: boolean; inline: boolean },
    ): Promise<Download> {
      const { actor, item } = await documents.resolveDownload(token, id);
      const { name, type } = item;
      if (sending && firstUse(token)) {
        const detail = { name, inline };
        await audit.record(null, { actor, did: 'document.download', subject: `item:${id}`, detail });
      }
      if (type === 'folder')
        return { kind: 'folder', name: `${name}.zip`, zip: await archive.zip(actor, [id]) };
      const { blob_id, size, sha256, file_type, modified_at } = await documents.openFile(actor, id);
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      return {
        kind: 'file',
        file: { name, fileType: file_type, size, sha256, modifiedAt: modified_at, open },
      };
    },
  };
}
export type Downloads = ReturnType<typeof createDownloads>;
