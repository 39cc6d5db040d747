import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView } from '#server/documents/contract.ts';
import { createFolders } from './folders.ts';

const test = suite('uploads folders');

const taken = Object.assign(new Error('There is already a folder of this name.'), { status: 422 });

/** A server with a few folders in it, which counts what it is asked to make. */
function world(there: { id: number; name: string; parent: number | null }[] = []) {
  const made: string[] = [];
  let broken = false;
  const place = createFolders({
    create: async (name, parent) => {
      await Promise.resolve();
      if (broken) throw new Error('Network error');
      if (
        there.some((folder) => folder.parent === parent && folder.name.toLowerCase() === name.toLowerCase())
      )
        throw taken;
      made.push(name);
      const folder = { id: 100 + made.length, name, parent };
      there.push(folder);
      return folder as unknown as ItemView;
    },
    list: async (parent) => ({
      items: there
        .filter((folder) => folder.parent === parent)
        .map((folder) => ({ ...folder, type: 'folder' }) as unknown as ItemView),
      breadcrumbs: [],
      next_cursor: null,
    }),
  });
  return { place, made, breakDown: (now: boolean) => (broken = now) };
}

test('a folder that many files need at the same time is created once', async () => {
  const { place, made } = world();
  const ids = await Promise.all(Array.from({ length: 20 }, () => place(null, ['GST', 'April'])));
  assert.equal(made, ['GST', 'April']);
  assert.is(new Set(ids).size, 1);
});

test('an existing folder is used, whatever the case of its name', async () => {
  const { place, made } = world([{ id: 5, name: 'gst', parent: 2 }]);
  assert.is(await place(2, ['GST']), 5);
  assert.equal(made, []);
});

test('a file without folders goes to the target folder', async () => {
  const { place } = world();
  assert.is(await place(9, []), 9);
  assert.is(await place(null, []), null);
});

test('a failure is reported and not cached: the next try creates the folder', async () => {
  const { place, breakDown } = world();
  breakDown(true);
  await place(null, ['GST']).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'Network error'),
  );
  breakDown(false);
  assert.is(await place(null, ['GST']), 101);
});

test.run();
