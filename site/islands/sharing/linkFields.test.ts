import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultFields, requestOf } from './linkFields.ts';

const test = suite('the fields of a link');
const fields = defaultFields(Date.parse('2026-11-20T10:00:00Z'));

test('an invalid number of downloads is sent as 0, which the server refuses, and an empty field as no limit', () => {
  const sent = (max_downloads: string) => requestOf({ ...fields, max_downloads }).max_downloads;
  assert.is(sent(''), null);
  assert.is(sent(' 1,000 '), 1000);
  for (const text of ['ten', '0', '5x']) assert.is(sent(text), 0, text);
});

test('a link ends a week from now by default, or sooner if the firm limits the days', () => {
  assert.is(fields.expires_on, '2026-11-27');
  assert.is(defaultFields(Date.parse('2026-11-20T10:00:00Z'), { days: 3 }).expires_on, '2026-11-23');
});

test.run();
