import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sealedBytes } from './chunks.ts';
import { rejection } from './conformance.ts';
import { createSealer } from './sealer.ts';
import type { Slot } from './sealing.ts';
import { createSealingThread } from './sealing.ts';

const CHUNK = 64;
const SIZE = 4 * CHUNK;
const test = suite('the sealing thread');

function slotOf(plain: Buffer): Slot {
  const slot = {
    plain: Buffer.from(new ArrayBuffer(SIZE)),
    sealed: Buffer.from(new ArrayBuffer(sealedBytes(SIZE, CHUNK))),
  };
  plain.copy(slot.plain);
  return slot;
}

test('seals several blobs at once, each to the same bytes as the main thread would', async () => {
  const thread = createSealingThread();
  const blobs = Array.from({ length: 3 }, async () => {
    const key = randomBytes(32);
    const [away, here] = [thread.open(key, CHUNK), createSealer(key, CHUNK)];
    const batches = [randomBytes(SIZE), randomBytes(SIZE), randomBytes(CHUNK + 1)];
    const sealing = batches.map(async (plain, n) => {
      const slot = slotOf(plain);
      return { slot, done: await away.seal(slot, plain.length, n === 2) };
    });
    for (const [n, plain] of batches.entries()) {
      const into = Buffer.alloc(sealedBytes(SIZE, CHUNK));
      const { slot, done } = await sealing[n]!;
      assert.equal(done, here.seal(plain, n === 2, into));
      assert.ok(into.equals(slot.sealed));
    }
    away.close();
  });
  await Promise.all(blobs);
});

test('when the thread dies, its seals are rejected, and the next blob starts another thread', async () => {
  const thread = createSealingThread();
  const slot = () => slotOf(randomBytes(SIZE));
  const broken = thread.open(Buffer.from('no key'), CHUNK);
  const beside = thread.open(randomBytes(32), CHUNK);
  const failures = [broken.seal(slot(), SIZE, true), beside.seal(slot(), SIZE, true)].map(rejection);
  for (const error of await Promise.all(failures)) assert.instance(error, Error);
  assert.instance(await rejection(beside.seal(slot(), SIZE, true)), Error);
  broken.close();
  beside.close();
  const next = thread.open(randomBytes(32), CHUNK);
  assert.match((await next.seal(slot(), SIZE, true)).sums!.sha256, /^[0-9a-f]{64}$/);
  next.close();
});

test.run();
