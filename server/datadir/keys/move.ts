import { open, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '#storage/durable.ts';
import { keyPath, KeyRefused, nextKeyPath, readIfThere } from '#storage/keys.ts';
import type { KeyForm } from './forms.ts';
import { nextSealedPath, sealedPath } from './sealed-file.ts';

/** Overwrites a file before it is unlinked: on most disks nothing of it is left then, on SSDs it may be. */
async function wipe(path: string): Promise<void> {
  const there = await readIfThere(path);
  if (!there) return;
  const file = await open(path, 'r+');
  try {
    await file.write(Buffer.alloc(there.length), 0, there.length, 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await unlink(path);
  await flushFolder(dirname(path));
}

export type Step = 'prepared' | 'opened' | 'placed' | 'removed';

/**
 * Brings a key into another form. What it was in before is removed only after the new form has opened; cut off anywhere, what is
 * there opens, and the same is done again.
 * @param opens makes sure that a key opens the data; it throws otherwise.
 * @param step hears of each step that is on the disk.
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
  const back = await to.prepared();
  if (!back?.equals(secret))
    throw new KeyRefused('The key in its new form did not come back as it is. Nothing was changed.');
  await opens(back);
  step('opened');
  await to.place();
  step('placed');
  if (to.form === 'plain') await rm(sealedPath(dataDir), { force: true });
  else await wipe(keyPath(dataDir));
  // What an earlier attempt prepared and did not use.
  for (const path of [nextSealedPath(dataDir), join(dataDir, 'master.key.unwrapped'), nextKeyPath(dataDir)])
    await wipe(path);
  await flushFolder(dataDir);
  step('removed');
}
