import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Engine } from '#desktop/engine.ts';
import { startEngine } from '#desktop/engine.ts';
import { PAIRED, withFolder } from '#desktop/testing/folder.ts';
import { drawnIcon } from './icons.ts';
import { MARKS, trayStateOf } from './picture.ts';

/** A program paired with an unreachable vault, with two dropped files in its queue. */
const withEngine = (work: (engine: Engine, vault: number) => Promise<void> | void) =>
  withFolder(async (folder) => {
    const engine = await startEngine({
      dir: join(folder, 'program'),
      program: { version: '1.0.0', platform: 'win-x64' },
    });
    try {
      assert.equal(trayStateOf(engine), {
        mark: 'idle',
        line: 'Not connected with a vault yet',
        paused: false,
      });
      const { id: vault } = engine.vaults.save('http://127.0.0.1:1', PAIRED);
      for (const name of ['one.pdf', 'two.pdf']) {
        const path = join(folder, name);
        await writeFile(path, name);
        engine.files.drop(
          { vault, parent_id: null, target: 'My Drive' },
          { path, size: 7, name, changed_at: 1 },
        );
      }
      await work(engine, vault);
    } finally {
      await engine.stop();
    }
  });

test('the tray icon and its text show how many files are left, that uploads are paused, and that everything is uploaded', () =>
  withEngine(async (engine) => {
    assert.equal(trayStateOf(engine), { mark: 'working', line: '2 left', paused: false });
    await engine.pause(true);
    assert.equal(trayStateOf(engine), { mark: 'paused', line: 'Paused: 2 left', paused: true });
    await engine.pause(false);
    for (const { id } of engine.files.shown()) engine.files.done(id);
    assert.equal(trayStateOf(engine), { mark: 'idle', line: 'Everything is uploaded', paused: false });
  }));

test('the tray text reports failed files and an ended pairing, and is at most 100 characters long, since Windows cuts longer texts', () =>
  withEngine((engine, vault) => {
    const [one, two] = engine.files.shown();
    engine.files.fail(one!.id, 'refused');
    assert.is(trayStateOf(engine).line, '1 left, 1 file not uploaded');
    engine.files.done(two!.id);
    assert.equal(trayStateOf(engine), { mark: 'problem', line: '1 file not uploaded', paused: false });
    engine.vaults.end(vault);
    assert.equal(trayStateOf(engine).line, 'Rao & Co: Connect this computer again.');
    const folder = { vault, path: join('/long', 'x'.repeat(200)), parent_id: null, client_id: null };
    const { id } = engine.folders.add({
      ...folder,
      target: 'My Drive',
      sub_folders: 'keep',
      leave_out: [],
      after: 'leave',
    });
    engine.folders.trouble(id, 'This folder is gone.');
    engine.vaults.remove(vault);
    assert.ok(trayStateOf(engine).line.length <= 100);
  }));

test('each status has a different tray icon', () => {
  const drawn = MARKS.map((mark) => drawnIcon('<svg></svg>', mark));
  assert.is(new Set(drawn).size, MARKS.length);
  for (const one of drawn) assert.match(one, /^<svg>.*<\/svg>$/);
});

test.run();
