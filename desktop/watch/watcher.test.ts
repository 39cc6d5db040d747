import { appendFile, chmod, chown, mkdir, rename, rm, stat, writeFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { openStores, withFolder } from '#desktop/testing/folder.ts';
import { moveOrDelete } from './after-upload.ts';
import { checkFile } from './ready.ts';
import type { Intervals } from './watcher.ts';
import { NOT_NOTED, UNREACHABLE, LOCKED, createWatcher } from './watcher.ts';

const FAST: Intervals = {
  settle: 60,
  debounce: 10,
  scanWithEvents: 5000,
  scanWithoutEvents: 40,
  scanFull: 60_000,
};

async function watching(
  folder: string,
  work: (world: ReturnType<typeof start>) => Promise<void>,
): Promise<void> {
  await mkdir(join(folder, 'scans'), { recursive: true });
  const world = start(folder);
  try {
    await work(world);
  } finally {
    world.watcher.stop();
    world.stores.db.close();
  }
}
function start(folder: string) {
  const stores = openStores(folder);
  const watcher = createWatcher({ ...stores, ready: () => {}, changed: () => {}, intervals: FAST });
  watcher.applyFolders();
  const waiting = () =>
    stores.files
      .shown()
      .filter(({ state }) => state === 'waiting')
      .map(({ name }) => name);
  return { stores, watcher, waiting, path: join(folder, 'scans') };
}

/** Runs `work` without root, which may open every file. */
async function asSomebody(folder: string, work: () => Promise<void>): Promise<void> {
  if (process.geteuid!() !== 0) return work();
  const nobody = 65_534;
  for (const name of ['', ...(await readdir(folder, { recursive: true }))])
    await chown(join(folder, name), nobody, nobody);
  process.seteuid!(nobody);
  try {
    await work();
  } finally {
    process.seteuid!(0);
  }
}

test('a scan that is still being written waits until it stops growing', () =>
  withFolder((folder) =>
    watching(folder, async ({ stores, waiting, path }) => {
      const scan = join(path, 'scan.pdf');
      await writeFile(scan, 'page 1');
      for (let page = 2; page < 8; page += 1) {
        await until(() => stores.files.shown()[0]?.size === 6 * (page - 1));
        await appendFile(scan, `page ${page}`);
      }
      await until(() => stores.files.shown()[0]?.size === 42);
      await until(() => waiting().length === 1);
      assert.is(stores.files.shown()[0]!.size, (await stat(scan)).size);
    }),
  ));

test('a file is complete when it is not empty and has not changed between two checks', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'scan.pdf');
    await writeFile(path, '');
    const empty = await checkFile({ path, size: 0, changed_at: (await stat(path)).mtimeMs });
    assert.is(empty.is, 'growing');
    await writeFile(path, 'page 1');
    const grown = await checkFile({ path, ...empty.now });
    assert.is(grown.is, 'growing');
    assert.is((await checkFile({ path, ...grown.now })).is, 'whole');
    await rm(path);
    assert.is((await checkFile({ path, ...grown.now })).is, 'gone');
  }));

test('a locked file waits with a message, does not delay other files, and is ready once it is unlocked', () =>
  withFolder((folder) =>
    watching(folder, async ({ stores, waiting, path }) => {
      const locked = join(path, 'accounts.xlsx');
      // Windows fails to open a locked file; here nobody may read it, from the moment that it is there.
      await writeFile(join(folder, 'accounts.xlsx'), 'open in Excel', { mode: 0o000 });
      await asSomebody(folder, async () => {
        await rename(join(folder, 'accounts.xlsx'), locked);
        await until(() => stores.files.shown()[0]?.problem === LOCKED);
        await writeFile(join(path, 'bill.pdf'), 'a bill');
        await until(() => waiting().includes('bill.pdf'));
        assert.equal(waiting(), ['bill.pdf']);
        await chmod(locked, 0o600);
        await until(() => waiting().length === 2);
      });
    }),
  ));

test('files are still checked after the queue could not be written, as on a full disk', () =>
  withFolder((folder) =>
    watching(folder, async ({ stores: { db, files }, waiting, path }) => {
      let failed = 0;
      db.function('fail', () => {
        failed += 1;
        throw new Error('database or disk is full');
      });
      db.exec('CREATE TEMP TRIGGER full BEFORE UPDATE ON files BEGIN SELECT fail(); END');
      await writeFile(join(path, 'scan.pdf'), 'page 1');
      await until(() => failed > 0);
      db.exec('DROP TRIGGER full');
      await until(() => waiting().length === 1);
      assert.is(files.shown()[0]!.name, 'scan.pdf');
    }),
  ));

