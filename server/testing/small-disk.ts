import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A disk of so many megabytes, in memory. Mounting takes root: where the tests run without it this is null, which is
 * said, and only the tests that bound the database or the store in other ways show what a full disk does.
 */
export function smallDisk(megabytes: number): { path: string; remove(): Promise<void> } | null {
  const path = mkdtempSync(join(tmpdir(), 'almirah-small-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (status !== 0) {
    process.stdout.write('\n  No small disk could be mounted, which takes root: these tests are left out.\n');
    return null;
  }
  return {
    path,
    async remove() {
      spawnSync('umount', ['-l', path]);
      await rm(path, { recursive: true });
    },
  };
}
