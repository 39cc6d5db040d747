import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from './apiError.ts';
import { refetchDelay, queryClientFor, revalidate } from './cache.ts';

const test = suite('the cache of lists');

/** A list that is shown, whose answers come when the test says so. */
function shown(queryKey: readonly unknown[]) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const answers: ((data: string) => void)[] = [];
  const observer = new QueryObserver(cache, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('broken off')));
        answers.push(resolve);
      }),
  });
  observer.subscribe(() => {});
  return { cache, answers, data: () => cache.getQueryData(queryKey) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('a change does not break off a list that is being loaded, and loads it once more, since it may be older', async () => {
  const { cache, answers, data } = shown(['listing', 1]);
  const renewed = revalidate(cache);
  await settled();
  assert.is(answers.length, 1, 'the load goes on');
  answers[0]?.('before the change');
  await settled();
  assert.is(data(), 'before the change', 'it arrives');
  assert.is(answers.length, 2);
  answers[1]?.('after it');
  await renewed;
  assert.is(data(), 'after it');
});

test('a list that rests is loaded once, and links to bytes never: a film must not begin anew', async () => {
  const list = shown(['listing', 1]);
  const link = shown(['link', 1]);
  for (const { answers } of [list, link]) answers[0]?.('old');
  await settled();
  const renewed = [revalidate(list.cache), revalidate(link.cache)];
  await settled();
  list.answers[1]?.('new');
  await Promise.all(renewed);
  assert.is(list.answers.length, 2);
  assert.is(link.answers.length, 1);
});

test('a list that found no network is asked for again, less and less often; one that was refused is not', () => {
  const { cache } = shown(['listing', 1]);
  const query = cache.getQueryCache().find({ queryKey: ['listing', 1] })!;
  const failed = (status: number, times: number) => {
    query.setState({ status: 'error', error: new ApiError(status, '', ''), errorUpdateCount: times });
    return refetchDelay(query);
  };
  assert.is(refetchDelay(query), false, 'nothing has failed');
  assert.is(failed(0, 1), 5000);
  assert.is(failed(503, 3), 15_000);
  assert.is(failed(0, 1000), 60_000);
  assert.is(failed(404, 1), false);
});

test('what a page came with is there from the start, and what it could not bring whole is asked for', () => {
  const cache = queryClientFor(1, [
    { key: ['a'], data: 'came' },
    { key: ['b'], data: 'a part', complete: false },
  ]);
  assert.is(cache.getQueryData(['a']), 'came');
  assert.is(cache.getQueryData(['b']), undefined);
});

test.run();
