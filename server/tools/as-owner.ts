import { existsSync, statSync } from 'node:fs';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Who owns a folder, where this process is root and the folder is not: whom the service runs as. */
export function ownerOf(folder: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return null;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? null : { uid, gid };
}

/** Runs `work` as the owner of a folder, so that files it makes there are the owner's. */
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
 * Gives the owner of a data folder the files and folders that root has made in it. Only those directly in it: a folder in it is the
 * owner's, who might put a link in its place meanwhile.
 */
export async function handOver(dataDir: string): Promise<void> {
  const owner = ownerOf(dataDir);
  if (!owner) return;
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    // What another process has taken away meanwhile is nobody's.
    const found = await lstat(path).catch(() => null);
    if (found?.uid === 0) await lchown(path, owner.uid, owner.gid).catch(() => {});
  }
}
