import type { IncomingMessage } from 'node:http';
import type { Actor } from '#server/auth/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { extensionOf, MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, invalid, tooLarge } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { uploadFields } from './contract.ts';
import { FORM_BYTES, receiveFile } from './receive.ts';

/** Longer than a phone takes to change networks, shorter than anyone waits for a dead connection. */
const STALL_AFTER = 120_000;

export interface Uploaded {
  item: ItemView;
  /** Whether the form asked for the archive to be unpacked. */
  extractZip: boolean;
}

export function createUploads(use: {
  documents: Pick<Documents, 'checkUpload' | 'addFile' | 'knownBlobs'>;
  blobs: BlobStore;
  stallAfter?: number;
}) {
  const { documents, blobs, stallAfter = STALL_AFTER } = use;

  /** A refusal leaves no bytes. After a fault of ours they go only if no row has come to hold them. */
  async function undo(blobId: string, error: unknown): Promise<void> {
    const refused = error instanceof AppError && error.status < 500;
    if (!refused && (await documents.knownBlobs([blobId])).has(blobId)) return;
    await blobs.delete(blobId);
  }

  return {
    /**
     * Takes the request's one file into the store and then into the tree. What can be refused by the headers, the
     * name or the fields seen so far is refused before the bytes; the rest is checked again in one transaction after
     * them. Whatever fails, nothing stays behind, and the rest of the body is still unread.
     * @throws {AppError} 400, 403, 404, 408, 413, 422 (field errors, `quota_exceeded`), 503 when the disk is full.
     */
    async receive(actor: Actor, request: IncomingMessage): Promise<Uploaded> {
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > MAX_FILE_BYTES + FORM_BYTES) throw tooLarge(TOO_LARGE);
      // The announced length counts the form too, so this can only tell what surely does not fit.
      const bytes = Math.max(0, announced - FORM_BYTES);
      const { name, blob, fields } = await receiveFile(request, {
        blobs,
        stallAfter,
        async admit(name, fields) {
          const extension = extensionOf(name.trim());
          if (!ALLOWED_EXTENSIONS.has(extension)) throw invalid({ file: [unsupported(extension)] });
          const { parent_id, client_id } = parse(uploadFields, fields);
          await documents.checkUpload(actor, { parent_id, client_id, bytes });
        },
      }).catch((error: unknown) => {
        throw diskFull(error);
      });
      try {
        const { parent_id, client_id, extract_zip } = parse(uploadFields, fields);
        const item = await documents.addFile(actor, { name, parent_id, client_id, blob });
        return { item, extractZip: extract_zip };
      } catch (error) {
        await undo(blob.id, error);
        throw diskFull(error);
      }
    },
  };
}
export type Uploads = ReturnType<typeof createUploads>;

const FULL = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

function diskFull(error: unknown): unknown {
  const full = error instanceof Error && (error.name === 'StoreFull' || FULL.has(codeOf(error)));
  if (!full) return error;
  const message =
    'The server has no room left on its disk, so the file was not saved. Tell your administrator.';
  return Object.assign(new AppError(503, 'disk_full', message), { cause: error });
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? '';
