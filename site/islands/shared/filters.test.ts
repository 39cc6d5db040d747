import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShareView } from '#server/sharing/contract.ts';
import { NO_FILTERS, addressOf, answers, clientsOf, filtersAt } from './filters.ts';
import { fieldsOf, freshFields, requestOf } from '../sharing/settings.ts';

const share = (more: object): ShareView =>
  ({
    state: 'open',
    client: { id: 3, name: 'Rao' },
    items: [{ id: 7 }],
    recipients: [],
    audience: 'anyone',
    mode: 'download',
    has_password: true,
    max_downloads: null,
    notify: false,
    expires_on: '2026-11-29',
    ...more,
  }) as unknown as ShareView;

test('the address says what was chosen, and nothing that is no choice', () => {
  const chosen = { state: 'ended', client: '3', item: '7' } as const;
  assert.equal(filtersAt(new URL(addressOf(chosen), 'http://a')), chosen);
  assert.is(addressOf(NO_FILTERS), '/shared');
  assert.equal(filtersAt(new URL('http://a/shared?state=x&client=y&item=-1')), NO_FILTERS);
});

test('a link answers each filter, and its client is offered once', () => {
  assert.ok(answers({ state: 'open', client: '3', item: '7' }, share({})));
  assert.not(answers({ ...NO_FILTERS, state: 'ended' }, share({})));
  assert.not(answers({ ...NO_FILTERS, client: '4' }, share({})));
  assert.not(answers({ ...NO_FILTERS, item: '8' }, share({})));
  assert.equal(clientsOf([share({}), share({}), share({ client: null })]), [{ id: '3', label: 'Rao' }]);
});

test('a password stays where none is typed, and goes where that is asked for', () => {
  const fields = fieldsOf(share({}));
  assert.not('password' in requestOf(fields, share({})));
  assert.is(requestOf({ ...fields, open: true }, share({})).password, null);
  assert.is(requestOf({ ...fields, password: 'another one' }, share({})).password, 'another one');
  assert.is(requestOf(freshFields(Date.parse('2026-11-20T10:00:00Z'))).password, null);
});

test('a new link ends a week from today in India, or earlier where the firm allows less', () => {
  const now = Date.parse('2026-11-20T20:00:00Z');
  assert.is(freshFields(now).expires_on, '2026-11-28');
  assert.is(freshFields(now, { days: 3 }).expires_on, '2026-11-24');
});

test('a link that is meant for one person can be opened by that address alone, until something else is chosen', () => {
  const { audience, emails } = requestOf(freshFields(0, { email: 'sharma@example.in' }));
  assert.equal([audience, emails], ['named', 'sharma@example.in']);
  assert.is(freshFields(0, { email: null }).audience, 'anyone', 'an address that is not known names nobody');
});

test.run();
