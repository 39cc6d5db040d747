import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { ApiError } from './apiError.ts';
import { refetchDelay, queryClientFor, revalidate } from './cache.ts';

const test = suite('the query cache');

/** A mounted query whose responses the test controls. */
function mountQuery(queryKey: readonly unknown[]) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const answers: ((data: string) => void)[] = [];
  const observer = new QueryObserver(cache, {
    queryKey,
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        answers.push(resolve);
      }),
  });
  observer.subscribe(() => {});
  return { cache, answers, data: () => cache.getQueryData(queryKey) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('revalidating does not cancel a fetch in flight, and repeats it, since its data may be older', async () => {
  const { cache, answers, data } = mountQuery(['listing', 1]);
  const revalidated = revalidate(cache);
  await settled();
  assert.is(answers.length, 1, 'the fetch continues');
  answers[0]?.('before the change');
  await until(() => answers.length === 2);
  assert.is(data(), 'before the change', 'its response is used');
  answers[1]?.('after it');
  await revalidated;
  assert.is(data(), 'after it');
});

test('revalidating fetches an idle list once, and never a download link', async () => {
  const list = mountQuery(['listing', 1]);
  const link = mountQuery(['link', 1]);
  for (const { answers } of [list, link]) answers[0]?.('old');
  await until(() => [list, link].every(({ data }) => data() === 'old'));
  const revalidated = [revalidate(list.cache), revalidate(link.cache)];
  await until(() => list.answers.length > 1);
  list.answers[1]?.('new');
  await Promise.all(revalidated);
  assert.is(list.answers.length, 2);
  assert.is(link.answers.length, 1);
});

test('a network failure is retried with growing delays; a refusal is not', () => {
  const { cache } = mountQuery(['listing', 1]);
  const query = cache.getQueryCache().find({ queryKey: ['listing', 1] })!;
  const failed = (status: number, times: number) => {
    query.setState({ status: 'error', error: new ApiError(status, '', ''), errorUpdateCount: times });
    return refetchDelay(query);
  };
  assert.is(refetchDelay(query), false, 'no fetch has failed');
  assert.is(failed(0, 1), 5000);
  assert.is(failed(503, 3), 15_000);
  assert.is(failed(0, 1000), 60_000);
  assert.is(failed(404, 1), false);
});

test('initial data is cached from the start, except incomplete data', () => {
  const cache = queryClientFor(1, [
    { key: ['a'], data: 'came' },
    { key: ['b'], data: 'a part', complete: false },
  ]);
  assert.is(cache.getQueryData(['a']), 'came');
  assert.is(cache.getQueryData(['b']), undefined);
});

test.run();
