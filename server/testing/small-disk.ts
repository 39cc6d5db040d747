import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A small in-memory disk. Mounting needs root: without it this prints a note and returns null, and full disks
 * are only covered by tests that limit the database or the store in other ways.
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
