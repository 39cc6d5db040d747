import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { clockText, nextSpeed } from './playback.ts';

test('a time reads as on any player, with hours only when there are some', () => {
  assert.is(clockText(0), '0:00');
  assert.is(clockText(7.9), '0:07');
  assert.is(clockText(750), '12:30');
  assert.is(clockText(3723), '1:02:03');
});

test('a length that is not known yet is not shown as a number', () => {
  assert.is(clockText(Number.NaN), '–:––');
  assert.is(clockText(Number.POSITIVE_INFINITY), '–:––');
});

test('the speeds come round to the usual one', () => {
  let speed = 1;
  const seen = Array.from({ length: 5 }, () => (speed = nextSpeed(speed)));
  assert.equal(seen, [1.25, 1.5, 2, 0.5, 1]);
  assert.is(nextSpeed(3), 1, 'a speed that a browser set by itself is left for the usual one');
});

test.run();
