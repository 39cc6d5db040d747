import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from './network.ts';

test('an IPv4 address is one network, also in its IPv6-mapped form', () => {
  assert.is(networkOf('192.0.2.7'), '192.0.2.7');
  assert.is(networkOf('::ffff:192.0.2.7'), '192.0.2.7');
});

test('an IPv6 /64 is one network', () => {
  const home = networkOf('2001:db8:1:2:3:4:5:6');
  assert.is(home, '2001:db8:1:2::/64');
  for (const same of [
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff::',
    '2001:db8:1:2::1%eth0',
    '2001:db8:1:2::1.2.3.4',
  ]) {
    assert.is(networkOf(same), home, same);
  }
  for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '2001:db8::1:2:3']) {
    assert.is.not(networkOf(other), home, other);
  }
  assert.is(networkOf('::1'), '0:0:0:0::/64');
  assert.is(networkOf('fe80::'), 'fe80:0:0:0::/64');
});

test('an invalid address counts as a network of its own', () => {
  assert.is(networkOf(''), '');
  assert.is(networkOf('unix'), 'unix');
});

test.run();
