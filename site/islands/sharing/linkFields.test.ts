import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultFields, requestOf } from './linkFields.ts';

const test = suite('what is sent of the fields of a link');
const fields = defaultFields(Date.parse('2026-11-20T10:00:00Z'));

test('what is no number of downloads is not sent as any number, and an empty field is', () => {
  const sent = (max_downloads: string) => requestOf({ ...fields, max_downloads }).max_downloads;
  assert.is(sent(''), null);
  assert.is(sent(' 1,000 '), 1000);
  for (const text of ['ten', '0', '5x']) assert.is(sent(text), 0, 'which the server refuses');
});

test('the last day is a week from now, or sooner where the firm allows less', () => {
  assert.is(fields.expires_on, '2026-11-27');
  assert.is(defaultFields(Date.parse('2026-11-20T10:00:00Z'), { days: 3 }).expires_on, '2026-11-23');
});

test.run();
