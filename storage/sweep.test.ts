import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listed, rejection } from './conformance.ts';
import { deriveMasterKey } from './masterkey.ts';
import { createMemoryBytes } from './memory.ts';
import { createSealedBlobs } from './sealed.ts';
import { sweep } from './sweep.ts';

const test = suite('sweep');
const HOUR = 3_600_000;

async function storeWith(count: number) {
  const blobs = createSealedBlobs(createMemoryBytes(), deriveMasterKey(randomBytes(32)));
  const puts = Array.from({ length: count }, () => blobs.put(Readable.from(['x'])));
  return { blobs, ids: (await Promise.all(puts)).map(({ id }) => id) };
}
const later = (hours: number) => () => new Date(Date.now() + hours * HOUR);

test('deletes exactly the unreferenced blobs, in several batches', async () => {
  const { blobs, ids } = await storeWith(25);
  const kept = new Set(ids.filter((_, n) => n % 3 === 0));
  const asked: number[] = [];
  const findReferenced = async (batch: string[]) => {
    asked.push(batch.length);
    return new Set(batch.filter((id) => kept.has(id)));
  };
  const deleted = await sweep({ blobs, findReferenced, graceMs: HOUR, now: later(2), batch: 10 });
  assert.equal(deleted.toSorted(), ids.filter((id) => !kept.has(id)).toSorted());
  assert.equal(await listed(blobs), [...kept].toSorted());
  assert.equal(asked, [10, 10, 5]);
});

test('keeps young blobs, because their row may not be written yet', async () => {
  const { blobs, ids } = await storeWith(3);
  const findReferenced = async () => new Set<string>();
  assert.equal(await sweep({ blobs, findReferenced, graceMs: HOUR, now: later(0.5) }), []);
  assert.is((await listed(blobs)).length, ids.length);
});

test('deletes nothing when the references cannot be read', async () => {
  const { blobs } = await storeWith(3);
  const findReferenced = () => Promise.reject(new Error('database locked'));
  const error = await rejection(sweep({ blobs, findReferenced, graceMs: HOUR, now: later(2) }));
  assert.match(String(error), 'database locked');
  assert.is((await listed(blobs)).length, 3);
});

test.run();
