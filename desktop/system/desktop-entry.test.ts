import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withFolder } from '#desktop/testing/folder.ts';
import { autostartOf } from './autostart.ts';
import { addToMenu } from './desktop-entry.ts';

const PROGRAM = '/home/asha/My "tools" 100%/almirah-uploader';

test('the Linux menu entry starts the program from its current path and has its icon', () =>
  withFolder(async (folder) => {
    const env = { XDG_DATA_HOME: join(folder, 'share') };
    const enter = (program: string) => addToMenu(program, { dir: folder, icon: '<svg/>', env });
    await enter('/opt/old');
    await enter(PROGRAM);
    const path = join(folder, 'share/applications/almirah-uploader.desktop');
    const entry = await readFile(path, 'utf8');
    assert.match(entry, 'Exec="/home/asha/My \\\\"tools\\\\" 100%%/almirah-uploader"\n');
    assert.match(entry, `Icon=${join(folder, 'icon.svg')}\n`);
    assert.is(await readFile(join(folder, 'icon.svg'), 'utf8'), '<svg/>');
    const { mtimeMs } = await stat(path);
    await enter(PROGRAM);
    assert.is((await stat(path)).mtimeMs, mtimeMs, 'what is right is left alone');
  }));

test('start at login opens no window and can be switched off', () =>
  withFolder(async (folder) => {
    if (process.platform !== 'linux') return;
    const autostart = autostartOf(PROGRAM, { XDG_CONFIG_HOME: folder })!;
    assert.is(await autostart.get(), false);
    await autostart.set(true);
    assert.is(await autostart.get(), true);
    const entry = await readFile(join(folder, 'autostart/almirah-uploader.desktop'), 'utf8');
    assert.match(entry, '/almirah-uploader" --background\n');
    await autostart.set(false);
    assert.is(await autostart.get(), false);
  }));

test.run();
