import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { coalesce } from './coalesce.ts';

const test = suite('sweeps');
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

test('runs at once, and one at a time, since a second would break off the first on a slow line', async () => {
  const { sweep, runs, pauses } = world();
  for (let n = 0; n < 50; n += 1) sweep();
  pauses[0]?.();
  await settled();
  assert.is(runs.length, 1);
});

test('runs once more after what was asked for while it ran, which it may not have seen', async () => {
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
  assert.is(runs.length, 2, 'and then it rests');
  sweep();
  assert.is(runs.length, 3);
});

test('one that fails does not end the sweeping', async () => {
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
