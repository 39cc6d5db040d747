import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobMissing } from './blobs.ts';
import type { RewritableBytes } from './bytes.ts';
import { CHUNK_BYTES } from './chunks.ts';
import type { DriverWorld } from './conformance.ts';
import { conforms, drives, readObject, rejection } from './conformance.ts';
import { openDiskBytes } from './disk.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createSealedBlobs } from './sealed.ts';

const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
let made = 0;
const disk = (): Promise<RewritableBytes> => openDiskBytes({ root: join(folder, String((made += 1))) });
const memory = async (): Promise<RewritableBytes> => createMemoryBytes();
const master = deriveMasterKey(randomBytes(32));
const HEAD = Buffer.from('head');

/** The tests of a driver whose objects can also be changed in place. */
function rewrites(name: string, make: () => Promise<RewritableBytes>): Test<DriverWorld<RewritableBytes>> {
  const test = drives(name, make);
  test('replaces bytes in place, only in an object that exists', async ({ bytes, id }) => {
    const writer = bytes.create(id, HEAD.length);
    await writer.write([Buffer.from('body')]);
    await writer.commit(HEAD, []);
    await bytes.overwrite(id, 2, Buffer.from('rbod'));
    assert.is((await readObject(bytes, id)).toString(), 'herboddy');
    await bytes.delete(id);
    assert.instance(await rejection(bytes.overwrite(id, 0, HEAD)), BlobMissing);
  });

  return test;
}

rewrites('disk', disk).run();
rewrites('memory', memory).run();
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
