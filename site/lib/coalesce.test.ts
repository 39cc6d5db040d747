import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coalesce } from './coalesce.ts';

const test = suite('coalesced calls');
const settled = () => new Promise((resolve) => setImmediate(resolve));

function world() {
  const runs: (() => void)[] = [];
  const pauses: (() => void)[] = [];
  const sweep = coalesce(
    () => new Promise((resolve) => void runs.push(resolve)),
    600,
    () => new Promise<void>((resolve) => void pauses.push(resolve)),
  );
  return { sweep, runs, pauses };
}

test('runs immediately, and never twice at a time, since a second run would abort the first on a slow network', async () => {
  const { sweep, runs, pauses } = world();
  for (let n = 0; n < 50; n += 1) sweep();
  pauses[0]?.();
  await settled();
  assert.is(runs.length, 1);
});

test('calls during a run cause one further run', async () => {
  const { sweep, runs, pauses } = world();
  sweep();
  sweep();
  sweep();
  runs[0]?.();
  await settled();
  assert.is(runs.length, 1, 'not before the pause is over');
  pauses[0]?.();
  await settled();
  assert.is(runs.length, 2);
  runs[1]?.();
  pauses[1]?.();
  await settled();
  assert.is(runs.length, 2, 'and then no more');
  sweep();
  assert.is(runs.length, 3);
});

test('a failed run does not prevent the next', async () => {
  let runs = 0;
  const sweep = coalesce(
    () => Promise.reject(new Error(`offline ${(runs += 1)}`)),
    600,
    () => Promise.resolve(),
  );
  sweep();
  sweep();
  await settled();
  assert.is(runs, 2);
});

test.run();
