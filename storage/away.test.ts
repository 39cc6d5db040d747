import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing, StoreAway } from './blobs.ts';
import { rejection } from './conformance.ts';
import { openBlobStore } from './store.ts';

const test = suite<{ dataDir: string }>('a folder of blobs whose disk is away');
test.before.each(async (world) => {
  world.dataDir = await mkdtemp(join(tmpdir(), 'blobs-'));
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

test('while the disk of the blobs is unmounted none of them counts as missing, since callers give up what is missing for good', async ({
  dataDir,
}) => {
  const { blobs } = await openBlobStore({ dataDir });
  const { id } = await blobs.put(Readable.from([Buffer.from('content')]));
  const [root, away] = [join(dataDir, 'blobs'), join(dataDir, 'away')];
  await rename(root, away);
  for (const mountPoint of [false, true]) {
    if (mountPoint) await mkdir(root);
    assert.instance(await rejection(blobs.has(id)), StoreAway);
    assert.instance(await rejection(blobs.get(id)), StoreAway);
    assert.instance(await rejection(blobs.size(id)), StoreAway);
  }
  await rm(root, { recursive: true });
  await rename(away, root);
  assert.is((await buffer(await blobs.get(id))).toString(), 'content');
  await blobs.delete(id);
  assert.is(await blobs.has(id), false);
  assert.instance(await rejection(blobs.get(id)), BlobMissing);
});

test.run();
