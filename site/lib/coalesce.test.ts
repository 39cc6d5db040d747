import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coalesce } from './coalesce.ts';

const test = suite('coalesced calls');
const settled = () => new Promise((resolve) => setImmediate(resolve));

function createCoalesced() {
  const runs: (() => void)[] = [];
  const pauses: (() => void)[] = [];
  const call = coalesce(
    () => new Promise((resolve) => void runs.push(resolve)),
    600,
    () => new Promise<void>((resolve) => void pauses.push(resolve)),
  );
  return { call, runs, pauses };
}

test('the first call runs immediately, and never two runs at a time, since a second would abort the first on a slow network', async () => {
  const { call, runs, pauses } = createCoalesced();
  for (let n = 0; n < 50; n += 1) call();
  pauses[0]?.();
  await settled();
  assert.is(runs.length, 1);
});

test('calls during a run cause one further run', async () => {
  const { call, runs, pauses } = createCoalesced();
  call();
  call();
  call();
  runs[0]?.();
  await settled();
  assert.is(runs.length, 1, 'not before the pause is over');
  pauses[0]?.();
  await settled();
  assert.is(runs.length, 2);
  runs[1]?.();
  pauses[1]?.();
  await settled();
  assert.is(runs.length, 2, 'no further run follows');
  call();
  assert.is(runs.length, 3);
});

test('a failed run does not prevent the next', async () => {
  let runs = 0;
  const call = coalesce(
    () => Promise.reject(new Error(`offline ${(runs += 1)}`)),
    600,
    () => Promise.resolve(),
  );
  call();
  call();
  await settled();
  assert.is(runs, 2);
});

test.run();
