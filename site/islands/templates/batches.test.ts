import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inBatches } from './batches.ts';

const test = suite('clients in batches');
const one = { created: 0, existing: 0, taken: 0, left_out: 0, problems: [] };
const ids = [1, 2, 3, 4, 5];

test('all are asked for in turn, and summed up', async () => {
  const asked: number[][] = [];
  const told: number[] = [];
  const total = await inBatches(
    ids,
    2,
    async (batch) => {
      asked.push(batch);
      return { ...one, clients: batch.length, created: 3 * batch.length };
    },
    { stopped: () => false, done: (clients) => void told.push(clients) },
  );
  assert.equal(asked, [[1, 2], [3, 4], [5]]);
  assert.equal(told, [2, 4, 5]);
  assert.equal([total.clients, total.created], [5, 15]);
});

test('stopped, it ends after the batch that is under way, and says what was done', async () => {
  let done = 0;
  const total = await inBatches(ids, 2, async (batch) => ({ ...one, clients: batch.length }), {
    stopped: () => done >= 2,
    done: (clients) => {
      done = clients;
    },
  });
  assert.is(total.clients, 2);
});

test('a batch whose clients are all gone does not keep the others up; any other failure is told', async () => {
  const how = { stopped: () => false, done: () => {} };
  const total = await inBatches(
    ids,
    2,
    async (batch) => {
      if (batch[0] === 3) throw Object.assign(new Error('gone'), { status: 404 });
      return { ...one, clients: batch.length };
    },
    how,
  );
  assert.equal([total.clients, total.left_out], [3, 2]);
  await inBatches(ids, 2, () => Promise.reject(Object.assign(new Error('full'), { status: 507 })), how).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'full'),
  );
});

test.run();
