import type { Archive, VersionedZip } from '#server/archive/service.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/auth/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Sendable } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { createSelections } from './selections.ts';

/** Longer than any link is good for, in milliseconds. */
const REMEMBERED = 15 * 60_000;

const zipped = (name: string, { version, size, open }: VersionedZip): Sendable => ({
  name: `${name}.zip`,
  fileType: 'zip',
  size,
  version,
  modifiedAt: null,
  open: async (range) => open(range),
});

export function createDownloads(use: {
  documents: Pick<Documents, 'resolveDownload' | 'openFile' | 'views'>;
  archive: Archive;
  blobs: BlobStore;
  audit: Audit;
  clock: Clock;
  /** Who is behind a session now; null once it has ended. */
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
}) {
  const { documents, archive, blobs, audit, clock } = use;
  const selections = createSelections(use);
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
     * What a link to item `id` gives: a file as it is, a folder as a ZIP. `sending` says that the bytes will be sent: then it goes on record.
     * @throws {AppError} 403 `bad_link`, 404.
     */
    async open(
      token: string,
      id: number,
      { sending, inline }: { sending: boolean; inline: boolean },
    ): Promise<Sendable> {
      const { actor, item } = await documents.resolveDownload(token, id);
      const { name, type } = item;
      if (sending && firstUse(token)) {
        const detail = { name, inline };
        await audit.record(null, { actor, did: 'document.download', subject: `item:${id}`, detail });
      }
      if (type === 'folder') return zipped(name, await archive.zip(actor, [id]));
      const { blob_id, size, sha256, file_type, modified_at } = await documents.openFile(actor, id);
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      return { name, fileType: file_type, size, version: sha256, modifiedAt: modified_at, open };
    },

    /** A link to several items as one ZIP. @throws {AppError} 403; 404 when one of them is not there. */
    select: selections.keep,

    /** What such a link gives. @throws {AppError} 403 `bad_link`, 404, 422 for too many items. */
    async openSelection(token: string, { sending }: { sending: boolean }): Promise<Sendable> {
      const { actor, ids } = await selections.take(token);
      const name = `${ids.length} items ${clock().toISOString().slice(0, 10)}`;
      const zip = await archive.zip(actor, ids);
      if (sending && firstUse(token)) {
        // The trail names the first hundred; a row of twenty thousand ids would help nobody.
        const detail = { name: `${name}.zip`, items: ids.length, ids: ids.slice(0, 100) };
        await audit.record(null, { actor, did: 'document.download', detail });
      }
      return zipped(name, zip);
    },
  };
}
export type Downloads = ReturnType<typeof createDownloads>;
