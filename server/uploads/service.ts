import type { IncomingMessage } from 'node:http';
import type { Actor } from '#server/actor.ts';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { badRequest, tooLarge } from '#server/http/errors.ts';
import type { Records } from '#server/records/service.ts';
import { parse } from '#server/http/input.ts';
import type { BlobStore, PutBlob, StoredBlob } from '#storage/blobs.ts';
import type { Scan } from './admit.ts';
import { admit } from './admit.ts';
import type { Arrival } from './answer.ts';
import { CUT_OFF, uploadFields } from './contract.ts';
import { notSaved, undo } from './failures.ts';
import { receiveBody, receiveFile } from './receive.ts';
import { FORM_BYTES } from './watch-client.ts';

/** Longer than a phone takes to change networks, shorter than anyone waits for a dead connection. */
const STALL_AFTER = 120_000;

export function createUploads(use: {
  documents: Pick<Documents, 'checkUpload' | 'addFile'>;
  records: Pick<Records, 'knownBlobs'>;
  blobs: BlobStore;
  scan: Scan;
  stallAfter?: number;
}) {
  const { documents, blobs, stallAfter = STALL_AFTER } = use;

  return {
    /**
     * Takes a body that is the file itself into the store; it is nobody's yet, and the caller has to save or discard it.
     * @param bytes that the client has announced; null where it has not.
     * @throws {AppError} 400 also when other than that many came, 408, 413, 503 when the disk is full.
     */
    async store(request: IncomingMessage, bytes: number | null): Promise<PutBlob> {
      if ((bytes ?? 0) > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
      const blob = await receiveBody(request, { blobs, stallAfter }).catch((error: unknown) => {
        throw notSaved(error);
      });
      if (!request.socket.destroyed && blob.size === (bytes ?? blob.size)) return blob;
      await blobs.delete(blob.id);
      throw badRequest(CUT_OFF, 'cut_off');
    },

    /**
     * Gives stored bytes their place, once they were looked at for viruses. Whatever fails, they are gone.
     * @throws {AppError} as `save` does, 503 when the disk is full.
     */
    async settle<T>(
      actor: Actor,
      blob: StoredBlob & Partial<PutBlob>,
      name: string,
      save: () => Promise<T>,
    ): Promise<T> {
      try {
        await use.scan(actor.firmId, blob, name, 'office');
        return await save();
      } catch (error) {
        await undo(use, blob.id, error);
        throw notSaved(error);
      }
    },

    /** Gives bytes back that were stored for nobody. */
    discard: (blob: Pick<StoredBlob, 'id'>): Promise<void> => blobs.delete(blob.id),

    /**
     * Takes the request's one file into the store and then into the tree. What can be refused by the headers, the
     * name or the fields seen so far is refused before the bytes; the rest is checked again in one transaction after
     * them. Whatever fails, nothing stays behind, and the rest of the body is still unread.
     * @throws {AppError} 400, 403, 404, 408, 413, 422 (field errors, `quota_exceeded`), 503 when the disk is full.
     */
    async receive(actor: Actor, request: IncomingMessage): Promise<Arrival> {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > MAX_FILE_BYTES + FORM_BYTES) throw tooLarge(TOO_LARGE);
      // The announced length counts the form too, so this can only tell what surely does not fit.
      const bytes = Math.max(0, announced - FORM_BYTES);
      const { name, blob, fields } = await receiveFile(request, {
        blobs,
        stallAfter,
        admit: (name, fields) => admit(documents, actor, { name, fields, bytes }),
      }).catch((error: unknown) => {
        throw notSaved(error);
      });
      try {
        // Who cancels while the last bytes are stored is told that it was cancelled, so it must not arrive.
        if (request.socket.destroyed) throw badRequest(CUT_OFF, 'cut_off');
        const { extract_zip, ...place } = parse(uploadFields, fields);
        await use.scan(actor.firmId, blob, name, 'office');
        const item = await documents.addFile(actor, { name, ...place, blob });
        return { item, extractZip: extract_zip };
      } catch (error) {
        await undo(use, blob.id, error);
        throw notSaved(error);
      }
    },
  };
}
export type Uploads = ReturnType<typeof createUploads>;
