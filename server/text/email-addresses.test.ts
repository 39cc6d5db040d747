import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addressesIn, notAnAddress } from './email-addresses.ts';

test('addresses are understood as mail programs copy them, with the names of their owners', () => {
  assert.equal(addressesIn('A@x.in, b@x.in;\nRamesh Sharma <C@x.in>; "Rao, Meera" <d@x.in>\na@x.in'), [
    'a@x.in',
    'b@x.in',
    'c@x.in',
    'd@x.in',
  ]);
});

test('what is no address is named, and none is dropped in silence', () => {
  assert.is(notAnAddress(addressesIn('a@x.in, foo')), 'foo');
  assert.is(notAnAddress(addressesIn('a@x.in Ramesh <c@x.in>')), 'a@');
  assert.is(notAnAddress(addressesIn('Ramesh <>')), undefined);
  assert.is(notAnAddress(addressesIn('a@x.in')), undefined);
});

test.run();
