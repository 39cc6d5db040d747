import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isIncomplete, tenDigits, typedDigits } from './phone.ts';

const MEERA = '9820012345';

test('a phone number gives the same ten digits with any prefix and spacing', () => {
  for (const text of [
    '+91 98200 12345',
    '91-98200-12345',
    '098200 12345',
    '(+91) 9820012345',
    '0091 9820012345',
  ])
    assert.is(tenDigits(text), MEERA, text);
  assert.is(tenDigits(MEERA), MEERA);
  assert.is(tenDigits('9198200123'), '9198200123', 'ten digits that begin with 91 have no prefix');
});

test('a phone number that does not have ten digits after its prefix is invalid, and never cut to ten', () => {
  for (const text of [
    '+91 98200 1234',
    '+91 98200 123456',
    '98200123456',
    '+1 415 555 2671',
    '919820012',
    'x9820012345',
    '',
  ])
    assert.is(tenDigits(text), null, text);
  for (const text of ['+91 98200 1234', '91 98200 1234', '91 98200 123456', '0091 98200'])
    assert.ok(isIncomplete(text), text);
  for (const text of ['+1 415 555 2671', '044-2345678', MEERA, '+91 98200 12345', '91820012'])
    assert.not.ok(isIncomplete(text), text);
});

test('the phone field contains the same ten digits whether a number is typed or pasted, with or without its prefix', () => {
  const keys = (text: string) => [...text].reduce((value, key) => typedDigits(value + key, value), '');
  for (const text of [MEERA, '+91 98200 12345', '919820012345', '09820012345', '+91-98200-12345'])
    assert.is(keys(text), MEERA, text);
  assert.is(keys('98200123456789'), MEERA, 'keys beyond the tenth digit are not taken');
  assert.is(typedDigits('+91 98200 12345'), MEERA);
  assert.is(typedDigits('+91 98200 1234'), '91982001234', 'nothing is cut, so that it is told as wrong');
  assert.is(typedDigits('98200 12345 99'), '982001234599');
});

test.run();
