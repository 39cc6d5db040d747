import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShareView } from '#server/sharing/contract.ts';
import { defaultFields, fieldsOf, mergeFields, requestOf } from './linkFields.ts';

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

test('a save keeps what a colleague has changed since the dialog was opened, or the later save would undo it', () => {
  const share = (emails: string[], more: Partial<ShareView> = {}) =>
    ({
      ...fields,
      audience: 'named',
      recipients: emails.map((email) => ({ email })),
      max_downloads: null,
      ...more,
    }) as unknown as ShareView;
  const opened = share(['a@x.in', 'b@x.in']);
  const latest = share(['a@x.in', 'c@x.in'], { notify: true });
  const mine = { ...fieldsOf(opened), expires_on: '2026-12-31' };
  assert.equal(mergeFields(opened, latest, mine), {
    ...mine,
    notify: true,
    emails: 'a@x.in\nc@x.in',
  });
  const edited = { ...mine, emails: 'B@x.in, d@x.in' };
  assert.is(mergeFields(opened, latest, edited).emails, 'd@x.in\nc@x.in');

  const anyone = share([], { audience: 'anyone', on_portal: true });
  const { audience, on_portal, emails } = mergeFields(opened, anyone, edited);
  assert.equal(
    [audience, on_portal, emails],
    ['named', false, 'd@x.in'],
    'whoever edits recipients means them',
  );
  assert.is(mergeFields(opened, anyone, mine).audience, 'anyone');
});

test.run();
