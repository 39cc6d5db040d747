import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskAadhaar } from './aadhaar.ts';
import { verhoeffHolds } from './check-digits.ts';

test('an Aadhaar number is masked except for its last four digits in every notation, and the text keeps its length', () => {
  assert.ok(verhoeffHolds('999941057058'));
  for (const text of [
    '9999 4105 7058',
    '9999-4105-7058',
    '999941057058',
    '9999\n4105\n7058',
    '९९९९ ४१०५ ७०५८',
    '9999_4105_7058',
    '9999\u20114105\u20117058',
    '9999\u22124105\u22127058',
  ]) {
    const { text: masked, numbers } = maskAadhaar(`UID ${text}.`);
    assert.equal(numbers, ['999941057058'], text);
    assert.is(masked.length, `UID ${text}.`.length);
    assert.not.match(masked, /9999|९९९९|4105|४१०५/);
    assert.match(masked, /X{4}.?X{4}.?(?:7058|७०५८)/s);
  }
  for (const number of ['200000000009', '555555555551', '314159265351', '271828182847'])
    assert.is(maskAadhaar(number).text, `XXXXXXXX${number.slice(-4)}`);
  // A number that begins with 0 or 1, or with a wrong check digit or more than twelve digits is not an Aadhaar number.
  for (const text of [
    '199941057058',
    '099941057058',
    '9999 4105 7059',
    '1999941057058',
    '9999 4105 7058 1234',
  ])
    assert.is(maskAadhaar(text).text, text);
});

test.run();
