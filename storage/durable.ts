import type { FileHandle } from 'node:fs/promises';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes what was created, renamed or removed in a folder survive a power cut. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What root writes into a folder of the server's user is that user's, or the server could not read it. */
async function giveToOwner(file: FileHandle, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  if (uid !== 0) await file.chown(uid, gid);
}

/** Writes a small file, mode 0600, so that a crash leaves the old one or the new one, whole. */
export async function writeDurably(path: string, text: string | Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await giveToOwner(file, dirname(path));
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await flushFolder(dirname(path));
}

/** Makes what was written to a file survive a power cut. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}
