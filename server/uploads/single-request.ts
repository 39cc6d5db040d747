import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { Arrival } from './answer.ts';
import type { Announced, Beginning } from './announce.ts';
import { admitted, demandFresh, demandSession, noted } from './announce.ts';
import { contentHash, uploadFields, WRONG_CONTENT } from './contract.ts';
import type { Uploads } from './service.ts';

const said = v.object({ sha256: v.optional(contentHash) });
/** Of a larger file, what has come is kept when the line breaks. */
const WHOLE_MOST = 4 * 1024 * 1024;

/**
 * The file that a request both begins and ends, over tus; null for every other request, and for one that is to be told
 * what is wrong with it.
 */
export function wholeFile({ headers }: IncomingMessage): Announced | null {
  const length = headers['upload-length'];
  if (headers['tus-resumable'] !== '1.0.0' || headers['content-type'] !== 'application/offset+octet-stream')
    return null;
  if (length === undefined || length !== headers['content-length'] || !/^[1-9]\d{0,9}$/.test(String(length)))
    return null;
  if ('upload-concat' in headers || 'upload-defer-length' in headers || Number(length) > WHOLE_MOST)
    return null;
  const said = metadataOf(String(headers['upload-metadata'] ?? ''));
  if (!said) return null;
  const { filename, name, ...fields } = said;
  return { name: filename ?? name ?? '', size: Number(length), fields };
}

/** Null for what is not the protocol's. */
function metadataOf(text: string): Record<string, string> | null {
  const said: Record<string, string> = Object.create(null);
  for (const pair of text.split(',')) {
    const [, key, value = ''] = /^([\x21-\x2b\x2d-\x7f]+)(?: ([\dA-Za-z+/]*={0,2}))?$/.exec(pair) ?? [];
    if (key === undefined || key in said || key in {} || value.length % 4 !== 0) return null;
    said[key] = Buffer.from(value, 'base64').toString('utf8');
  }
  return said;
}

/**
 * Uploads whose bytes all come with the request that begins them, as most do: stored, and named in one transaction with
 * others that come at the same time. There is nothing to go on with after a failure, so nothing is noted before the end,
 * when the upload is noted as finished, for whoever asks again.
 */
export function createWhole(
  use: Beginning & {
    clock: Clock;
    uploads: Pick<Uploads, 'store' | 'settle'>;
    documents: Pick<Documents, 'addFile' | 'contentIn'>;
  },
) {
  const { clock, uploads, documents } = use;

  /**
   * @returns the upload's id, and what it became; or the file of the same content that lies in its folder already, where
   * the upload says its content by `sha256`.
   * @throws {AppError} as `Resumable.begin`, `append` and `settle`; 400 and 408 when not all came; 409 for a key with
   * which another request was faster; 422 `wrong_content`.
   */
  return async function take(
    actor: Actor,
    request: IncomingMessage,
    announced: Announced,
  ): Promise<{ id: string; arrival: Arrival } | { there: { id: number; name: string } }> {
    const id = randomBytes(16).toString('hex');
    const upload = await admitted(use, actor, announced);
    const { extract_zip, ...place } = parse(uploadFields, upload.fields);
    const { name, size } = upload;
    const { sha256 } = parse(said, upload.fields);
    const there = sha256 && (await documents.contentIn(actor, place.parent_id, { sha256, size }));
    if (there) return { there };
    const blob = await uploads.store(request, size);

    async function end(trx: Knex.Transaction, save: () => ReturnType<typeof documents.addFile>) {
      await demandFresh(trx, actor, upload.key);
      const item = await save();
      const now = clock();
      await trx('resumable_uploads').insert({
        ...noted(actor, { ...upload, id }, now),
        received: size,
        item_id: item.id,
        finished_at: now.toISOString(),
      });
      return item;
    }
    const item = await uploads.settle(actor, blob, name, async () => {
      if (sha256 && blob.sha256 !== sha256) throw new AppError(422, 'wrong_content', WRONG_CONTENT);
      await demandSession(use, actor);
      return documents.addFile(actor, { name, ...place, blob }, end);
    });
    return { id, arrival: { item, extractZip: extract_zip } };
  };
}
export type Whole = ReturnType<typeof createWhole>;
