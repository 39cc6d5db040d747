import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView } from '#server/documents/contract.ts';
import type { Dragged } from './dropTarget.ts';
import { dropTargetAt } from './dropTarget.ts';
import type { DriveLocation } from '../../lib/driveLocation.ts';

const test = suite('drop targets');

const ROOT: DriveLocation = { folderId: null, client: null, search: '', previewId: null, highlightId: null };
const item = (id: number, name: string, more: Partial<ItemView> = {}) =>
  ({ id, name, type: 'folder', parent_id: null, path: null, ...more }) as ItemView;
const bill = item(1, 'Bill.pdf', { type: 'file' });
const audit = item(2, 'Audit');
const dragged = (items: readonly ItemView[], from = ROOT): Dragged => ({ items, from });
const nothing = { row: undefined, crumb: undefined };
const here = { place: ROOT, name: 'My Drive' };

test('files from outside are dropped into the folder under the pointer, otherwise into the open folder', () => {
  assert.is(dropTargetAt({ ...nothing, row: audit }, null, here)?.folderId, 2);
  assert.is(dropTargetAt({ ...nothing, row: bill }, null, here)?.name, 'My Drive');
});

test('items dropped on no folder are not moved within their own listing, but are moved into a folder that opened during the drag', () => {
  assert.is(dropTargetAt({ ...nothing, row: bill }, dragged([item(3, 'Demat.pdf')]), here), null);
  const inside = { place: { ...ROOT, folderId: 2 }, name: 'Audit' };
  assert.is(dropTargetAt(nothing, dragged([bill]), inside)?.folderId, 2);
  // Search results are in many folders, and the user did not point at the open one.
  const search = { ...ROOT, search: 'bill' };
  const draggedResult = dragged([item(4, 'Bill.pdf', { parent_id: 9, path: 'Deep' })], search);
  assert.is(dropTargetAt(nothing, draggedResult, { place: search, name: 'My Drive' }), null);
});

test('a folder cannot be moved into itself or into a folder inside it', () => {
  assert.is(dropTargetAt({ ...nothing, row: audit }, dragged([audit, bill]), here), null);
  const searchResult = item(2, 'Audit', { path: 'Clients' });
  const below = item(5, 'Notes', { path: 'Clients / Audit / 2026' });
  const beside = item(6, 'Notes', { path: 'Clients / Auditors' });
  assert.is(dropTargetAt({ ...nothing, row: below }, dragged([searchResult]), here), null);
  assert.is(dropTargetAt({ ...nothing, row: beside }, dragged([searchResult]), here)?.folderId, 6);
});

test('the folder that already contains the item is no drop target', () => {
  const inside = item(7, 'Bill.pdf', { parent_id: 2 });
  const place = { ...ROOT, folderId: 2 };
  const under = (id: number, name: string) => ({ ...nothing, crumb: { id, name } });
  assert.is(dropTargetAt(under(2, 'Audit'), dragged([inside], place), { place, name: 'Audit' }), null);
  assert.is(
    dropTargetAt(under(0, 'My Drive'), dragged([inside], place), { place, name: 'Audit' })?.folderId,
    null,
  );
});

test.run();
