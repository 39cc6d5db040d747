import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView, Sort } from '#server/documents/contract.ts';
import { nextSorting, sorted } from './order.ts';

const test = suite('sorting of the drive');

let lastId = 0;
const item = (name: string, more: Partial<ItemView> = {}): ItemView => ({
  id: (lastId += 1),
  name,
  type: 'file',
  file_type: 'pdf',
  file_size: 10,
  formatted_file_size: '10 B',
  size: '10 B',
  created_at: '2026-04-01T00:00:00.000Z',
  modified_at: '2026-04-01T00:00:00.000Z',
  uploaded_at: '2026-04-01T00:00:00.000Z',
  original_at: null,
  children_count: null,
  parent_id: null,
  client_id: null,
  client: null,
  client_name: null,
  owner_id: 1,
  owner_name: 'Asha',
  path: null,
  seal: null,
  ...more,
});
const folder = (name: string, children = 0) =>
  item(name, { type: 'folder', file_type: null, file_size: null, size: '', children_count: children });
const names = (items: ItemView[], by: Sort, descending = false) =>
  sorted(items, { by, descending }).map(({ name }) => name);

test('folders come first in every order, so that they stay where users expect them', () => {
  const items = [folder('GSTR-1'), folder('GSTR-3B'), item('a.pdf'), item('b.pdf', { file_size: 99 })];
  assert.equal(names(items, 'name'), ['GSTR-1', 'GSTR-3B', 'a.pdf', 'b.pdf']);
  assert.equal(names(items, 'name', true), ['GSTR-3B', 'GSTR-1', 'b.pdf', 'a.pdf']);
  assert.equal(names(items, 'size', true), ['GSTR-1', 'GSTR-3B', 'b.pdf', 'a.pdf']);
});

test('items that compare equal keep the order by name in which the server sent them', () => {
  const items = [item('2.pdf'), item('10.pdf'), item('11.pdf', { file_size: 1 })];
  assert.equal(names(items, 'size'), ['11.pdf', '2.pdf', '10.pdf']);
  assert.equal(names(items, 'size', true), ['2.pdf', '10.pdf', '11.pdf']);
});

test('owners sort by name and dates by time', () => {
  const items = [
    item('a', { owner_name: 'Zoya' }),
    item('b', { owner_name: 'आशा' }),
    item('c', { owner_name: 'asha' }),
  ];
  assert.equal(names(items, 'owner'), ['c', 'a', 'b']);
  const dated = [item('old', { modified_at: '2025-01-31T10:00:00.000Z' }), item('new')];
  assert.equal(names(dated, 'modified', true), ['new', 'old']);
});

test('sorting leaves the cached listing as it is', () => {
  const items = [item('a', { file_size: 2 }), item('b', { file_size: 1 })];
  sorted(items, { by: 'size', descending: false });
  sorted(items, { by: 'name', descending: true });
  assert.equal(
    items.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('dates start descending and names ascending, and a second press reverses the order', () => {
  assert.equal(nextSorting({ by: 'name', descending: false }, 'modified'), {
    by: 'modified',
    descending: true,
  });
  assert.equal(nextSorting({ by: 'modified', descending: true }, 'modified'), {
    by: 'modified',
    descending: false,
  });
  assert.equal(nextSorting({ by: 'modified', descending: true }, 'name'), { by: 'name', descending: false });
});

test.run();
