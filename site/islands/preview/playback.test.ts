import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { clockText, nextSpeed } from './playback.ts';

test('times are shown as in other players, with hours only from one hour on', () => {
  assert.is(clockText(0), '0:00');
  assert.is(clockText(7.9), '0:07');
  assert.is(clockText(750), '12:30');
  assert.is(clockText(3723), '1:02:03');
});

test('an unknown length is not shown as a number', () => {
  assert.is(clockText(Number.NaN), '–:––');
  assert.is(clockText(Number.POSITIVE_INFINITY), '–:––');
});

test('after the highest speed comes the lowest, then the normal one', () => {
  let speed = 1;
  const seen = Array.from({ length: 5 }, () => (speed = nextSpeed(speed)));
  assert.equal(seen, [1.25, 1.5, 2, 0.5, 1]);
  assert.is(nextSpeed(3), 1, 'from a speed that is not in the list, the next is the normal one');
});

test.run();
