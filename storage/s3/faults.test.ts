import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import type { BlobStore } from '../blobs.ts';
import { BlobMissing, StoreFull } from '../blobs.ts';
import { all, listed, pieces, rejection } from '../conformance.ts';
import { deriveMasterKey } from '../masterkey.ts';
import { createSealedBlobs } from '../sealed.ts';
import type { S3Bytes } from './bytes.ts';
import { openS3Bytes } from './bytes.ts';
import type { S3Client } from './client.ts';
import { createS3Client } from './client.ts';
import { S3Away, S3Refused } from './errors.ts';
import { listUnfinished } from './listing.ts';
import { freshBucket, isReal, testServer } from './testing/server.ts';
import type { FaultyProxy } from './testing/faults.ts';
import {
  failWith,
  halfAndHang,
  halfBody,
  hang,
  loseAnswer,
  reset,
  startFaultyProxy,
} from './testing/faults.ts';

const MB = 1024 * 1024;
if (!isReal) console.log('SKIPPED: no S3 server is named by TEST_S3; "npm run test:growth" starts one.');
const server = await testServer();
const proxy: FaultyProxy = await startFaultyProxy(server.endpoint);
const master = deriveMasterKey(randomBytes(32));

interface World {
  client: S3Client;
  bytes: S3Bytes;
  blobs: BlobStore;
}
const test = suite<World>('faults of an S3 server');
test.before.each(async (world) => {
  proxy.calm();
  const where = await freshBucket({ ...server, endpoint: proxy.endpoint });
  world.client = createS3Client(where, { firstMs: 5, longestMs: 50 });
  world.bytes = openS3Bytes(world.client, { pageKeys: 10 });
  world.blobs = createSealedBlobs(world.bytes, master);
  proxy.asked.length = 0;
});
test.after.each(({ client }) => client.close());
test.after(async () => {
  await proxy.close();
  await server.close();
});

const onS3 = isReal ? test : test.skip;

const LARGE = 17 * MB + 3;
const wholeOf = async (blobs: BlobStore, id: string) => buffer(await blobs.get(id));
const unfinished = async ({ client }: World) => (await all(listUnfinished(client, 'blobs/'))).length;

test('after one call has reported that the storage is not reachable, further calls fail at once until it is back', async ({
  client: { where },
}) => {
  // Long enough for several requests also on a machine that is busy.
  const client = createS3Client(where, { forMs: 3000, thenMs: 0, firstMs: 5, longestMs: 500 });
  const ask = () => client.ask({ method: 'PUT', key: 'note', body: [Buffer.from('x')] });
  const asked = async () => {
    proxy.asked.length = 0;
    await ask().catch((error: unknown) => assert.instance(error, S3Away));
    return proxy.asked.length;
  };
  try {
    proxy.next(/./, reset, Infinity);
    assert.ok((await asked()) > 3, 'it may be back at once');
    assert.is(await asked(), 1);
    proxy.calm();
    assert.is((await ask()).status, 200);
    proxy.next(/./, reset, 2);
    assert.is((await ask()).status, 200, 'and then it is waited for again');
  } finally {
    client.close();
  }
});

test('a server that accepts requests and never answers is given up as soon as one that is not there', async ({
  client: { where },
}) => {
  // By itself a silent connection would be kept for hours.
  const client = createS3Client(where, { forMs: 300, firstMs: 5, stallMs: 10_000_000, leastStallMs: 100 });
  try {
    proxy.next(/./, hang, Infinity);
    const { message } = (await rejection(client.ask({ method: 'GET', key: 'note' }))) as Error;
    assert.match(message, /does not answer for .* \(it said nothing for 0\.\d+ s\)/);
  } finally {
    client.close();
  }
});

test('a server that sends half of each response and then nothing is given up as soon, or a download would wait for minutes', async ({
  client: { where },
}) => {
  const client = createS3Client(where, { forMs: 2000, firstMs: 5, stallMs: 1500, leastStallMs: 500 });
  const id = randomBytes(16).toString('hex');
  const bytes = openS3Bytes(client);
  try {
    await bytes.create(id, 4).commit(Buffer.from('head'), [randomBytes(MB)]);
    proxy.asked.length = 0;
    proxy.next(/^GET/, halfAndHang, Infinity);
    const reader = await bytes.open(id);
    assert.match(String(await rejection(reader.read(Buffer.alloc(MB + 4), 0))), 'does not answer');
    assert.ok(proxy.asked.length < 6, proxy.asked.join('\n'));
  } finally {
    client.close();
  }
});

test('whoever stores a file does not wait for its remains to be deleted on a server that was given up', async ({
  client: { where },
}) => {
  const client = createS3Client(where, { forMs: 300, firstMs: 5, leastStallMs: 10_000_000 });
  const writer = openS3Bytes(client).create(randomBytes(16).toString('hex'), 4);
  try {
    proxy.next(/^PUT/, reset, Infinity);
    proxy.next(/^DELETE/, hang, Infinity);
    assert.instance(await rejection(writer.commit(Buffer.from('head'), [])), S3Away);
    await writer.abort();
  } finally {
    client.close();
  }
});

onS3('a small file is stored with one request, and read with one', async ({ blobs }) => {
  const bytes = randomBytes(600_000);
  const { id } = await blobs.put(pieces(bytes, 65_536));
  assert.is(proxy.asked.length, 1, proxy.asked.join('\n'));
  assert.ok(bytes.equals(await wholeOf(blobs, id)));
  assert.is(proxy.asked.length, 2, proxy.asked.join('\n'));
});

