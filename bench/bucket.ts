import { randomBytes } from 'node:crypto';
import type { S3Client } from '#storage/s3/client.ts';
import { createS3Client } from '#storage/s3/client.ts';
import { hasRadosgw, startRadosgw } from '#storage/s3/testing/radosgw.ts';
import { freshBucket } from '#storage/s3/testing/server.ts';
import { textOf } from '#storage/s3/xml.ts';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import { receive } from './receive.ts';
import { scratchFolder, startServer } from './server.ts';

const MB = 1024 * 1024;
const SIZE = Number(process.env.BENCH_BUCKET_MB ?? 1024) * MB;
const PART = 8 * MB;
const RUNS = 3;
const FILES = 200;
const AT_ONCE = 8;
const RANGES = 60;

/** MB/s of an upload straight into the S3 server: one object in parts, `concurrent` of them at a time. */
async function directSpeed(client: S3Client, concurrent: number): Promise<number> {
  const part = randomBytes(PART);
  const key = `best-${concurrent}-${Date.now()}`;
  const seconds = await timed(async () => {
    const started = await client.ask({ method: 'POST', key, query: { uploads: '' } });
    const uploadId = textOf(started.body.toString(), 'UploadId');
    const tags: string[] = [];
    const numbers = Array.from({ length: SIZE / PART }, (_, index) => index + 1).values();
    const send = async () => {
      for (const partNumber of numbers) {
        const query = { partNumber: String(partNumber), uploadId };
        tags[partNumber] = (await client.ask({ method: 'PUT', key, query, body: [part] })).headers.etag!;
      }
    };
    await Promise.all(Array.from({ length: concurrent }, send));
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)];
    await client.ask({ method: 'POST', key, query: { uploadId }, body });
  });
  await client.ask({ method: 'DELETE', key });
  return SIZE / MB / seconds;
}

async function smallFilesRate(client: Client): Promise<number> {
  const block = randomBytes(50 * 1024);
  const names = Array.from({ length: FILES }, (_, index) => `scan ${Date.now()} ${index}.jpg`).values();
  const send = async () => {
    for (const name of names) await client.upload(name, block.length, block);
  };
  return FILES / (await timed(() => Promise.all(Array.from({ length: AT_ONCE }, send))));
}

/**
 * Measures a vault with its files in a bucket of a local Ceph S3 server, compared with that server alone and with a vault on
 * disk. BENCH_BUCKET_MB is the size of the file.
 */
export async function bucket(): Promise<Figure[]> {
  if (!(await hasRadosgw()))
    return [
      {
        name: 'files in a bucket',
        value: 'not measured: apt-get install ceph-mon ceph-mgr ceph-osd radosgw',
      },
    ];
  const ceph = await startRadosgw();
  const bucketSettings = await freshBucket(ceph);
  const direct = createS3Client(bucketSettings);
  const settings = { TRASH_DAYS: '0', BLOBS_S3_KEY_ID: ceph.keyId, BLOBS_S3_SECRET: ceph.secret };
  const onDisk = await startServer(await scratchFolder(), settings);
  const inBucket = await startServer(await scratchFolder(), {
    ...settings,
    BLOBS: `${bucketSettings.address}?endpoint=${ceph.endpoint}`,
  });
  try {
    const [diskClient, bucketClient] = [
      await Client.register(onDisk.url),
      await Client.register(inBucket.url),
    ];
    const block = randomBytes(MB);
    const directSpeeds: number[] = [];
    const up: number[] = [];
    const down: number[] = [];
    const small: [number[], number[]] = [[], []];
    let id = 0;
    for (let run = 0; run < RUNS; run += 1) {
      directSpeeds.push(Math.max(await directSpeed(direct, 3), await directSpeed(direct, 6)));
      up.push(
        SIZE /
          MB /
          (await timed(async () => (id = await bucketClient.upload(`large ${run}.pdf`, SIZE, block)))),
      );
      const path = await bucketClient.downloadPath(id);
      down.push(SIZE / MB / (await timed(() => receive(inBucket.url, path))));
      small[0].push(await smallFilesRate(diskClient));
      small[1].push(await smallFilesRate(bucketClient));
    }
    const path = await bucketClient.downloadPath(id);
    const ranges: number[] = [];
    for (let n = 0; n < RANGES; n += 1) {
      const from = Math.floor((n / RANGES) * (SIZE - MB));
      const headers = { range: `bytes=${from}-${from + 65_535}` };
      ranges.push(
        1000 * (await timed(async () => (await fetch(inBucket.url + path, { headers })).arrayBuffer())),
      );
    }
    const share = median(up) / median(directSpeeds);
    const ratio = median(small[1]) / median(small[0]);
    const { peak } = await inBucket.memory();
    return [
      {
        name: `machine: ${SIZE / MB} MB into the S3 server alone`,
        value: `${fixed(median(directSpeeds), 0)} MB/s`,
      },
      {
        name: `upload of ${SIZE / MB} MB into the bucket`,
        value: `${fixed(median(up), 0)} MB/s, ${fixed(share, 2)} of that`,
        target: { text: 'at least 0.6 of it', reached: share >= 0.6 },
      },
      { name: 'download of it', value: `${fixed(median(down), 0)} MB/s` },
      {
        name: `${FILES} files of 50 KB, ${AT_ONCE} at a time`,
        value: `${fixed(median(small[1]), 0)} files/s, ${fixed(ratio, 2)} of ${fixed(median(small[0]), 0)} on the disk`,
      },
      { name: '64 KB of the large file, p95', value: `${fixed(percentile(ranges, 95))} ms` },
      { name: 'memory of the server at most', value: `${fixed(peak, 0)} MB` },
    ];
  } finally {
    direct.close();
    await onDisk.remove();
    await inBucket.remove();
    await ceph.close();
  }
}
