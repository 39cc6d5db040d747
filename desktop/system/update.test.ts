import { spawnSync } from 'node:child_process';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { release } from '#desktop/build/release.ts';
import { withFolder } from '#desktop/testing/folder.ts';
import { freshWorld } from '#server/testing/world.ts';
import { download, replace, updateOf } from './update.ts';

const NOW = { version: '1.0.9', platform: 'linux-x64' as const };

async function released(folder: string) {
  await writeFile(join(folder, 'program'), 'the new program');
  spawnSync('xz', ['-k', join(folder, 'program')]);
  const files = [{ platform: 'linux-x64', kind: 'update', file: 'program.xz' }] as const;
  return release(folder, '1.0.10', [...files], { DATA_DIR: folder });
}

test('an update is only accepted if it is newer, for this platform, and signed by the key from pairing', () =>
  withFolder(async (folder) => {
    const stated = await released(folder);
    const vault = { public_key: stated.public_key };
    assert.is(updateOf(stated, vault, NOW)?.version, '1.0.10', 'ten is more than nine');
    assert.is(updateOf(stated, vault, { ...NOW, version: '1.0.10' }), null);
    assert.is(updateOf(stated, vault, { ...NOW, version: '2.0.0' }), null, 'never an older one');
    assert.is(updateOf(stated, vault, { ...NOW, platform: 'win-x64' }), null);
    assert.is(updateOf(stated, { public_key: null }, NOW), null);
    const other = await withFolder((folder) => released(folder));
    assert.is(updateOf(stated, other, NOW), null, 'another key');
    for (const changed of [{ sha256: '0'.repeat(64) }, { version: '9.0.0' }, { size: 1 }, { file: '../x' }])
      assert.is(updateOf({ builds: [{ ...stated.builds[0]!, ...changed }] }, vault, NOW), null);
    assert.is((await stat(join(folder, 'desktop-signing.key'))).mode & 0o777, 0o600);
  }));

test('an update is downloaded from the vault, deleted if its bytes do not match, and replaces the old program', () =>
  withFolder(async (folder) => {
    const { builds } = await released(folder);
    const world = await freshWorld({ desktopDir: folder });
    try {
      const base = await world.serve();
      const into = join(folder, 'updates');
      const path = await download(base, builds[0]!, into);
      const program = join(folder, 'almirah-uploader');
      await writeFile(program, 'the old program');
      await replace(path, program);
      assert.is(await readFile(program, 'utf8'), 'the new program');
      assert.is((await stat(program)).mode & 0o777, 0o755);

      const forged = { ...builds[0]!, sha256: '0'.repeat(64) };
      await download(base, forged, into).then(
        () => assert.unreachable(),
        (error) => assert.match(error.message, 'thrown away'),
      );
      assert.equal(await readdir(into), []);
    } finally {
      await world.close();
    }
  }));

test.run();
