import type { IncomingMessage } from 'node:http';
import type { Actor } from '#server/actor.ts';
import { TOO_LARGE } from '#server/documents/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { badRequest, invalid, tooLarge } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import { extensionOf } from '#server/text/extension.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { CUT_OFF, pagesFields, unreadPages } from '../contract.ts';
import { toUploadError } from '../failures.ts';
import { MAX_MULTIPART_BYTES } from '../form-limits.ts';
import type { Uploads } from '../service.ts';
import type { Paper } from './photos-to-pdf.ts';
import { receivePages } from './receive-pages.ts';
import type { Repeats } from '../repeats.ts';

/** Longer than a phone takes to change networks, shorter than anyone waits for a dead connection. */
const STALL_AFTER = 120_000;

/** Saves photos of a paper's pages as one PDF. */
export function createPages(dependencies: {
  documents: Pick<Documents, 'checkUpload' | 'addFile'>;
  uploads: Pick<Uploads, 'saveScanned'>;
  blobs: BlobStore;
  paper: Pick<Paper, 'bundle'>;
  repeats: Repeats;
}) {
  const { documents, uploads, blobs, paper, repeats } = dependencies;

  return {
    /**
     * Receives the pictures of the request and saves the PDF. On any failure nothing stays stored; the client still has
     * the pictures. A repeated request, by its `upload_key`, gets the PDF of the first one.
     * @throws {AppError} 400, 403, 404, 408, 413, 422 (field errors, `page` for unreadable pictures, `quota_exceeded`),
     * 503 if the disk is full.
     */
    async receive(actor: Actor, request: IncomingMessage): Promise<ItemView> {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > MAX_MULTIPART_BYTES) throw tooLarge(TOO_LARGE);
      const pages = await receivePages(request, {
        blobs,
        stallAfter: STALL_AFTER,
        // The size of the PDF is not known yet.
        admit: async (fields) => documents.checkUpload(actor, { ...parse(pagesFields, fields), bytes: 0 }),
      }).catch((error: unknown) => {
        throw toUploadError(error);
      });
      try {
        const { name, turns, upload_key: key, ...place } = parse(pagesFields, pages.fields);
        const earlier = await repeats.find(actor, key);
        if (earlier) return earlier;
        const file = extensionOf(name) === 'pdf' ? name : `${name}.pdf`;
        const ids = pages.blobs.map(({ id }) => id);
        const { blob, unread } = await paper.bundle(ids, file.slice(0, -4), turns);
        if (!blob || unread.length > 0) {
          if (blob) await blobs.delete(blob.id);
          throw invalid({ page: [unreadPages(unread.map((index) => index + 1))] });
        }
        return await uploads.saveScanned(actor, blob, file, async () => {
          if (request.socket.destroyed) throw badRequest(CUT_OFF, 'cut_off');
          const added = { name: file, ...place, conflict: 'keep', blob } as const;
          if (key === undefined) return documents.addFile(actor, added);
          return documents.addFile(actor, added, (trx, save) =>
            repeats.record(trx, actor, { key, name: file, blob }, save),
          );
        });
      } catch (error) {
        throw toUploadError(error);
      } finally {
        // The PDF is saved by now: pictures that the store does not delete belong to no file, and the sweep takes them.
        for (const { id } of pages.blobs) await blobs.delete(id).catch(() => undefined);
      }
    },
  };
}
export type Pages = ReturnType<typeof createPages>;
