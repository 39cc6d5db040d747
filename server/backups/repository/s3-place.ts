import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { elements, textOf } from '#storage/s3/xml.ts';
import type { S3Settings } from '../settings.ts';
import type { Body, Place } from './place.ts';
import { ObjectMissing, PlaceFull, PlaceGone, PlaceRefused, concatenate } from './place.ts';

const MB = 1024 * 1024;
/** The part size of multipart uploads, for larger objects; S3 requires at least 5 MB and at most 10,000 parts. */
const PART = 16 * MB;
const PARTS = 9000;
/** In ms; with these small bodies, only a connection too slow for a nightly backup takes longer. */
const TIMEOUT = 5 * 60_000;
/** Retries of requests to a busy server, within about ten seconds. */
const RETRIES = 6;

const encoded = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

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

/** A bucket of an S3 server as a place. @param address s3://bucket or s3://bucket/folder. */
export function openS3Place(address: string, settings: S3Settings): Place {
  const { endpoint, region, keyId, secret } = settings;
  const [, bucket = '', folder = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  const prefix = folder === '' ? '' : `${folder}/`;
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    service: 's3',
    retries: RETRIES,
  });
  const root = `${endpoint}/${bucket}`;
  const urlOf = (key: string): string => `${root}/${encoded(prefix + key)}`;

  /** The error to report for a response of the server. */
  async function placeError(response: Response): Promise<Error> {
    const xml = await response.text().catch(() => '');
    const code = textOf(xml, 'Code');
    const status = `${response.status}${code && ` ${code}`}`;
    if (/StorageFull|QuotaExceeded|InsufficientStorage/.test(code) || response.status === 507)
      return new PlaceFull(address);
    if (code === 'NoSuchBucket')
      return new PlaceRefused(
        `There is no bucket "${bucket}" at ${endpoint}. Make it, or correct BACKUP_DIR.`,
      );
    if (code === 'RequestTimeTooSkewed')
      return new PlaceRefused(
        `${endpoint} refuses requests, since the clock of this machine is wrong. Set the clock.`,
      );
    if (response.status === 403 || response.status === 401)
      return new PlaceRefused(
        `${endpoint} refuses the key for ${address} (${status}). Check BACKUP_S3_KEY_ID, BACKUP_S3_SECRET and BACKUP_S3_REGION, and that the key may read, write, list and delete.`,
      );
    return new PlaceGone(`${address} answers ${status}. It is tried again later.`);
  }

  async function send(url: string, init: { method?: string; body?: Buffer } = {}): Promise<Response> {
    const { method = 'GET', body } = init;
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const headers = { 'X-Amz-Content-Sha256': sha256 };
    // Backpressure of a slow reader must not trigger the timeout.
    const signal = method === 'GET' && !url.includes('?') ? null : AbortSignal.timeout(TIMEOUT);
    try {
      return await client.fetch(url, {
        method,
        headers,
        signal,
        ...(body && { body: new Uint8Array(body) }),
      });
    } catch (error) {
      const { cause, message } = error as Error;
      const why = (cause as Error | undefined)?.message ?? message;
      throw new PlaceGone(`${endpoint} cannot be reached (${why}). It is tried again later.`);
    }
  }
  /** Like `send`, but rejects for error responses. */
  async function request(url: string, init?: { method?: string; body?: Buffer }): Promise<Response> {
    const response = await send(url, init);
    if (!response.ok) throw await placeError(response);
    return response;
  }

  const put = async (url: string, body: Buffer): Promise<Response> => {
    const response = await request(url, { method: 'PUT', body });
    await response.arrayBuffer();
    return response;
  };

  async function putInParts(key: string, bytes: number, chunks: AsyncIterable<Buffer>): Promise<void> {
    const created = await (await request(`${urlOf(key)}?uploads`, { method: 'POST' })).text();
    const upload = encodeURIComponent(textOf(created, 'UploadId'));
    try {
      const etags: string[] = [];
      for await (const part of inParts(copiesOf(chunks), Math.max(PART, Math.ceil(bytes / PARTS)))) {
        const { headers } = await put(
          `${urlOf(key)}?partNumber=${etags.length + 1}&uploadId=${upload}`,
          part,
        );
        etags.push(headers.get('ETag') ?? '');
      }
      const parts = etags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const completed = await request(`${urlOf(key)}?uploadId=${upload}`, { method: 'POST', body });
      // The body of a 200 response may contain an error.
      const xml = await completed.text();
      if (xml.includes('<Error>'))
        throw new PlaceGone(`${address} did not join ${key}: ${textOf(xml, 'Code')}.`);
    } catch (error) {
      await send(`${urlOf(key)}?uploadId=${upload}`, { method: 'DELETE' }).catch(() => {});
      throw error;
    }
  }

  async function* pages(below: string): AsyncGenerator<{ key: string; bytes: number }[]> {
    for (let token = ''; ;) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + below, 'max-keys': '1000' });
      if (token) query.set('continuation-token', token);
      const xml = await (await request(`${root}?${query}`)).text();
      const entries = elements(xml, 'Contents').map((entry) => ({
        key: textOf(entry, 'Key').slice(prefix.length),
        bytes: Number(textOf(entry, 'Size')),
      }));
      yield entries.filter(({ key }) => key !== '');
      token = textOf(xml, 'NextContinuationToken');
      if (!token) return;
    }
  }

  return {
    address,

    async read(key) {
      const response = await send(urlOf(key));
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      const error = await errorUnlessMissing(response);
      if (error) throw error;
      return null;
    },

    async *stream(key) {
      const response = await send(urlOf(key));
      if (!response.ok) throw (await errorUnlessMissing(response)) ?? new ObjectMissing(key);
      try {
        for await (const chunk of response.body ?? []) yield Buffer.from(chunk);
      } catch (error) {
        throw new PlaceGone(`${endpoint} broke off while ${key} was read (${(error as Error).message}).`);
      }
    },

    async write(key, body: Body) {
      if (Buffer.isBuffer(body)) await put(urlOf(key), body);
      else if (body.bytes <= PART) await put(urlOf(key), await concatenate(copiesOf(body.chunks)));
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
      const response = await send(`${root}?${new URLSearchParams({ uploads: '', prefix })}`);
      // Not every S3-compatible server lists incomplete uploads.
      const xml = response.ok ? await response.text() : '';
      for (const entry of elements(xml, 'Upload')) {
        const key = textOf(entry, 'Key');
        const upload = encodeURIComponent(textOf(entry, 'UploadId'));
        await send(`${root}/${encoded(key)}?uploadId=${upload}`, { method: 'DELETE' });
      }
    },

    async delete(key) {
      const response = await send(urlOf(key), { method: 'DELETE' });
      if (response.ok) return;
      const error = await errorUnlessMissing(response);
      if (error) throw error;
    },
  };

  /** The error of a response; null for a missing object. */
  async function errorUnlessMissing(response: Response): Promise<Error | null> {
    if (response.status !== 404) return placeError(response);
    const error = await placeError(response.clone() as Response);
    return error instanceof PlaceRefused && !(error instanceof PlaceGone) ? error : null;
  }
}
