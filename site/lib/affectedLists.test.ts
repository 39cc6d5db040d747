import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangePiece } from '#server/events/contract.ts';
import { concerned } from './affectedLists.ts';

const test = suite('which lists a change concerns');

const inside: ChangePiece = { kind: 'items', items: [7], parents: [3], clients: [5] };
const listing = (folder: number | null, rows: number[] = [], above: number[] = [], search = '') => ({
  queryKey: ['listing', folder, null, search],
  data: { items: rows.map((id) => ({ id })), breadcrumbs: above.map((id) => ({ id })) },
});

test('the folder itself, the row of that folder, and what lies below a renamed one; no other', () => {
  assert.ok(concerned(listing(3), [inside]));
  assert.ok(concerned(listing(null, [3]), [inside]), 'its row counts what lies in it');
  assert.ok(concerned(listing(9, [], [7]), [inside]), 'the way to it names what was renamed');
  assert.not.ok(concerned(listing(4, [8], [2]), [inside]));
});

test('without ids it may be any, and a search may find anything', () => {
  assert.ok(concerned(listing(4), [{ kind: 'items' }]));
  assert.ok(concerned(listing(4, [], [], 'gst'), [inside]));
});

test('a client’s page hears of its own things, the list of clients not of files', () => {
  assert.ok(concerned({ queryKey: ['client', 5], data: null }, [inside]));
  assert.not.ok(concerned({ queryKey: ['client', 6], data: null }, [inside]));
  assert.not.ok(concerned({ queryKey: ['clients', {}], data: null }, [inside]));
  assert.ok(concerned({ queryKey: ['clients', {}], data: null }, [{ kind: 'clients', clients: [5] }]));
});

test('who has access follows the team, groups of clients, and an item that is moved', () => {
  const access = (kind: string) => ({ queryKey: ['access', kind, 7], data: null });
  for (const kind of ['item', 'client'])
    for (const told of ['team', 'clients'] as const) assert.ok(concerned(access(kind), [{ kind: told }]));
  assert.ok(concerned(access('item'), [inside]));
  assert.not.ok(concerned(access('client'), [inside]));
  assert.ok(
    concerned({ queryKey: ['team'], data: null }, [{ kind: 'plan' }]),
    'it says how many may work here',
  );
  assert.not.ok(concerned({ queryKey: ['team'], data: null }, [inside]));
  assert.ok(concerned({ queryKey: ['templates'], data: null }, [{ kind: 'templates' }]));
});

test('links to bytes are left alone, since a film must not begin anew', () => {
  assert.not.ok(concerned({ queryKey: ['link', 7], data: null }, [inside, { kind: 'plan' }]));
});

test.run();
