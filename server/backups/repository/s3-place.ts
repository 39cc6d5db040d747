import { StoreFull } from '#storage/blobs.ts';
import { createS3Client } from '#storage/s3/client.ts';
import { S3Away, S3Refused } from '#storage/s3/errors.ts';
import { elements, textOf } from '#storage/s3/xml.ts';
import type { S3Settings } from '../settings.ts';
import { PAUSES, patiently } from './patience.ts';
import type { Body, Place } from './place.ts';
import { ObjectMissing, PlaceFull, PlaceGone, PlaceRefused, concatenate } from './place.ts';

const MB = 1024 * 1024;
/** The part size of multipart uploads, for larger objects; S3 requires at least 5 MB and at most 10,000 parts. */
const PART = 16 * MB;
const PARTS = 9000;
/** How long in ms nothing may move in a request. Over a slow line it may take as long as it needs. */
const STALL = 5 * 60_000;
const SETTINGS =
  'The settings are BACKUP_DIR, BACKUP_S3_ENDPOINT, BACKUP_S3_REGION, BACKUP_S3_KEY_ID and BACKUP_S3_SECRET.';

async function* copiesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Regroups chunks into buffers of exactly `size` bytes, except for the last. */
async function* inParts(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (let chunk of chunks) {
    while (bytes + chunk.length >= size) {
      const rest = size - bytes;
      yield Buffer.concat([...held, chunk.subarray(0, rest)]);
      chunk = chunk.subarray(rest);
      held = [];
      bytes = 0;
    }
    held.push(chunk);
    bytes += chunk.length;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/**
 * A bucket of an S3 server as a place.
 * @param address s3://bucket or s3://bucket/folder.
 * @param patience with the server, in ms; a test has less.
 */
export function openS3Place(
  address: string,
  settings: S3Settings,
  patience: Parameters<typeof createS3Client>[1] = {},
): Place {
  const [, bucket = '', folder = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  const prefix = folder === '' ? '' : `${folder}/`;
  const stall = { stallMs: STALL, leastStallMs: STALL };
  const client = createS3Client({ ...settings, address, bucket, prefix }, { ...stall, ...patience });

  /** The error to report for one of the client. */
  function placeError(error: unknown): unknown {
    if (error instanceof StoreFull) return new PlaceFull(address);
    if (error instanceof S3Away) return new PlaceGone(`${error.message} It is tried again later.`);
    return error instanceof S3Refused ? new PlaceRefused(`${error.message} ${SETTINGS}`) : error;
  }
  const ask: typeof client.ask = (...request) =>
    client.ask(...request).catch((error: unknown) => {
      throw placeError(error);
    });

  async function putInParts(key: string, bytes: number, chunks: AsyncIterable<Buffer>): Promise<void> {
    const created = await ask({ method: 'POST', key, query: { uploads: '' } });
    const uploadId = textOf(created.body.toString(), 'UploadId');
    /** A part alone is sent again after a long pause: a large file takes hours over a slow line. */
    const put = (partNumber: string, part: Buffer) =>
      patiently(PAUSES, () => ask({ method: 'PUT', key, query: { partNumber, uploadId }, body: [part] }));
    try {
      const parts: string[] = [];
      for await (const part of inParts(copiesOf(chunks), Math.max(PART, Math.ceil(bytes / PARTS)))) {
        const { headers } = await put(String(parts.length + 1), part);
        parts.push(
          `<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${headers.etag ?? ''}</ETag></Part>`,
        );
      }
      await complete(key, uploadId, parts);
    } catch (error) {
      await ask({ method: 'DELETE', key, query: { uploadId } }, { missing: true }).catch(() => {});
      throw error;
    }
  }

  async function complete(key: string, uploadId: string, parts: readonly string[]): Promise<void> {
    const body = [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)];
    try {
      await client.ask({ method: 'POST', key, query: { uploadId }, body });
    } catch (error) {
      // If only the response was lost, the upload is complete and the object exists.
      const isComplete =
        error instanceof S3Refused &&
        error.code === 'NoSuchUpload' &&
        (await ask({ method: 'HEAD', key }, { missing: true })).status === 200;
      if (!isComplete) throw placeError(error);
    }
  }

  async function* pages(below: string): AsyncGenerator<{ key: string; bytes: number }[]> {
    for (let token = ''; ;) {
      const query = {
        'list-type': '2',
        prefix: prefix + below,
        'max-keys': '1000',
        ...(token !== '' && { 'continuation-token': token }),
      };
      const xml = (await ask({ method: 'GET', query }, { check: isWhole })).body.toString();
      const entries = elements(xml, 'Contents').map((entry) => ({
        key: textOf(entry, 'Key').slice(prefix.length),
        bytes: Number(textOf(entry, 'Size')),
      }));
      yield entries.filter(({ key }) => key !== '');
      token = textOf(xml, 'NextContinuationToken');
      if (token === '') return;
    }
  }
  function isWhole({ body }: { body: Buffer }): void {
    if (!body.includes('</ListBucketResult>')) throw client.again('half of a list came');
  }

  return {
    address,

    async read(key) {
      const { status, body } = await ask({ method: 'GET', key }, { missing: true });
      return status === 404 ? null : body;
    },

    async *stream(key) {
      const response = await client.stream({ method: 'GET', key }).catch((error: unknown) => {
        throw placeError(error);
      });
      if (!response) throw new ObjectMissing(key);
      const { body } = response;
      // A connection may break while nobody reads; the next read gets the error.
      body.on('error', () => {});
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      try {
        for (;;) {
          const { done, value } = await nextOf(chunks, (why) => body.destroy(why));
          if (done) return;
          yield value;
        }
      } catch (error) {
        throw new PlaceGone(
          `${settings.endpoint} broke off while ${key} was read (${(error as Error).message}).`,
        );
      } finally {
        body.destroy();
      }
    },

    async write(key, body: Body) {
      if (Buffer.isBuffer(body)) await ask({ method: 'PUT', key, body: [body] });
      else if (body.bytes <= PART)
        await ask({ method: 'PUT', key, body: [await concatenate(copiesOf(body.chunks))] });
      else await putInParts(key, body.bytes, body.chunks);
    },

    // S3 objects are durable once confirmed.
    settle: () => Promise.resolve(),

    async *keys(below) {
      for await (const page of pages(below)) yield page.map(({ key }) => key);
    },

    async *list(below) {
      for await (const page of pages(below)) yield* page;
    },

    async deleteIncomplete() {
      // Not every S3-compatible server lists incomplete uploads.
      const listed = await client.ask({ method: 'GET', query: { uploads: '', prefix } }).catch(() => null);
      for (const entry of elements(listed?.body.toString() ?? '', 'Upload')) {
        const [key, uploadId] = [textOf(entry, 'Key').slice(prefix.length), textOf(entry, 'UploadId')];
        await ask({ method: 'DELETE', key, query: { uploadId } }, { missing: true });
      }
    },

    async delete(key) {
      await ask({ method: 'DELETE', key }, { missing: true });
    },
  };

  /** The next chunk of a response. Only while it is waited for: a reader that pauses is no stall. */
  async function nextOf(
    chunks: AsyncIterator<Buffer>,
    destroy: (why: Error) => void,
  ): Promise<IteratorResult<Buffer, undefined>> {
    const stall = setTimeout(
      () => destroy(new Error(`it stopped for ${client.stallMs / 1000} s`)),
      client.stallMs,
    );
    return chunks.next().finally(() => clearTimeout(stall));
  }
}
