import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inBatches } from './batches.ts';

const test = suite('applying a template to clients in batches');
const NOTHING = { created: 0, existing: 0, taken: 0, left_out: 0, problems: [] };
const ids = [1, 2, 3, 4, 5];

test('batches are sent one after the other, and their results are added up', async () => {
  const batches: number[][] = [];
  const progress: number[] = [];
  const total = await inBatches(
    ids,
    2,
    async (batch) => {
      batches.push(batch);
      return { ...NOTHING, clients: batch.length, created: 3 * batch.length };
    },
    { stopped: () => false, done: (clients) => void progress.push(clients) },
  );
  assert.equal(batches, [[1, 2], [3, 4], [5]]);
  assert.equal(progress, [2, 4, 5]);
  assert.equal([total.clients, total.created], [5, 15]);
});

test('a stopped run ends after the current batch and returns the result so far', async () => {
  let done = 0;
  const total = await inBatches(ids, 2, async (batch) => ({ ...NOTHING, clients: batch.length }), {
    stopped: () => done >= 2,
    done: (clients) => {
      done = clients;
    },
  });
  assert.is(total.clients, 2);
});

test('a batch whose clients were all deleted counts as left out, and the others are sent; any other failure ends the run', async () => {
  const options = { stopped: () => false, done: () => {} };
  const total = await inBatches(
    ids,
    2,
    async (batch) => {
      if (batch[0] === 3) throw Object.assign(new Error('gone'), { status: 404 });
      return { ...NOTHING, clients: batch.length };
    },
    options,
  );
  assert.equal([total.clients, total.left_out], [3, 2]);
  await inBatches(
    ids,
    2,
    () => Promise.reject(Object.assign(new Error('full'), { status: 507 })),
    options,
  ).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'full'),
  );
});

test.run();
