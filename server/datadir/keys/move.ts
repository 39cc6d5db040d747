import { lstat, open, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '#storage/durable.ts';
import { keyPath, KeyRefused, nextKeyPath, readIfThere } from '#storage/keys.ts';
import type { KeyForm } from './forms.ts';
import { noteLeft, removeLeft } from './left-behind.ts';
import { nextSealedPath, readSealed, sealedPath } from './sealed-file.ts';

/** Whether two paths lead to one file, through whatever links and mounts. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => null)),
  );
  return Boolean(a && b && a.dev === b.dev && a.ino === b.ino);
}

/**
 * Overwrites a file before it is deleted. On most disks that destroys its content; an SSD may keep a copy.
 * @param kept the file that holds the key from now on; of a link to it only the link is deleted.
 * @throws {KeyRefused} if the path is that file itself.
 */
async function wipe(path: string, kept: string): Promise<void> {
  const content = await readIfThere(path);
  if (!content) return;
  if (await isSameFile(path, kept)) {
    if (!(await lstat(path)).isSymbolicLink())
      throw new KeyRefused(
        `${kept} and ${path} are the same file, so the key was left there. Give a file that is not in the data folder.`,
      );
    await unlink(path);
    await flushFolder(dirname(path));
    return;
  }
  const file = await open(path, 'r+');
  try {
    await file.write(Buffer.alloc(content.length), 0, content.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await unlink(path);
  await flushFolder(dirname(path));
}

export type Step = 'prepared' | 'opened' | 'placed' | 'removed';

/**
 * Moves a key to another form. The old form is removed only after the new one was opened in its place, so the vault opens whenever this is
 * interrupted, and it can be repeated. A file elsewhere that cannot be removed now stays noted in the folder.
 * @param opens throws if a key does not open the data.
 * @param step called after each step is on the disk.
 */
export async function moveKey(
  dataDir: string,
  secret: Buffer,
  to: KeyForm,
  opens: (secret: Buffer) => Promise<void>,
  step: (step: Step) => void = () => {},
): Promise<void> {
  await opens(secret);
  await to.prepare(secret);
  step('prepared');
  const reopened = await to.prepared();
  if (!reopened?.equals(secret))
    throw new KeyRefused('The key in its new form did not come back as it is. Nothing was changed.');
  await opens(reopened);
  step('opened');
  const before = await readSealed(sealedPath(dataDir)).catch(() => undefined);
  if (before?.form === 'file' && before.path !== to.file) await noteLeft(dataDir, before.path);
  await to.place();
  step('placed');
  const placed = await to.placed();
  if (!placed?.equals(secret))
    throw new KeyRefused(
      `The key did not come back from ${to.file}, so it was left where it was before as well. Run the same again.`,
    );
  await opens(placed);
  if (to.form === 'plain') await rm(sealedPath(dataDir), { force: true });
  else await wipe(keyPath(dataDir), to.file);
  // Left over from interrupted attempts.
  for (const path of [nextSealedPath(dataDir), join(dataDir, 'master.key.unwrapped'), nextKeyPath(dataDir)])
    await wipe(path, to.file);
  await removeLeft(
    dataDir,
    secret,
    (path) => isSameFile(path, to.file),
    (path) => wipe(path, to.file),
  );
  await flushFolder(dataDir);
  step('removed');
}
