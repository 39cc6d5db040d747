import { chown, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder, writeDurably } from '#storage/durable.ts';
import { keyPath, parseSecret, readIfThere } from '#storage/keys.ts';
import { openForMachine, sealForMachine } from './credential.ts';
import { COST, openWithPassphrase, sealWithPassphrase } from './passphrase.ts';
import type { Cost, SealedKey } from './sealed-file.ts';
import { nextSealedPath, readSealed, sealedPath, writeSealed } from './sealed-file.ts';

/**
 * A way to store a master key. A key is first prepared beside the stored one, then opened as the server would, and only then moved into
 * place, atomically. An interrupted run is repeated from the beginning.
 */
export interface KeyForm {
  form: 'plain' | 'passphrase' | 'file' | 'credential';
  prepare(secret: Buffer): Promise<void>;
  /** Opens the prepared key; undefined if none was prepared. */
  prepared(): Promise<Buffer | undefined>;
  place(): Promise<void>;
  /** Opens the key in its place, as the next start does; undefined if this form is not in use. */
  placed(): Promise<Buffer | undefined>;
  /** The file that the key, sealed or as it is, has once it is in place. */
  file: string;
}

/** The key that a file holds as it is. */
async function keyIn(path: string): Promise<Buffer | undefined> {
  const found = await readIfThere(path);
  return found && parseSecret(found, path);
}

async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
}

/** A form that stores the key in master.key.sealed. */
function sealedForm<F extends 'passphrase' | 'credential'>(
  dataDir: string,
  form: F,
  seal: (secret: Buffer) => Promise<SealedKey>,
  open: (sealed: Extract<SealedKey, { form: F }>) => Promise<Buffer>,
): KeyForm {
  const opened = async (path: string) => {
    const found = await readSealed(path);
    return found?.form === form ? open(found as Extract<SealedKey, { form: F }>) : undefined;
  };
  return {
    form,
    file: sealedPath(dataDir),
    prepare: async (secret) => writeDurably(nextSealedPath(dataDir), writeSealed(await seal(secret))),
    prepared: () => opened(nextSealedPath(dataDir)),
    place: () => moveFile(nextSealedPath(dataDir), sealedPath(dataDir)),
    placed: () => opened(sealedPath(dataDir)),
  };
}

/** The key is sealed with a passphrase that is typed at each start. */
export const passphraseForm = (dataDir: string, passphrase: string, cost: Cost = COST): KeyForm =>
  sealedForm(
    dataDir,
    'passphrase',
    (secret) => sealWithPassphrase(secret, passphrase, cost),
    (sealed) => openWithPassphrase(sealed, passphrase),
  );

/** The key is sealed by systemd for this machine. Requires root. */
export const credentialForm = (dataDir: string, by: 'host' | 'tpm'): KeyForm =>
  sealedForm(
    dataDir,
    'credential',
    async (secret) => ({ form: 'credential', by, text: await sealForMachine(secret, by) }),
    async ({ text }) => parseSecret(await openForMachine(text), 'The systemd credential'),
  );

/** The key is not sealed, but in a file elsewhere; master.key.sealed names it. */
export function fileForm(dataDir: string, path: string): KeyForm {
  const next = `${path}.next`;
  return {
    form: 'file',
    file: path,
    async prepare(secret) {
      await writeDurably(next, `${secret.toString('hex')}\n`);
      if (process.getuid?.() !== 0) return;
      // The server's user has to read the file, also in a folder of root. The file system of a USB stick may have no owners.
      const { uid, gid } = await stat(dataDir);
      await chown(next, uid, gid).catch(() => {});
    },
    prepared: () => keyIn(next),
    async place() {
      await moveFile(next, path);
      const text = writeSealed({ form: 'file', path });
      const there = await readIfThere(sealedPath(dataDir));
      if (there?.toString() !== text) await writeDurably(sealedPath(dataDir), text);
    },
    async placed() {
      const found = await readSealed(sealedPath(dataDir));
      return found?.form === 'file' ? keyIn(found.path) : undefined;
    },
  };
}

/** The key is not sealed, and in the data folder itself. */
export function plainForm(dataDir: string): KeyForm {
  const next = join(dataDir, 'master.key.unwrapped');
  return {
    form: 'plain',
    file: keyPath(dataDir),
    prepare: (secret) => writeDurably(next, `${secret.toString('hex')}\n`),
    prepared: () => keyIn(next),
    place: () => moveFile(next, keyPath(dataDir)),
    placed: () => keyIn(keyPath(dataDir)),
  };
}
