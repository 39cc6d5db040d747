import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChangePiece } from '#server/events/contract.ts';
import { isAffected } from './affectedLists.ts';

const test = suite('lists affected by a change');

const inside: ChangePiece = { kind: 'items', items: [7], parents: [3], clients: [5] };
const listing = (folder: number | null, rows: number[] = [], above: number[] = [], search = '') => ({
  queryKey: ['listing', folder, null, search],
  data: { items: rows.map((id) => ({ id })), breadcrumbs: above.map((id) => ({ id })) },
});

test('a change in a folder affects its listing, the row of that folder, and listings below a changed folder, but no others', () => {
  assert.ok(isAffected(listing(3), [inside]));
  assert.ok(isAffected(listing(null, [3]), [inside]), 'its row shows the number of its items');
  assert.ok(isAffected(listing(9, [], [7]), [inside]), 'its breadcrumbs name the renamed folder');
  assert.not.ok(isAffected(listing(4, [8], [2]), [inside]));
});

test('a change without ids affects every listing, and a change of any item affects every search', () => {
  assert.ok(isAffected(listing(4), [{ kind: 'items' }]));
  assert.ok(isAffected(listing(4, [], [], 'gst'), [inside]));
});

test('a change of files affects the page of its client, and not the list of clients', () => {
  assert.ok(isAffected({ queryKey: ['client', 5], data: null }, [inside]));
  assert.not.ok(isAffected({ queryKey: ['client', 6], data: null }, [inside]));
  assert.not.ok(isAffected({ queryKey: ['clients', {}], data: null }, [inside]));
  assert.ok(isAffected({ queryKey: ['clients', {}], data: null }, [{ kind: 'clients', clients: [5] }]));
});

test('changes of the team, clients and items affect access lists; changes of the plan affect the team page', () => {
  const access = (kind: string) => ({ queryKey: ['access', kind, 7], data: null });
  for (const kind of ['item', 'client'])
    for (const changed of ['team', 'clients'] as const)
      assert.ok(isAffected(access(kind), [{ kind: changed }]));
  assert.ok(isAffected(access('item'), [inside]));
  assert.not.ok(isAffected(access('client'), [inside]));
  assert.ok(
    isAffected({ queryKey: ['team'], data: null }, [{ kind: 'plan' }]),
    'the team page shows how many users the plan allows',
  );
  assert.not.ok(isAffected({ queryKey: ['team'], data: null }, [inside]));
  assert.ok(isAffected({ queryKey: ['templates'], data: null }, [{ kind: 'templates' }]));
});

test('download links are never affected, since a new link would restart a playing video', () => {
  assert.not.ok(isAffected({ queryKey: ['link', 7], data: null }, [inside, { kind: 'plan' }]));
});

test.run();