onS3(
  'each further range of a file is read with one request, and never more than its chunks',
  async ({ blobs }) => {
    const bytes = randomBytes(3 * MB);
    const { id } = await blobs.put(pieces(bytes, 65_536));
    await wholeOf(blobs, id);
    proxy.asked.length = 0;
    const got = await buffer(await blobs.get(id, { start: 2 * MB, end: 2 * MB + 65_535 }));
    assert.ok(bytes.subarray(2 * MB, 2 * MB + 65_536).equals(got));
    assert.is(proxy.asked.length, 1, proxy.asked.join('\n'));
  },
);

onS3(
  'requests are repeated after a busy server, a lost connection or a lost response, so that storing and reading succeed',
  async ({ blobs }) => {
    const bytes = randomBytes(LARGE);
    proxy.next(/^POST .*uploads/, failWith(503, 'SlowDown'), 2);
    proxy.next(/^PUT .*partNumber=2/, failWith(500, 'InternalError'));
    proxy.next(/^PUT .*partNumber=3/, reset);
    proxy.next(/^PUT .*partNumber=1/, loseAnswer);
    proxy.next(/^POST .*uploadId/, failWith(200, 'InternalError'), 2);
    const { id } = await blobs.put(pieces(bytes, 65_536));
    proxy.next(/^GET/, failWith(503, 'SlowDown'), 2);
    proxy.next(/^GET/, halfBody, 2);
    assert.ok(bytes.equals(await wholeOf(blobs, id)));
    assert.equal(await listed(blobs), [id]);
  },
);

onS3('a file whose last response was lost counts as stored, since it is there', async ({ blobs }) => {
  const bytes = randomBytes(LARGE);
  proxy.next(/^POST .*uploadId/, loseAnswer);
  const { id } = await blobs.put(pieces(bytes, 65_536));
  assert.ok(bytes.equals(await wholeOf(blobs, id)));
  const small = randomBytes(1000);
  proxy.next(/^PUT/, loseAnswer);
  const stored = await blobs.put(pieces(small));
  assert.ok(small.equals(await wholeOf(blobs, stored.id)));
});

onS3('a put without a reachable server fails after a time limit, and leaves nothing', async (world) => {
  const hasty = createS3Client(world.client.where, { forMs: 300, firstMs: 5 });
  const blobs = createSealedBlobs(openS3Bytes(hasty), master);
  proxy.next(/^POST .*uploadId/, failWith(503, 'SlowDown'), 1000);
  assert.instance(await rejection(blobs.put(pieces(randomBytes(LARGE), 65_536))), S3Away);
  assert.equal(await listed(world.blobs), []);
  await until(async () => (await unfinished(world)) === 0);
  hasty.close();
});

onS3('an error inside a response with status 200 is not taken for a stored file', async (world) => {
  proxy.next(/^POST .*uploadId/, failWith(200, 'InvalidPart'));
  assert.instance(await rejection(world.blobs.put(pieces(randomBytes(LARGE), 65_536))), S3Refused);
  assert.equal(await listed(world.blobs), []);
  assert.is(await unfinished(world), 0);
});

onS3('a used up quota gives the same error as a full disk', async ({ blobs }) => {
  proxy.next(/^PUT/, failWith(403, 'QuotaExceeded'));
  assert.instance(await rejection(blobs.put(pieces(randomBytes(10)))), StoreFull);
});

onS3('when the source fails, no unfinished upload remains in the bucket', async (world) => {
  const failing = Readable.from(
    (async function* fail() {
      for (let n = 0; n < 20; n += 1) yield randomBytes(MB);
      throw new Error('the client went away');
    })(),
  );
  assert.match(String(await rejection(world.blobs.put(failing))), 'the client went away');
  assert.is(await unfinished(world), 0);
});

onS3('old unfinished uploads of killed writers are deleted, recent ones are kept', async (world) => {
  const writer = world.bytes.create(randomBytes(16).toString('hex'), 4);
  await writer.write([randomBytes(16 * MB)]);
  while ((await unfinished(world)) === 0);
  assert.is(await world.bytes.discardUnfinished(new Date(Date.now() - 60_000)), 0);
  assert.is(await unfinished(world), 1);
  assert.is(await world.bytes.discardUnfinished(new Date(Date.now() + 60_000)), 1);
  assert.is(await unfinished(world), 0);
  await writer.abort();
});

onS3('a file deleted by another process is reported as missing', async ({ blobs, client }) => {
  const { id } = await blobs.put(pieces(randomBytes(2 * MB), 65_536));
  await wholeOf(blobs, id);
  await openS3Bytes(client).delete(id);
  assert.instance(await rejection(blobs.get(id, { start: MB, end: MB + 5 })), BlobMissing);
});

onS3('a list of many pages has each blob once, even if the server is busy', async ({ bytes }) => {
  const ids = Array.from({ length: 130 }, () => randomBytes(16).toString('hex'));
  await Promise.all(ids.map((id) => bytes.create(id, 4).commit(Buffer.from('head'), [])));
  proxy.next(/^GET .*list-type/, failWith(503, 'SlowDown'), 2);
  proxy.next(/^GET .*list-type/, halfBody, 1);
  assert.equal(await listed(bytes), ids.toSorted());
});

onS3('readers that stop early do not disturb other readers', async ({ blobs }) => {
  const bytes = randomBytes(LARGE);
  const { id } = await blobs.put(pieces(bytes, 65_536));
  const reads = Array.from({ length: 9 }, async (_, n) => {
    const stream = await blobs.get(id);
    if (n % 3 === 0) return void stream.destroy();
    if (n % 3 === 1) for await (const piece of stream) return assert.ok(piece);
    assert.ok(bytes.equals(await buffer(stream)));
  });
  await Promise.all(reads);
});

test.run();
