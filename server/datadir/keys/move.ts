import { open, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '#storage/durable.ts';
import { keyPath, KeyRefused, nextKeyPath, readIfThere } from '#storage/keys.ts';
import type { KeyForm } from './forms.ts';
import { nextSealedPath, sealedPath } from './sealed-file.ts';

/** Overwrites a file before it is deleted. On most disks that destroys its content; an SSD may keep a copy. */
async function wipe(path: string): Promise<void> {
  const content = await readIfThere(path);
  if (!content) return;
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
 * Moves a key to another form. The old form is removed only after the new one was opened, so the vault opens whenever this is
 * interrupted, and it can be repeated.
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
  await to.place();
  step('placed');
  if (to.form === 'plain') await rm(sealedPath(dataDir), { force: true });
  else await wipe(keyPath(dataDir));
  // Left over from interrupted attempts.
  for (const path of [nextSealedPath(dataDir), join(dataDir, 'master.key.unwrapped'), nextKeyPath(dataDir)])
    await wipe(path);
  await flushFolder(dataDir);
  step('removed');
}
