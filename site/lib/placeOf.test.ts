import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { placeOf } from './placeOf.ts';

test('the place of an item names its client once, since most clients have a folder of that name', () => {
  const item = { name: 'Letter 6.pdf', path: 'Notices / 2025', client_name: 'Sharma Traders' };
  assert.equal(
    [
      item,
      { ...item, path: 'Sharma Traders / 2025' },
      { ...item, path: '', client_name: null },
      { ...item, path: '', name: 'Sharma Traders' },
    ].map(placeOf),
    ['Sharma Traders · Notices / 2025', 'Sharma Traders / 2025', 'My Drive', 'My Drive'],
  );
});

test.run();
