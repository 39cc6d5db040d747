import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHasher } from './keys.ts';

test('words have the same hashes as in earlier versions, since otherwise existing indexes would find nothing', () => {
  const hash = createHasher(Buffer.alloc(32, 7));
  assert.equal(
    [hash('word', 'gratuity'), hash('head', 'gratuity'), hash('word', 'हिन्दी')],
    ['2lzl1johxc', 'o1c4boxnu', '1o9j91n5t6'],
  );
});

test.run();
