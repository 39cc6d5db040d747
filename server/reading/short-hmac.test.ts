import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createShortHmac } from './short-hmac.ts';

test('hashes are those that the index has had from the first day, or nothing would be found any more', () => {
  for (const length of [0, 1, 32, 63, 64]) {
    const key = randomBytes(length);
    const hmac = createShortHmac(key);
    for (const text of ['', 'word\0gratuity', 'हिन्दी', 'x'.repeat(55), 'y'.repeat(64), 'z'.repeat(5000)])
      assert.is(hmac(text).toString('hex'), createHmac('sha256', key).update(text).digest('hex'));
  }
  assert.throws(() => createShortHmac(randomBytes(65)));
});

test.run();
