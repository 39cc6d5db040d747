import { statSync } from 'node:fs';

/** Who owns a folder, where this process is root and the folder is not: whom the service runs as. */
export function ownerOf(folder: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
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
