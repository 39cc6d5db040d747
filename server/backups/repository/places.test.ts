import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { testPlace } from './conformance.ts';
import { openDiskPlace } from './disk-place.ts';
import { PlaceGone, PlaceRefused, concatenate } from './place.ts';
import { openS3Place } from './s3-place.ts';

const MB = 1024 * 1024;
const scratch = () => mkdtemp(join(tmpdir(), 'almirah-place-'));

testPlace('a disk', async () => {
  const root = await scratch();
  return { place: await openDiskPlace(root), close: () => rm(root, { recursive: true }) };
});

/** An S3 server for tests, with signatures. BACKUP_TEST_S3 names another one to use instead: `endpoint key secret bucket`. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: Server;
};

async function s3() {
  const external = process.env['BACKUP_TEST_S3']?.split(' ');
  if (external) {
    const [endpoint = '', keyId = '', secret = '', bucket = ''] = external;
    const address = `s3://${bucket}/test-${Date.now()}`;
    return { address, settings: { endpoint, keyId, secret, region: 'us-east-1' }, close: async () => {} };
  }
  const directory = await scratch();
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'vault' }],
  });
  const { port } = await server.run();
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    keyId: 'S3RVER',
    secret: 'S3RVER',
  };
  return {
    address: 's3://vault/almirah',
    settings,
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

testPlace('S3', async () => {
  const { address, settings, close } = await s3();
  return { place: openS3Place(address, settings), close };
});

test('a missing bucket and an unreachable server are reported in words', async () => {
  const { settings, close } = await s3();
  const message = (address: string, options = settings) =>
    openS3Place(address, options, { forMs: 0 })
      .read('x')
      .then(
        () => '',
        (error: Error) => {
          assert.instance(error, PlaceRefused);
          return error.message;
        },
      );
  assert.match(await message('s3://nowhere'), 'There is no bucket "nowhere"');
  await close();
  assert.match(
    await message('s3://vault', { ...settings, endpoint: 'http://127.0.0.1:9' }),
    'does not answer',
  );
});

test('other files in a folder named tmp are left alone, since only what a killed backup left there may be deleted', async () => {
  const root = await scratch();
  await mkdir(join(root, 'tmp'));
  await Promise.all(
    ['letter.pdf', 'ab'.repeat(12)].map((name) => writeFile(join(root, 'tmp', name), 'content')),
  );
  await (await openDiskPlace(root)).deleteIncomplete();
  assert.equal(await readdir(join(root, 'tmp')), ['letter.pdf']);
  await rm(root, { recursive: true });
});

/** An S3 server that takes and answers requests in its own way. */
async function strangeServer(answer: RequestListener) {
  const server = createServer({ highWaterMark: MB }, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { settings: { endpoint, region: 'us-east-1', keyId: 'key', secret: 'secret' }, server };
}
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('an upload over a slow line may take as long as it needs, since a large first backup takes days', async () => {
  let received = 0;
  const { settings, server } = await strangeServer(async (request, response) => {
    let pauses = 0;
    for await (const chunk of request) {
      received += (chunk as Buffer).length;
      if (received < (pauses + 1) * MB) continue;
      pauses += 1;
      await wait(250);
    }
    response.end();
  });
  const place = openS3Place('s3://vault', settings, { forMs: 0, stallMs: 3500 });
  await place.write('blobs/large', randomBytes(16 * MB));
  assert.is(received, 16 * MB);
  server.close();
});

test('a part of a large file is sent again when the connection breaks, since the whole file would take hours again', async () => {
  const parts: string[] = [];
  const { settings, server } = await strangeServer(async (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const part = searchParams.get('partNumber');
    for await (const chunk of request) void chunk;
    if (part) parts.push(part);
    if (parts.length === 1 && part) response.destroy();
    else response.setHeader('ETag', 'tag').end('<x><UploadId>1</UploadId></x>');
  });
  const body = { bytes: 17 * MB, chunks: Readable.from([randomBytes(17 * MB)]) };
  await openS3Place('s3://vault', settings, { forMs: 0 }).write('blobs/large', body);
  assert.equal(parts, ['1', '1', '2']);
  server.close();
});

test('an upload to a server that takes nothing more is given up', async () => {
  const { settings, server } = await strangeServer(() => {});
  const place = openS3Place('s3://vault', settings, { forMs: 0, stallMs: 200 });
  const error = await errorOf(place.write('blobs/large', randomBytes(16 * MB)));
  assert.instance(error, PlaceGone);
  assert.match((error as Error).message, 'it said nothing for 0.2 s');
  server.closeAllConnections();
  server.close();
});

test('a connection that breaks in the middle of an object means that the place is away, so that it is tried again', async () => {
  const { settings, server } = await strangeServer((_, response) => {
    response.writeHead(200, { 'Content-Length': 2000 }).write(Buffer.alloc(1000), () => response.destroy());
  });
  const place = openS3Place('s3://vault', settings, { forMs: 0 });
  assert.instance(await errorOf(place.read('snapshots/a/blobs')), PlaceGone);
  assert.instance(await errorOf(concatenate(place.stream('blobs/a'))), PlaceGone);
  assert.instance(await errorOf(Array.fromAsync(place.keys('blobs/'))), PlaceGone);
  server.close();
});

test.run();
