import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangePiece } from '#server/events/contract.ts';
import { isAffected } from './affectedLists.ts';

const test = suite('which lists a change concerns');

const inside: ChangePiece = { kind: 'items', items: [7], parents: [3], clients: [5] };
const listing = (folder: number | null, rows: number[] = [], above: number[] = [], search = '') => ({
  queryKey: ['listing', folder, null, search],
  data: { items: rows.map((id) => ({ id })), breadcrumbs: above.map((id) => ({ id })) },
});

test('the folder itself, the row of that folder, and what lies below a renamed one; no other', () => {
  assert.ok(isAffected(listing(3), [inside]));
  assert.ok(isAffected(listing(null, [3]), [inside]), 'its row counts what lies in it');
  assert.ok(isAffected(listing(9, [], [7]), [inside]), 'the way to it names what was renamed');
  assert.not.ok(isAffected(listing(4, [8], [2]), [inside]));
});

test('without ids it may be any, and a search may find anything', () => {
  assert.ok(isAffected(listing(4), [{ kind: 'items' }]));
  assert.ok(isAffected(listing(4, [], [], 'gst'), [inside]));
});

test('a client’s page hears of its own things, the list of clients not of files', () => {
  assert.ok(isAffected({ queryKey: ['client', 5], data: null }, [inside]));
  assert.not.ok(isAffected({ queryKey: ['client', 6], data: null }, [inside]));
  assert.not.ok(isAffected({ queryKey: ['clients', {}], data: null }, [inside]));
  assert.ok(isAffected({ queryKey: ['clients', {}], data: null }, [{ kind: 'clients', clients: [5] }]));
});

test('who has access follows the team, groups of clients, and an item that is moved', () => {
  const access = (kind: string) => ({ queryKey: ['access', kind, 7], data: null });
  for (const kind of ['item', 'client'])
    for (const told of ['team', 'clients'] as const) assert.ok(isAffected(access(kind), [{ kind: told }]));
  assert.ok(isAffected(access('item'), [inside]));
  assert.not.ok(isAffected(access('client'), [inside]));
  assert.ok(
    isAffected({ queryKey: ['team'], data: null }, [{ kind: 'plan' }]),
    'it says how many may work here',
  );
  assert.not.ok(isAffected({ queryKey: ['team'], data: null }, [inside]));
  assert.ok(isAffected({ queryKey: ['templates'], data: null }, [{ kind: 'templates' }]));
});

test('links to bytes are left alone, since a film must not begin anew', () => {
  assert.not.ok(isAffected({ queryKey: ['link', 7], data: null }, [inside, { kind: 'plan' }]));
});

test.run();
