import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing } from './blobs.ts';
import type { ByteStore } from './bytes.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { conforms, listed, rejection } from './conformance.ts';
import { openDiskBytes } from './disk.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createSealedBlobs } from './sealed.ts';

const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
let made = 0;
const disk = (): Promise<ByteStore> => openDiskBytes({ root: join(folder, String((made += 1))) });
const memory = async (): Promise<ByteStore> => createMemoryBytes();
const master = deriveMasterKey(randomBytes(32));

interface DriverWorld {
  bytes: ByteStore;
  id: string;
}

/** What every driver has to do, before anything is sealed. */
function drives(name: string, make: () => Promise<ByteStore>): Test<DriverWorld> {
  const test = suite<DriverWorld>(`${name} as a driver`);
  test.before.each(async (world) => {
    world.bytes = await make();
    world.id = randomBytes(16).toString('hex');
  });
  const HEAD = Buffer.from('head');
  const read = async (bytes: ByteStore, id: string): Promise<Buffer> => {
    const reader = await bytes.open(id);
    const into = Buffer.alloc(reader.size);
    assert.is(await reader.read(into, 0), reader.size);
    await reader.close();
    return into;
  };

  test('puts the head, which is known last, in front of what was written', async ({ bytes, id }) => {
    for (const count of [0, 1, 40]) {
      const body = randomBytes(count * 100_000);
      const writer = bytes.create(id, HEAD.length);
      for (let n = 0; n < count; n += 1) {
        await writer.write([
          body.subarray(n * 100_000, n * 100_000 + 7),
          body.subarray(n * 100_000 + 7, (n + 1) * 100_000),
        ]);
      }
      assert.is(await bytes.has(id), false);
      await writer.commit(HEAD, []);
      assert.ok(Buffer.concat([HEAD, body]).equals(await read(bytes, id)));
      await bytes.delete(id);
    }
  });

  test('shows nothing of what was aborted, early or late', async ({ bytes, id }) => {
    for (const megabytes of [0, 1, 9]) {
      const writer = bytes.create(id, HEAD.length);
      if (megabytes > 0) writer.write([randomBytes(megabytes * 1024 * 1024)]).catch(() => {});
      await writer.abort();
      assert.equal(await listed(bytes), []);
    }
  });

  test('reads fewer bytes only at the end, and none beyond it', async ({ bytes, id }) => {
    const writer = bytes.create(id, HEAD.length);
    await writer.commit(HEAD, [Buffer.from('body')]);
    const reader = await bytes.open(id);
    const into = Buffer.alloc(6);
    assert.is(await reader.read(into, 4), 4);
    assert.is(into.toString('utf8', 0, 4), 'body');
    assert.is(await reader.read(into, 8), 0);
    await reader.close();
  });

  test('replaces bytes in place, only of what is there', async ({ bytes, id }) => {
    const writer = bytes.create(id, HEAD.length);
    await writer.write([Buffer.from('body')]);
    await writer.commit(HEAD, []);
    await bytes.overwrite(id, 2, Buffer.from('rbod'));
    assert.is((await read(bytes, id)).toString(), 'herboddy');
    await bytes.delete(id);
    assert.instance(await rejection(bytes.overwrite(id, 0, HEAD)), BlobMissing);
  });

  return test;
}

drives('disk', disk).run();
drives('memory', memory).run();
conforms(
  'sealed over disk, small chunks',
  async () => createSealedBlobs(await disk(), master, { chunkBytes: 64 }),
  64,
).run();
conforms(
  'sealed over memory, small chunks',
  async () => createSealedBlobs(await memory(), master, { chunkBytes: 64 }),
  64,
).run();
conforms('sealed over disk', async () => createSealedBlobs(await disk(), master), CHUNK_BYTES).run();
conforms('sealed over memory', async () => createSealedBlobs(await memory(), master), CHUNK_BYTES).run();
