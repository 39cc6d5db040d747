import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { testPlace } from './conformance.ts';
import { openDiskPlace } from './disk-place.ts';
import { PlaceRefused } from './place.ts';
import { openS3Place } from './s3-place.ts';

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
    openS3Place(address, options)
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
    'cannot be reached',
  );
});

test.run();
