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
import type { UploadResult } from './upload-response.ts';
import { CUT_OFF, uploadFields } from './contract.ts';
import { toUploadError, discardFailedUpload } from './failures.ts';
import { receiveBody, receiveFile } from './receive.ts';
import { FORM_OVERHEAD_BYTES, MAX_MULTIPART_BYTES } from './form-limits.ts';

/** Longer than a phone takes to change networks, shorter than anyone waits for a dead connection. */
const STALL_AFTER = 120_000;

export function createUploads(dependencies: {
  documents: Pick<Documents, 'checkUpload' | 'checkVersion' | 'addFile'>;
  records: Pick<Records, 'knownBlobs'>;
  blobs: BlobStore;
  scan: Scan;
  stallAfter?: number;
}) {
  const { documents, blobs, stallAfter = STALL_AFTER } = dependencies;

  return {
    /**
     * Stores a raw body. The blob belongs to no item yet: the caller has to save or discard it.
     * @param bytes declared by the client; null if not declared.
     * @throws {AppError} 400 also if the size differs, 408, 413, 503 if the disk is full.
     */
    async store(request: IncomingMessage, bytes: number | null): Promise<PutBlob> {
      if ((bytes ?? 0) > MAX_FILE_BYTES) throw tooLarge(TOO_LARGE);
      const blob = await receiveBody(request, { blobs, stallAfter }).catch((error: unknown) => {
        throw toUploadError(error);
      });
      if (!request.socket.destroyed && blob.size === (bytes ?? blob.size)) return blob;
      await blobs.delete(blob.id);
      throw badRequest(CUT_OFF, 'cut_off');
    },

    /**
     * Scans stored bytes for viruses and runs `save`. On failure the bytes are deleted, unless something else still refers
     * to them (`kept`).
     * @throws {AppError} like `save`; 503 if the disk is full.
     */
    async saveScanned<T>(
      actor: Actor,
      blob: StoredBlob & Partial<PutBlob>,
      name: string,
      save: () => Promise<T>,
      { kept = false } = {},
    ): Promise<T> {
      try {
        await dependencies.scan(actor.firmId, blob, name, 'office');
        return await save();
      } catch (error) {
        if (!kept) await discardFailedUpload(dependencies, blob.id, error);
        throw toUploadError(error);
      }
    },

    /** Runs `save` for several files, whose bytes it may store itself. On failure the bytes are deleted. @throws {AppError} like `save`. */
    async saveTogether(stored: readonly StoredBlob[], save: () => Promise<void>): Promise<void> {
      try {
        await save();
      } catch (error) {
        for (const { id } of stored) await discardFailedUpload(dependencies, id, error);
        throw toUploadError(error);
      }
    },

    /** Deletes stored bytes that no item uses. */
    discard: (blob: Pick<StoredBlob, 'id'>): Promise<void> => blobs.delete(blob.id),

    /**
     * Stores the file of the request and adds it to the drive. Headers, name and the fields before the file are checked
     * before its bytes are read; everything is checked again in the transaction. On failure nothing stays stored, and the
     * rest of the body is unread.
     * @throws {AppError} 400, 403, 404, 408, 413, 422 (field errors, `quota_exceeded`), 503 if the disk is full.
     */
    async receive(actor: Actor, request: IncomingMessage): Promise<UploadResult> {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > MAX_MULTIPART_BYTES) throw tooLarge(TOO_LARGE);
      // The declared length includes the form's overhead, so this is a lower bound of the file's size.
      const bytes = Math.max(0, announced - FORM_OVERHEAD_BYTES);
      const { name, blob, fields } = await receiveFile(request, {
        blobs,
        stallAfter,
        admit: (name, fields) => admit(documents, actor, { name, fields, bytes }),
      }).catch((error: unknown) => {
        throw toUploadError(error);
      });
      try {
        // A client that disconnects now sees its upload as cancelled, so no file may appear.
        if (request.socket.destroyed) throw badRequest(CUT_OFF, 'cut_off');
        const { extract_zip, ...place } = parse(uploadFields, fields);
        await dependencies.scan(actor.firmId, blob, name, 'office');
        const item = await documents.addFile(actor, { name, ...place, blob });
        return { item, extractZip: extract_zip };
      } catch (error) {
        await discardFailedUpload(dependencies, blob.id, error);
        throw toUploadError(error);
      }
    },
  };
}
export type Uploads = ReturnType<typeof createUploads>;
