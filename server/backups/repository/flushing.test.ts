import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFlushing } from './flushing.ts';

const scratch = () => mkdtemp(join(tmpdir(), 'almirah-flushing-'));

const errorOf = (work: Promise<void>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => error.message,
  );

test('a file is renamed only after its bytes were flushed, and no file after one that could not be flushed', async () => {
  const root = await scratch();
  const flushing = createFlushing(() => Promise.resolve());
  const renamedBeforeFlush: string[] = [];
  async function add(name: string, fails = false): Promise<void> {
    const [incoming, path] = [join(root, `${name}.new`), join(root, name)];
    const file = await open(incoming, 'wx');
    await file.writeFile(name);
    const datasync = file.datasync.bind(file);
    file.datasync = async () => {
      if (existsSync(path)) renamedBeforeFlush.push(name);
      await datasync();
      if (fails) throw new Error('the disk is broken');
    };
    await flushing.add({ file, incoming, path });
  }
  try {
    for (let n = 0; n < 150; n += 1) await add(`${n}`);
    await flushing.settle();
    assert.is((await readdir(root)).filter((name) => !name.endsWith('.new')).length, 150);
    assert.equal(renamedBeforeFlush, []);
    await add('broken', true);
    assert.is(await errorOf(flushing.settle()), 'the disk is broken');
    await add('after');
    assert.is(await errorOf(flushing.settle()), 'the disk is broken');
    assert.equal([existsSync(join(root, 'broken')), existsSync(join(root, 'after'))], [false, false]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test('no file is renamed if another file system is mounted at the place by then', async () => {
  const root = await scratch();
  const flushing = createFlushing(() => Promise.reject(new Error('the share is gone')));
  const incoming = join(root, 'a.new');
  await flushing.add({ file: await open(incoming, 'wx'), incoming, path: join(root, 'a') });
  assert.is(await errorOf(flushing.settle()), 'the share is gone');
  assert.equal(await readdir(root), ['a.new']);
  await rm(root, { recursive: true });
});

test.run();
