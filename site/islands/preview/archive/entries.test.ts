import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntriesView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { crumbsTo, folderOf, itemsOf, requestFor } from './entries.ts';

const test = suite('selected entries of an archive');
const page = (...paths: string[]) =>
  ({ entries: paths.map((path) => ({ path, name: path, type: 'file' })) }) as unknown as EntriesView;
const items = itemsOf([page('GST/a.pdf', 'GST/b.pdf'), page('GST/c.pdf')], { id: 7 } as ItemView);

test('entries of all loaded pages have negative ids, which no item of the drive has', () => {
  assert.equal(
    items.map(({ id }) => id),
    [-1, -2, -3],
  );
});

test('some entries are requested by their paths, a whole folder by its own path, and the whole archive without paths', () => {
  const listing = { path: 'GST', search: '', total: 3 };
  assert.equal(requestFor(items.slice(1), listing), { entries: ['GST/b.pdf', 'GST/c.pdf'] });
  assert.equal(requestFor(items, listing), { entries: ['GST'] });
  assert.equal(requestFor(items, { ...listing, path: '' }), {});
  assert.equal(requestFor([], listing), {}, 'no selection means the whole archive');
});

test('if all results of a search are selected, only these are requested', () => {
  const request = requestFor(items, { path: 'GST', search: 'pdf', total: 3 });
  assert.is(request.entries?.length, 3);
});

test('an entry without a folder is at the top', () => {
  assert.is(folderOf('a.pdf'), '');
  assert.is(folderOf('GST/2026/a.pdf'), 'GST/2026');
});

test('long breadcrumbs are shortened in the middle', () => {
  const names = (path: string) => crumbsTo(path, '/').map(({ name }) => name);
  assert.equal(names(''), ['Contents']);
  assert.equal(names('a/b/c'), ['Contents', 'a', 'b', 'c']);
  assert.equal(names('a/b/c/d/e'), ['Contents', '…', 'd', 'e']);
  assert.is(crumbsTo('a/b/c/d/e', '/')[1]?.id, 'a/b/c', 'the dots link to the last folder that they replace');
});

test.run();
