import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestSummary } from '#server/requests/contract.ts';
import type { Filters } from './filters.ts';
import { NO_FILTERS, addressOf, filtersAt, shownOf } from './filters.ts';

test('filters written to the address are read back unchanged, or Back and a bookmark would show another list', () => {
  const chosen: Filters = { state: 'all', waiting: 'new', client: '3', search: 'rao itr', sort: 'client' };
  assert.equal(filtersAt(new URL(addressOf(chosen), 'http://a')), chosen);
  assert.is(addressOf(NO_FILTERS), '/requests');
  assert.equal(filtersAt(new URL('http://a/requests?state=x&waiting=y&client=-1&sort=z')), NO_FILTERS);
});

test('requests with unopened documents can be listed alone and first, since they wait in the middle of those due first', () => {
  const request = (id: number, name: string, fresh: number) =>
    ({ id, client: { id, name }, title: 'ITR', fresh, waiting_for: 'client' }) as RequestSummary;
  const all = [request(1, 'Sharma', 0), request(2, 'Rao', 1), request(3, 'Iyer', 0)];
  const ids = (part: Partial<Filters>) => shownOf(all, { ...NO_FILTERS, ...part }).map(({ id }) => id);
  assert.equal(ids({}), [1, 2, 3]);
  assert.equal(ids({ sort: 'new' }), [2, 1, 3]);
  assert.equal(ids({ sort: 'client' }), [3, 2, 1]);
  assert.equal(ids({ waiting: 'new' }), [2]);
  assert.equal(ids({ search: 'itr SHAR' }), [1]);
});

test('a request in which the office has something to check is among those that wait for it, also while the client is asked for more', () => {
  const request = (id: number, waiting_for: 'client' | 'office', to_judge: number) =>
    ({ id, client: { id, name: 'Rao' }, title: 'ITR', waiting_for, to_judge }) as RequestSummary;
  const all = [request(1, 'client', 0), request(2, 'client', 1), request(3, 'office', 1)];
  const ids = (waiting: Filters['waiting']) => shownOf(all, { ...NO_FILTERS, waiting }).map(({ id }) => id);
  assert.equal(ids('office'), [2, 3]);
  assert.equal(ids('client'), [1, 2]);
});

test('a request is found by the number of its last receipt, which the client quotes also after something was sent back', () => {
  const request = (id: number, receipt: string | null) =>
    ({ id, client: { id, name: 'Rao' }, title: 'ITR', done: null, receipt }) as RequestSummary;
  const shown = shownOf([request(1, null), request(2, 'S7V9-GW9T')], { ...NO_FILTERS, search: 's7v9' });
  assert.equal(
    shown.map(({ id }) => id),
    [2],
  );
});

test.run();
