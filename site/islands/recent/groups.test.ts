import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecentView } from '#server/documents/contract.ts';
import { groupByUpload } from './groups.ts';

const test = suite('the groups of recent files');

const NOW = Date.parse('2026-11-21T10:00:00Z');
const iso = (time: number) => new Date(time).toISOString();
/** `touched` and `uploaded` in minutes ago. */
const file = (id: number, parent_id: number | null, touched: number, uploaded = touched): RecentView =>
  ({
    id,
    type: 'file',
    parent_id,
    touched_at: iso(NOW - touched * 60_000),
    uploaded_at: iso(NOW - uploaded * 60_000),
  }) as RecentView;
const shape = (items: RecentView[]) =>
  groupByUpload(items).map((group) => (group.kind === 'batch' ? group.items.length : 1));

test('files of one upload in one folder are one row, so that they do not push the others out of sight', () => {
  const scans = Array.from({ length: 80 }, (_, index) => file(index + 10, 7, index * 0.05));
  assert.equal(shape([file(1, null, 0, 600), ...scans, file(2, 7, 900, 1000)]), [1, 80, 1]);
});

test('three files are not grouped, and files of different folders or uploads are in different groups', () => {
  assert.equal(shape([file(1, 7, 0), file(2, 7, 0), file(3, 7, 0)]), [1, 1, 1]);
  const inFolder7 = [1, 2, 3, 4].map((id) => file(id, 7, 0));
  const inFolder8 = [5, 6, 7, 8].map((id) => file(id, 8, 0));
  assert.equal(shape([...inFolder7, ...inFolder8]), [4, 4]);
  assert.equal(shape([...inFolder7, ...[5, 6, 7, 8].map((id) => file(id, 7, 30))]), [4, 4]);
});

test('a file that was opened after its upload has a row of its own, since users look for it', () => {
  const scans = [2, 3, 4, 5].map((id) => file(id, 7, 60));
  assert.equal(shape([file(1, 7, 0, 60), ...scans]), [1, 4]);
});

test('no files give no groups', () => assert.equal(shape([]), []));

test.run();
