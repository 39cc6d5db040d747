import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView } from '#server/documents/contract.ts';
import { createFolders } from './folders.ts';

const test = suite('folders of an upload');

const taken = Object.assign(new Error('There is already a folder of this name.'), { status: 422 });

/** A server with the folders in `existing`, which records the folders that it is asked to create. */
function createTestServer(existing: { id: number; name: string; parent: number | null }[] = []) {
  const created: string[] = [];
  let broken = false;
  const place = createFolders({
    create: async (name, parent) => {
      await Promise.resolve();
      if (broken) throw new Error('Network error');
      if (
        existing.some(
          (folder) => folder.parent === parent && folder.name.toLowerCase() === name.toLowerCase(),
        )
      )
        throw taken;
      created.push(name);
      const folder = { id: 100 + created.length, name, parent };
      existing.push(folder);
      return folder as unknown as ItemView;
    },
    list: async (parent) => ({
      items: existing
        .filter((folder) => folder.parent === parent)
        .map((folder) => ({ ...folder, type: 'folder' }) as unknown as ItemView),
      breadcrumbs: [],
      next_cursor: null,
    }),
  });
  return { place, created, setBroken: (value: boolean) => (broken = value) };
}

test('a folder that many files need at the same time is created once', async () => {
  const { place, created } = createTestServer();
  const ids = await Promise.all(Array.from({ length: 20 }, () => place(null, ['GST', 'April'])));
  assert.equal(created, ['GST', 'April']);
  assert.is(new Set(ids).size, 1);
});

test('an existing folder is used, whatever the case of its name', async () => {
  const { place, created } = createTestServer([{ id: 5, name: 'gst', parent: 2 }]);
  assert.is(await place(2, ['GST']), 5);
  assert.equal(created, []);
});

test('a file without folders goes to the target folder', async () => {
  const { place } = createTestServer();
  assert.is(await place(9, []), 9);
  assert.is(await place(null, []), null);
});

test('a failure is reported and not cached: the next try creates the folder', async () => {
  const { place, setBroken } = createTestServer();
  setBroken(true);
  await place(null, ['GST']).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'Network error'),
  );
  setBroken(false);
  assert.is(await place(null, ['GST']), 101);
});

test.run();
