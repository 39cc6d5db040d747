import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startEngine } from './engine.ts';
import { PAIRED, withFolder } from './testing/folder.ts';

/** An engine that is connected with nothing, and a way to queue a file whose upload was refused. */
async function withEngine(
  work: (
    engine: Awaited<ReturnType<typeof startEngine>>,
    queueRefused: (path: string) => Promise<number>,
  ) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const engine = await startEngine({
      dir: join(folder, 'program'),
      program: { version: '1.0.0', platform: 'linux-x64' },
    });
    const vault = engine.vaults.save('http://127.0.0.1:1', PAIRED).id;
    try {
      await work(engine, async (path) => {
        await writeFile(path, 'a drawing');
        const { size, mtimeMs: changed_at } = await stat(path);
        const target = { vault, parent_id: null, target: 'My Drive' };
        engine.files.drop(target, { path, size, changed_at, name: 'plan.dwg' });
        const { id } = engine.files.shown().find((file) => file.path === path)!;
        engine.files.fail(id, 'Files of this type are not taken.');
        return id;
      });
    } finally {
      await engine.stop();
    }
  });
}

test('removing a file from the queue deletes it only if it is the program’s copy of a dropped file, since any other is the user’s own', () =>
  withEngine(async (engine, queueRefused) => {
    const [own, theirs] = [join(engine.drops, '5e1d'), join(engine.dir, '../plan.dwg')];
    for (const path of [own, theirs]) await engine.skip(await queueRefused(path));
    assert.equal(engine.files.shown(), []);
    assert.not(existsSync(own));
    assert.ok(existsSync(theirs));
  }));

test('an uploaded file outside every watched folder is deleted only if it is the program’s copy of a dropped file', () =>
  withEngine(async (engine, queueRefused) => {
    const [own, theirs] = [join(engine.drops, '5e1d'), join(engine.dir, '../plan.dwg')];
    for (const path of [own, theirs]) engine.files.arrive(await queueRefused(path), 5);
    await engine.sender.checkVaults();
    assert.ok(existsSync(own), 'kept until the vault has said that it was not restored from a backup');
    for (const { id } of engine.vaults.all()) engine.vaults.end(id);
    await engine.sender.checkVaults();
    assert.equal(
      engine.files.shown().map(({ state }) => state),
      ['done', 'done'],
    );
    assert.not(existsSync(own));
    assert.ok(existsSync(theirs));
  }));

test('a file that changed between its last byte and the answer of the vault is queued again at once, and not only after the next full scan', () =>
  withFolder(async (folder) => {
    const scans = join(folder, 'scans');
    await mkdir(scans);
    const engine = await startEngine({
      dir: join(folder, 'program'),
      program: { version: '1.0.0', platform: 'linux-x64' },
    });
    try {
      const vault = engine.vaults.save('http://127.0.0.1:1', PAIRED).id;
      // The watcher is not told of the folder, so that no scan finds the change.
      const watched = engine.folders.add({
        vault,
        path: scans,
        parent_id: null,
        client_id: null,
        target: 'Scans',
        sub_folders: 'keep',
        leave_out: [],
        after: 'delete',
      });
      const path = join(scans, 'Day book April 2026.csv');
      await writeFile(path, 'first entry');
      const { size, mtimeMs: changed_at } = await stat(path);
      engine.files.record(watched, [{ path, sub_path: '', size, changed_at }]);
      const { id } = engine.files.shown()[0]!;
      engine.files.arrive(id, 5);
      await writeFile(path, 'first entry, second entry');
      engine.vaults.end(vault);
      await engine.sender.checkVaults();
      const again = engine.files.find(id)!;
      assert.equal([again.state, again.size, again.item_id], ['settling', 25, 5]);
      assert.ok(existsSync(path));
    } finally {
      await engine.stop();
    }
  }));

test.run();
