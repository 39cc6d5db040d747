import type { S3Client } from './client.ts';
import { S3Refused } from './errors.ts';
import { elements, textOf } from './xml.ts';

/** The largest page that S3 sends. */
const PAGE = 1000;
/** Number of key ranges that are listed in parallel if there are many keys. */
const ABREAST = 8;

export interface Listed {
  /** The key, without the client's prefix. */
  key: string;
  changedAt: Date;
}

interface Listing {
  client: S3Client;
  folder: string;
  pageKeys: number;
}

interface Page {
  listed: Listed[];
  more: boolean;
}

async function page({ client, folder, pageKeys }: Listing, after: string): Promise<Page> {
  const { prefix } = client.where;
  const query = {
    'list-type': '2',
    prefix: prefix + folder,
    'max-keys': String(pageKeys),
    ...(after !== '' && { 'start-after': prefix + after }),
  };
  const { body } = await client.ask(
    { method: 'GET', query },
    {
      check({ body: said }) {
        if (!said.includes('</ListBucketResult>')) throw client.again('half of a list came');
      },
    },
  );
  const xml = body.toString();
  const listed = elements(xml, 'Contents').map((entry) => ({
    key: textOf(entry, 'Key').slice(prefix.length),
    changedAt: new Date(textOf(entry, 'LastModified')),
  }));
  return { listed, more: textOf(xml, 'IsTruncated') === 'true' && listed.length > 0 };
}

/** The keys after `after` and before `end`, in order. */
async function* range(listing: Listing, after: string, end: string | null): AsyncGenerator<Listed[]> {
  for (let from = after; ;) {
    const { listed, more } = await page(listing, from);
    const wanted = end === null ? listed : listed.filter(({ key }) => key < end);
    if (wanted.length > 0) yield wanted;
    if (!more || wanted.length < listed.length) return;
    from = listed.at(-1)!.key;
  }
}

/**
 * All keys in `folder`, unordered. Keys begin with random hex digits: if the first page is not all of them, the rest is split into
 * ranges, which are listed in parallel. One page of each range is in memory.
 */
export async function* listKeys(client: S3Client, folder: string, pageKeys = PAGE): AsyncGenerator<Listed> {
  const listing = { client, folder, pageKeys };
  const begun = await page(listing, '');
  yield* begun.listed;
  if (!begun.more) return;
  const last = begun.listed.at(-1)!.key;
  const digit = parseInt(last.slice(folder.length, folder.length + 2), 16);
  const step = Math.max(1, Math.ceil((256 - digit) / ABREAST));
  const ends: (string | null)[] = [];
  for (let start = digit + step; start < 256; start += step)
    ends.push(`${folder}${start.toString(16).padStart(2, '0')}`);
  ends.push(null);
  const ranges = ends.map((end, n) => range(listing, n === 0 ? last : ends[n - 1]!, end));
  const waiting = new Map(ranges.map((range) => [range, range.next().then((result) => ({ range, result }))]));
  try {
    while (waiting.size > 0) {
      const { range, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(range);
        continue;
      }
      waiting.set(
        range,
        range.next().then((next) => ({ range, result: next })),
      );
      yield* result.value;
    }
  } finally {
    // If the caller stops early, the pages still on their way must not become unhandled rejections.
    await Promise.allSettled(waiting.values());
  }
}

interface Unfinished {
  key: string;
  uploadId: string;
  begunAt: Date;
}

/** Multipart uploads in `folder` that were never completed. */
export async function* listUnfinished(client: S3Client, folder: string): AsyncGenerator<Unfinished> {
  const { prefix } = client.where;
  for (let marker: Record<string, string> = {}; ;) {
    const query = { uploads: '', prefix: prefix + folder, ...marker };
    const answer = await client.ask({ method: 'GET', query }).catch((error: unknown) => {
      // Not every S3 server can list multipart uploads.
      if (error instanceof S3Refused && error.code === 'NotImplemented') return null;
      throw error;
    });
    if (!answer) return;
    const xml = answer.body.toString();
    for (const entry of elements(xml, 'Upload')) {
      yield {
        key: textOf(entry, 'Key').slice(prefix.length),
        uploadId: textOf(entry, 'UploadId'),
        begunAt: new Date(textOf(entry, 'Initiated')),
      };
    }
    const key = textOf(xml, 'NextKeyMarker');
    if (textOf(xml, 'IsTruncated') !== 'true' || key === '') return;
    marker = { 'key-marker': key, 'upload-id-marker': textOf(xml, 'NextUploadIdMarker') };
  }
}
