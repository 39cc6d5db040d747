import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REBUILD } from './build-sqlite.mjs';
import { isDone, once, tooOld } from './prepare.mjs';

interface Tree {
  folder: string;
  built: number;
  build(): void;
}

const test = suite<Tree>('building once');
test.before.each(async (tree) => {
  tree.folder = await mkdtemp(join(tmpdir(), 'almirah-prepare-'));
  await mkdir(join(tree.folder, 'site/pages'), { recursive: true });
  await writeFile(join(tree.folder, 'site/pages/a.ts'), 'one');
  await writeFile(join(tree.folder, 'lock.json'), '{}');
  tree.built = 0;
  tree.build = () => once('stamp', ['site', 'lock.json', 'not there'], () => (tree.built += 1), tree.folder);
  tree.build();
  assert.is(tree.built, 1);
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

test('unchanged files are not built again', (tree) => {
  tree.build();
  assert.is(tree.built, 1);
});

test('a file with a new date but the same content is not built again, as after switching branches', async (tree) => {
  await utimes(join(tree.folder, 'site/pages/a.ts'), 1, 1);
  tree.build();
  tree.build();
  assert.is(tree.built, 1);
});

test('a file with changed content is built again, even with the same size and date', async (tree) => {
  const file = join(tree.folder, 'site/pages/a.ts');
  await utimes(file, 1, 1);
  tree.build();
  await writeFile(file, 'two');
  await utimes(file, 1, 1);
  tree.build();
  assert.is(tree.built, 2);
});

test('after a file is added, removed or renamed, the build runs again', async (tree) => {
  const [from, to] = ['a.ts', 'b.ts'].map((name) => join(tree.folder, 'site/pages', name)) as [
    string,
    string,
  ];
  await rename(from, to);
  tree.build();
  await writeFile(from, '');
  tree.build();
  await rm(to);
  tree.build();
  assert.is(tree.built, 4);
});

test('after a test is changed nothing is built, since nothing is built of it', async (tree) => {
  await writeFile(join(tree.folder, 'site/pages/a.test.ts'), 'one');
  await mkdir(join(tree.folder, 'site/testing'));
  await writeFile(join(tree.folder, 'site/testing/kit.ts'), 'one');
  tree.build();
  assert.is(tree.built, 1);
});

test('what was built counts for the same content, also where the note of a touched file cannot be written', async (tree) => {
  const done = () => isDone('stamp', ['site', 'lock.json', 'not there'], tree.folder);
  assert.ok(done());
  await utimes(join(tree.folder, 'site/pages/a.ts'), 1, 1);
  await mkdir(join(tree.folder, 'stamp.new'));
  assert.ok(done(), 'it would be written there first');
  await writeFile(join(tree.folder, 'site/pages/a.ts'), 'two');
  assert.not(done());
  assert.is(tree.built, 1);
});

test('a failed build is tried again', async (tree) => {
  await writeFile(join(tree.folder, 'lock.json'), '{ }');
  const fail = () => {
    throw new Error('no room');
  };
  assert.throws(() => once('stamp', ['site', 'lock.json', 'not there'], fail, tree.folder), 'no room');
  tree.build();
  assert.is(tree.built, 2);
});

test('a stamp of an older version, with the content hash only, is accepted', async (tree) => {
  const stamp = join(tree.folder, 'stamp');
  const [content = ''] = (await readFile(stamp, 'utf8')).split('\n');
  await writeFile(stamp, content);
  tree.build();
  assert.is(tree.built, 1);
});

test('npm runs the install scripts that are named, without a warning, and says why one fails', async ({
  folder,
}) => {
  const packages = { name: 'vault', version: '1.0.0', dependencies: { built: '1.0.0' } };
  const built = {
    name: 'built',
    version: '1.0.0',
    scripts: { install: 'node -e "process.exit(+process.env.CODE)"' },
  };
  await mkdir(join(folder, 'node_modules/built'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(packages));
  await writeFile(join(folder, 'node_modules/built/package.json'), JSON.stringify(built));
  await writeFile(join(folder, '.npmrc'), await readFile(join(import.meta.dirname, '../../.npmrc')));
  const rebuild = (CODE: string) => {
    const env = { ...process.env, CODE };
    const { status, stderr } = spawnSync('npm', [...REBUILD, 'built'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  assert.equal(rebuild('0'), { status: 0, stderr: '' });
  const failed = rebuild('3');
  assert.is(failed.status, 3);
  assert.match(failed.stderr, /npm error code 3/);
});

test('a version of Node that is too old is refused with the command that installs a newer one', () => {
  // The versions of Debian 12 and Ubuntu 24.04, and the last ones too old for the builder of the pages.
  for (const version of ['18.20.4', '18.19.1', '20.18.3', '21.7.3', '22.11.0'])
    assert.match(tooOld(version)!, /npm install -g node@24/, version);
  for (const version of ['20.19.0', '22.12.0', '23.1.0', '24.21.0', '26.0.0'])
    assert.is(tooOld(version), null, version);
});

test.run();
