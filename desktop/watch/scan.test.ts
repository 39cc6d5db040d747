import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SeenFile } from '#desktop/queue/files.ts';
import { withFolder } from '#desktop/testing/folder.ts';
import { createExclusion } from './patterns.ts';
import { scan } from './scan.ts';

async function scanned(path: string, more: Partial<Parameters<typeof scan>[0]> = {}) {
  const found: SeenFile[] = [];
  const result = await scan({
    path,
    deep: true,
    isExcluded: createExclusion([]),
    onFiles: (batch) => found.push(...batch),
    ...more,
  });
  return { ...result, names: found.map((one) => [one.sub_path, one.path.slice(path.length + 1)]).toSorted() };
}

test('a scan finds every file with its sub-path, but no empty files, links or excluded files', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await mkdir(join(folder, 'Uploaded'));
    for (const name of ['1.pdf', 'a/2.pdf', 'a/b/3.pdf', 'a/~$x.xlsx', 'Uploaded/4.pdf'])
      await writeFile(join(folder, name), 'x');
    await writeFile(join(folder, 'empty.pdf'), '');
    await symlink('/etc/hostname', join(folder, 'link.pdf'));
    assert.equal((await scanned(folder)).names, [
      ['', '1.pdf'],
      ['a', 'a/2.pdf'],
      ['a/b', 'a/b/3.pdf'],
    ]);
    assert.equal((await scanned(folder, { deep: false })).names, [['', '1.pdf']]);
  }));

test('unchanged folders are not read again, but their sub-folders are checked', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'a/b'), { recursive: true });
    for (const name of ['1.pdf', 'a/2.pdf', 'a/b/3.pdf']) await writeFile(join(folder, name), 'x');
    const old = new Date(Date.now() - 60_000);
    for (const one of ['a/b', 'a', '']) await utimes(join(folder, one), old, old);
    const first = await scanned(folder);
    assert.is(first.files, 3);
    assert.equal((await scanned(folder, { unchanged: first.folders })).names, []);
    await writeFile(join(folder, 'a/b/4.pdf'), 'x');
    const later = await scanned(folder, { unchanged: first.folders });
    assert.equal(later.names, [
      ['a/b', 'a/b/3.pdf'],
      ['a/b', 'a/b/4.pdf'],
    ]);
    assert.equal(later.folders.size, 3, 'every folder is still known');
  }));

test('a sub-folder that was deleted meanwhile is skipped, but a missing share is an error and not taken for an empty folder', () =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'gone'));
    await writeFile(join(folder, '1.pdf'), 'x');
    const { names } = await scanned(folder, {
      onEnter: (one) => one.endsWith('gone') && void rm(one, { recursive: true }),
    });
    assert.equal(names, [['', '1.pdf']]);
    await scanned(join(folder, 'away')).then(
      () => assert.unreachable(),
      () => {},
    );
  }));

test.run();
