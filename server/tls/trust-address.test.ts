import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { trustAddress } from './trust-address.ts';

test('the page about trusting the office is named where it is served, because people type what the log says', () => {
  const at = (httpPort: number | null) => trustAddress('https://192.168.1.10:8443', httpPort);
  assert.is(at(80), 'http://192.168.1.10/trust');
  assert.is(at(3213), 'http://192.168.1.10:3213/trust');
  assert.match(at(null), /^https:\/\/192\.168\.1\.10:8443\/trust \(the browser warns/);
});

test.run();
