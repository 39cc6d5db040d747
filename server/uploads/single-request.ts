import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { UploadResult } from './upload-response.ts';
import type { UploadRequest, NewUploadDependencies } from './new-upload.ts';
import { acceptUpload, requireUnusedKey, requireSession, newUploadRow } from './new-upload.ts';
import { contentHash, uploadFields, WRONG_CONTENT } from './contract.ts';
import type { Uploads } from './service.ts';

const contentFields = v.object({ sha256: v.optional(contentHash) });
/** A larger file is uploaded in parts, so that the received bytes survive a broken connection. */
const SINGLE_REQUEST_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Parses the headers of a tus request that both creates an upload and carries all of its bytes. Null for every other
 * request, and for an invalid one, which `@tus/server` then answers with an error.
 */
export function parseSingleRequest({ headers }: IncomingMessage): UploadRequest | null {
  const length = headers['upload-length'];
  if (headers['tus-resumable'] !== '1.0.0' || headers['content-type'] !== 'application/offset+octet-stream')
    return null;
  if (length === undefined || length !== headers['content-length'] || !/^[1-9]\d{0,9}$/.test(String(length)))
    return null;
  if (
    'upload-concat' in headers ||
    'upload-defer-length' in headers ||
    Number(length) > SINGLE_REQUEST_MAX_BYTES
  )
    return null;
  const metadata = parseMetadata(String(headers['upload-metadata'] ?? ''));
  if (!metadata) return null;
  const { filename, name, ...fields } = metadata;
  return { name: filename ?? name ?? '', size: Number(length), fields };
}

/** PostgreSQL cannot store a NUL. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** Parses tus metadata; null if it is malformed. */
export function parseMetadata(text: string): Record<string, string> | null {
  const metadata: Record<string, string> = Object.create(null);
  for (const pair of text.split(',')) {
    const [, key, value = ''] = /^([\x21-\x2b\x2d-\x7f]+)(?: ([\dA-Za-z+/]*={0,2}))?$/.exec(pair) ?? [];
    if (key === undefined || key in metadata || key in {} || value.length % 4 !== 0) return null;
    metadata[key] = withoutNul(Buffer.from(value, 'base64').toString('utf8'));
  }
  return metadata;
}

/**
 * Uploads whose bytes all arrive with the request that creates them, as most do. The item is created in one transaction
 * together with those of concurrent uploads. A failed upload cannot be resumed, so its row is inserted only at the end,
 * as completed, for repeated requests with the same key.
 */
export function createSingleRequestUpload(
  dependencies: NewUploadDependencies & {
    clock: Clock;
    uploads: Pick<Uploads, 'store' | 'saveScanned'>;
    documents: Pick<Documents, 'addFile' | 'contentIn'>;
  },
) {
  const { clock, uploads, documents } = dependencies;

  /**
   * @returns the upload's id and its result; or, if the client sent `sha256`, the existing file of that content in the
   * target folder.
   * @throws {AppError} like `Resumable.begin`, `append` and `settle`; 400 and 408 for a truncated body; 409 if another
   * request with the same key was faster; 422 `wrong_content`.
   */
  return async function take(
    actor: Actor,
    request: IncomingMessage,
    announced: UploadRequest,
  ): Promise<{ id: string; arrival: UploadResult } | { there: { id: number; name: string } }> {
    const id = randomBytes(16).toString('hex');
    const upload = await acceptUpload(dependencies, actor, announced);
    const { extract_zip, ...place } = parse(uploadFields, upload.fields);
    const { name, size } = upload;
    const { sha256 } = parse(contentFields, upload.fields);
    const there =
      sha256 &&
      place.version_of === null &&
      (await documents.contentIn(actor, place.parent_id, { sha256, size }));
    if (there) return { there };
    const blob = await uploads.store(request, size);

    async function end(trx: Knex.Transaction, save: () => ReturnType<typeof documents.addFile>) {
      await requireUnusedKey(trx, actor, upload.key);
      const item = await save();
      const now = clock();
      await trx('resumable_uploads').insert({
        ...newUploadRow(actor, { ...upload, id }, now),
        received: size,
        item_id: item.id,
        replaced_version: item.replaced_version ?? null,
        finished_at: now.toISOString(),
      });
      return item;
    }
    const item = await uploads.saveScanned(actor, blob, name, async () => {
      if (sha256 && blob.sha256 !== sha256) throw new AppError(422, 'wrong_content', WRONG_CONTENT);
      await requireSession(dependencies, actor);
      return documents.addFile(actor, { name, ...place, blob }, end);
    });
    return { id, arrival: { item, extractZip: extract_zip } };
  };
}
export type SingleRequestUpload = ReturnType<typeof createSingleRequestUpload>;
