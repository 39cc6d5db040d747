import { existsSync, statSync } from 'node:fs';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The owner of a folder, if this process is root and the owner is not: the user that the service runs as. */
export function ownerOf(folder: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return null;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? null : { uid, gid };
}

/** Runs `work` as the owner of a folder, so that files created there belong to that user. */
export async function asOwner<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const owner = ownerOf(folder);
  const mask = process.umask(0o077);
  if (owner) {
    process.setegid!(owner.gid);
    process.seteuid!(owner.uid);
  }
  try {
    return await work();
  } finally {
    if (owner) {
      process.seteuid!(0);
      process.setegid!(0);
    }
    process.umask(mask);
  }
}

/**
 * Gives files and folders that root has created in a data folder to its owner. Only direct children: inside a
 * sub-folder its owner could replace them with links meanwhile.
 */
export async function handOver(dataDir: string): Promise<void> {
  const owner = ownerOf(dataDir);
  if (!owner) return;
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    // Another process may have removed the file meanwhile.
    const found = await lstat(path).catch(() => null);
    if (found?.uid === 0) await lchown(path, owner.uid, owner.gid).catch(() => {});
  }
}
