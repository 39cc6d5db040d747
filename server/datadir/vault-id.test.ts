import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { vaultIdOf } from './vault-id.ts';

test('a vault keeps its id, and gets none anew while the stored one cannot be read, since its backups know it by that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almirah-vault-id-'));
  const id = await vaultIdOf(folder);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.is(await vaultIdOf(folder), id);
  await rm(join(folder, 'vault.id'));
  // The owner of the tests may read every file, but no folder as a file.
  await mkdir(join(folder, 'vault.id'));
  assert.is(await vaultIdOf(folder).catch(({ code }: NodeJS.ErrnoException) => code), 'EISDIR');
  await rm(folder, { recursive: true });
});

test.run();
