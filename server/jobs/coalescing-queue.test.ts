import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppError } from '../http/errors.ts';
import type { CoalescingQueue } from './coalescing-queue.ts';
import { createCoalescingQueue } from './coalescing-queue.ts';

interface Counter {
  queue: CoalescingQueue;
  /** The started runs in order, each with the function that ends it. */
  begun: { key: string | undefined; end(): void; signal: AbortSignal }[];
  ask(firm_id: number, key: string | undefined, requester?: AbortSignal): Promise<string>;
  keys(): (string | undefined)[];
}

/** Waits until all pending promises have settled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => Promise.reject(new Error('It was done.')),
    (error: AppError) => error,
  );

const test = suite<Counter>('the coalescing queue');
test.before.each((counter) => {
  const queue = createCoalescingQueue({ slots: 1, perFirm: 1, waiting: 3 });
  const begun: Counter['begun'] = [];
  Object.assign(counter, { queue, begun, keys: () => begun.map(({ key }) => key) });
  counter.ask = (firm_id, key, requester) =>
    queue.run({ firm_id, ...(key !== undefined && { key }), requester }, (signal) => {
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        begun.push({ key, signal, end: () => resolve(`${key} is done`) });
      });
    });
});

test('concurrent requests for the same work share one run', async ({ ask, begun }) => {
  const asked = [ask(1, 'a'), ask(1, 'a'), ask(1, 'a')];
  await settle();
  assert.is(begun.length, 1);
  begun[0]!.end();
  assert.equal(await Promise.all(asked), ['a is done', 'a is done', 'a is done']);
  const later = ask(1, 'a');
  await settle();
  begun[1]!.end();
  assert.is(await later, 'a is done', 'a later request starts a new run');
});

test('requests of different firms never share a run, nor do requests without a key', async ({
  ask,
  begun,
  keys,
}) => {
  const asked = [ask(1, 'a'), ask(2, 'a'), ask(3, undefined), ask(3, undefined)];
  for (let n = 0; n < 4; n += 1) {
    await settle();
    begun[n]!.end();
  }
  await Promise.all(asked);
  assert.equal(keys(), ['a', 'a', undefined, undefined]);
});

test('firms take turns, so that a user who scrolls fast does not delay other firms', async ({
  ask,
  begun,
  keys,
}) => {
  const all = [ask(1, 'a'), ask(1, 'b'), ask(1, 'c'), ask(2, 'x')];
  for (let n = 0; n < 4; n += 1) {
    await settle();
    begun[n]!.end();
  }
  await Promise.all(all);
  assert.equal(keys(), ['a', 'x', 'b', 'c']);
});

test('waiting work is dropped when all its requesters have disconnected, and not before', async ({
  ask,
  begun,
  keys,
}) => {
  const [disconnecting, staying] = [new AbortController(), new AbortController()];
  const first = ask(1, 'a');
  const dropped = ask(1, 'b', disconnecting.signal);
  const shared = [ask(1, 'c', disconnecting.signal), ask(1, 'c', staying.signal)];
  await settle();
  disconnecting.abort();
  assert.is((await failure(dropped)).code, 'ECONNABORTED');
  begun[0]!.end();
  await first;
  await settle();
  begun[1]!.end();
  await Promise.all(shared);
  assert.equal(keys(), ['a', 'c']);
});

test('a request whose client has already disconnected is rejected and starts nothing', async ({
  ask,
  begun,
  keys,
}) => {
  const first = ask(1, 'a');
  assert.is((await failure(ask(1, 'b', AbortSignal.abort()))).code, 'ECONNABORTED');
  assert.is((await failure(ask(1, 'a', AbortSignal.abort()))).code, 'ECONNABORTED');
  begun[0]!.end();
  await first;
  await settle();
  assert.equal(keys(), ['a']);
});

test('a firm with too many waiting requests gets 503, and other firms are served', async ({ ask, begun }) => {
  const mine = ['a', 'b', 'c', 'd'].map((key) => ask(1, key));
  assert.equal([(await failure(ask(1, 'e'))).code, (await failure(ask(1, 'e'))).status], ['busy', 503]);
  const other = ask(2, 'x');
  for (let n = 0; n < 5; n += 1) {
    await settle();
    begun[n]!.end();
  }
  await Promise.all([...mine, other]);
});

test('a failed run frees its slot for the next', async ({ queue, ask, begun }) => {
  const wrong = queue.run({ firm_id: 1, key: 'wrong' }, () => Promise.reject(new Error('torn')));
  const next = ask(1, 'a');
  assert.is((await failure(wrong)).message, 'torn');
  await settle();
  begun[0]!.end();
  assert.is(await next, 'a is done');
});

test('stopping aborts running work and refuses the rest, until the queue is started again', async ({
  queue,
  ask,
  begun,
}) => {
  const [runs, waits] = [ask(1, 'a'), ask(1, 'b')];
  await settle();
  const stopping = queue.stop();
  assert.match((await failure(runs)).message, 'stopping');
  assert.is((await failure(waits)).status, 503);
  await stopping;
  assert.is((await failure(ask(1, 'c'))).status, 503);
  queue.start();
  const again = ask(1, 'c');
  await settle();
  begun.at(-1)!.end();
  assert.is(await again, 'c is done');
});

test.run();
