import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntriesView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { crumbsTo, folderOf, itemsOf, requestFor } from './entries.ts';

const test = suite('what is chosen of an archive');
const page = (...paths: string[]) =>
  ({ entries: paths.map((path) => ({ path, name: path, type: 'file' })) }) as unknown as EntriesView;
const items = itemsOf([page('GST/a.pdf', 'GST/b.pdf'), page('GST/c.pdf')], { id: 7 } as ItemView);

test('the rows of all its parts have ids that no item of the drive has', () => {
  assert.equal(
    items.map(({ id }) => id),
    [-1, -2, -3],
  );
});

test('some entries are asked for by their paths, a whole folder as itself, and everything as nothing', () => {
  const at = { path: 'GST', search: '', total: 3 };
  assert.equal(requestFor(items.slice(1), at), { entries: ['GST/b.pdf', 'GST/c.pdf'] });
  assert.equal(requestFor(items, at), { entries: ['GST'] });
  assert.equal(requestFor(items, { ...at, path: '' }), {});
  assert.equal(requestFor([], at), {}, 'nothing chosen means all');
});

test('all that was found is still only what was found', () => {
  const wish = requestFor(items, { path: 'GST', search: 'pdf', total: 3 });
  assert.is(wish.entries?.length, 3);
});

test('the top holds what has no folder', () => {
  assert.is(folderOf('a.pdf'), '');
  assert.is(folderOf('GST/2026/a.pdf'), 'GST/2026');
});

test('the way to a folder keeps its beginning and its end', () => {
  const names = (path: string) => crumbsTo(path, '/').map(({ name }) => name);
  assert.equal(names(''), ['Contents']);
  assert.equal(names('a/b/c'), ['Contents', 'a', 'b', 'c']);
  assert.equal(names('a/b/c/d/e'), ['Contents', '…', 'd', 'e']);
  assert.is(crumbsTo('a/b/c/d/e', '/')[1]?.id, 'a/b/c', 'the dots lead to what they stand for');
});

test.run();
