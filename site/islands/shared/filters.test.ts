import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShareView } from '#server/sharing/contract.ts';
import { dropEntry, linkEntry, mergeLists, nextToLoad } from './entries.ts';
import { NO_FILTERS, addressOf, filtersAt, queriesOf } from './filters.ts';
import { fieldsOf, defaultFields, requestOf } from '../sharing/linkFields.ts';

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

test('filters written to a URL are read back unchanged, and invalid parameters are ignored', () => {
  const chosen = { kind: 'link', state: 'ended', client: '3', item: '7' } as const;
  assert.equal(filtersAt(new URL(addressOf(chosen), 'http://a')), chosen);
  assert.is(addressOf(NO_FILTERS), '/shared');
  assert.equal(filtersAt(new URL('http://a/shared?kind=x&state=x&client=y&item=-1')), NO_FILTERS);
});

test('each list is requested with the filters that it supports, and not requested if one is unsupported', () => {
  const queriesFor = (part: object) => queriesOf({ ...NO_FILTERS, ...part });
  assert.equal(queriesFor({ client: '3' }).link, { client: 3 });
  assert.equal(queriesFor({ client: '3' }).drop, { client: 3 });
  assert.is(queriesFor({ state: 'ended' }).request!.state, 'over', 'an ended request is closed or complete');
  assert.equal(queriesFor({ client: '3' }).page, { client: 3 });
  assert.equal([queriesFor({ state: 'ended' }).drop, queriesFor({ state: 'ended' }).page], [null, null]);
  assert.is(queriesFor({ state: 'revoked' }).request, null);
  const ofItem = queriesFor({ item: '7' });
  assert.equal([ofItem.link, ofItem.request, ofItem.drop, ofItem.page], [{ item: 7 }, null, null, null]);
  assert.is(queriesFor({ kind: 'drop' }).link, null);
});

test('lists are merged only down to the last loaded row of an incomplete list, so that no row is inserted above a shown one', () => {
  const listOf = (kind: 'link' | 'drop', ...days: number[]) =>
    days.map((day) => {
      const entry = { id: day, created_at: `2026-11-${day}` } as never;
      return kind === 'link' ? linkEntry(entry) : dropEntry(entry);
    });
  const links = { entries: listOf('link', 20, 18, 15), ended: false };
  const drops = { entries: listOf('drop', 19, 12), ended: true };
  const keys = (...lists: (typeof links)[]) => mergeLists(lists).map(({ key }) => key);
  assert.equal(keys(links, drops), ['link-20', 'drop-19', 'link-18', 'link-15']);
  assert.is(nextToLoad([links, drops]), 0);
  const whole = { ...links, ended: true };
  assert.equal(keys(whole, drops), ['link-20', 'drop-19', 'link-18', 'link-15', 'drop-12']);
  assert.is(nextToLoad([whole, drops]), -1);
});

test('a link keeps its password if none is typed, and loses it if the user removes it', () => {
  const fields = fieldsOf(share({}));
  assert.not('password' in requestOf(fields, share({})));
  assert.is(requestOf({ ...fields, open: true }, share({})).password, null);
  assert.is(requestOf({ ...fields, password: 'another one' }, share({})).password, 'another one');
  assert.is(requestOf(defaultFields(Date.parse('2026-11-20T10:00:00Z'))).password, null);
});

test('a new link ends a week from today in India, or earlier if the firm limits the days', () => {
  const now = Date.parse('2026-11-20T20:00:00Z');
  assert.is(defaultFields(now).expires_on, '2026-11-28');
  assert.is(defaultFields(now, { days: 3 }).expires_on, '2026-11-24');
});

test('the link for one recipient can by default be opened by that address only', () => {
  const { audience, emails } = requestOf(defaultFields(0, { email: 'sharma@example.in' }));
  assert.equal([audience, emails], ['named', 'sharma@example.in']);
  assert.is(
    defaultFields(0, { email: null }).audience,
    'anyone',
    'without an address anyone can open the link',
  );
});

test.run();