test('files that are already queued still go up while new ones cannot be noted, since their upload may be what frees the disk', () =>
  withFolder((folder) =>
    watching(folder, async ({ stores: { db, watched }, watcher, waiting, path }) => {
      await writeFile(join(path, 'Form 16.pdf'), 'queued before');
      await until(() => waiting().length === 1);
      db.function('fail', () => {
        throw new Error('database or disk is full');
      });
      db.exec('CREATE TEMP TRIGGER full BEFORE INSERT ON files BEGIN SELECT fail(); END');
      await mkdir(join(path, 'GST'));
      await writeFile(join(path, 'GST/GSTR-1.pdf'), 'new');
      await until(() => watcher.problemOf(watched.id) === NOT_NOTED);
      assert.equal(watcher.unreachableFolders(), [], 'the folder itself can be reached');
      db.exec('DROP TRIGGER full');
      await until(() => waiting().length === 2);
      assert.is(watcher.problemOf(watched.id), undefined);
    }),
  ));

test('a new sub-folder is found with all files that were added at the same time', () =>
  withFolder((folder) =>
    watching(folder, async ({ waiting, path, stores }) => {
      await mkdir(join(folder, 'made/2026/March'), { recursive: true });
      for (const name of ['2026/1.pdf', '2026/March/2.pdf', '2026/March/3.bak'])
        await writeFile(join(folder, 'made', name), 'x');
      await rename(join(folder, 'made/2026'), join(path, '2026'));
      await until(() => waiting().length === 2);
      assert.equal(
        stores.files.shown().map(({ sub_path, name }) => `${sub_path}/${name}`),
        ['2026/1.pdf', '2026/March/2.pdf'],
      );
      await writeFile(join(path, '2026/March/4.pdf'), 'x');
      await until(() => waiting().length === 3);
    }),
  ));

test('the documents of a batch that was taken away are no longer tied to its folder, since the next batch may have its name', () =>
  withFolder((folder) =>
    watching(folder, async ({ waiting, path, stores: { files } }) => {
      const batch = join(path, 'Batch');
      await mkdir(batch);
      await writeFile(join(batch, '001.pdf'), 'rent agreement of Sharma Traders');
      await until(() => waiting().length === 1);
      const { id } = files.shown()[0]!;
      files.arrive(id, 5);
      files.done(id);
      await rename(batch, join(folder, 'Batch of Monday'));
      await until(() => files.find(id)!.folder === null);
      await mkdir(batch);
      await writeFile(join(batch, '001.pdf'), 'balance sheet of Patel & Sons');
      await until(() => waiting().length === 1);
      assert.is(files.shown().find(({ state }) => state === 'waiting')!.item_id, null);
    }),
  ));

test('the loss of a network share removes nothing from the queue, and its files are found again when it is back', () =>
  withFolder((folder) =>
    watching(folder, async ({ waiting, watcher, path, stores }) => {
      await writeFile(join(path, '1.pdf'), 'x');
      await until(() => waiting().length === 1);
      await rename(path, `${path}-away`);
      await until(() => watcher.problemOf(stores.watched.id) === UNREACHABLE);
      assert.equal(waiting(), ['1.pdf']);
      await rename(`${path}-away`, path);
      await writeFile(join(path, '2.pdf'), 'x');
      await until(() => waiting().length === 2);
      assert.is(watcher.problemOf(stores.watched.id), undefined);
    }),
  ));

test('a file that is deleted before it is complete is removed from the queue', () =>
  withFolder((folder) =>
    watching(folder, async ({ path, stores }) => {
      await writeFile(join(path, '1.pdf'), 'x');
      await until(() => stores.files.shown().length === 1);
      await rm(join(path, '1.pdf'));
      await until(() => stores.files.shown().length === 0);
    }),
  ));

test('an uploaded file is moved to a folder of the month, with a number if the name is taken there', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'sub'));
    const now = new Date(2026, 2, 9);
    for (const content of ['first', 'second']) {
      const path = join(folder, 'sub', 'a.pdf');
      await writeFile(path, content);
      const { size, mtimeMs: changed_at } = await stat(path);
      await moveOrDelete(
        { path: folder, after: 'move' },
        { path, size, changed_at, sub_path: 'sub', name: 'a.pdf' },
        now,
      );
    }
    assert.equal((await readdir(join(folder, 'Uploaded/2026-03/sub'))).toSorted(), ['a (2).pdf', 'a.pdf']);
    assert.equal(await readdir(join(folder, 'sub')), []);
  }));

test('a file that changed since its upload is neither moved nor deleted', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.pdf');
    await writeFile(path, 'changed meanwhile');
    for (const after of ['move', 'delete'] as const)
      await moveOrDelete(
        { path: folder, after },
        { path, size: 3, changed_at: 1, sub_path: '', name: 'a.pdf' },
      );
    assert.equal(await readdir(folder), ['a.pdf']);
  }));

test.run();
