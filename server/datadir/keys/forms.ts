import { chown, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder, writeDurably } from '#storage/durable.ts';
import { keyPath, parseSecret, readIfThere } from '#storage/keys.ts';
import { openForMachine, sealForMachine } from './credential.ts';
import { COST, openWithPassphrase, sealWithPassphrase } from './passphrase.ts';
import type { Cost, SealedKey } from './sealed-file.ts';
import { nextSealedPath, readSealed, sealedPath, writeSealed } from './sealed-file.ts';

/**
 * A way to keep a master key. A new key, or a key that comes from another form, is first prepared beside what is there, then opened as
 * the server would, and only then put in its place, at once. Cut off anywhere, the same is done again.
 */
export interface KeyForm {
  form: 'plain' | 'passphrase' | 'file' | 'credential';
  prepare(secret: Buffer): Promise<void>;
  /** What was prepared, opened; undefined when nothing was. */
  prepared(): Promise<Buffer | undefined>;
  place(): Promise<void>;
}

async function moved(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
}

/** A form that lies in master.key.sealed itself. */
function sealedForm<F extends 'passphrase' | 'credential'>(
  dataDir: string,
  form: F,
  seal: (secret: Buffer) => Promise<SealedKey>,
  open: (sealed: Extract<SealedKey, { form: F }>) => Promise<Buffer>,
): KeyForm {
  return {
    form,
    prepare: async (secret) => writeDurably(nextSealedPath(dataDir), writeSealed(await seal(secret))),
    async prepared() {
      const found = await readSealed(nextSealedPath(dataDir));
      return found?.form === form ? open(found as Extract<SealedKey, { form: F }>) : undefined;
    },
    place: () => moved(nextSealedPath(dataDir), sealedPath(dataDir)),
  };
}

/** Sealed with a passphrase that is typed at each start. */
export const passphraseForm = (dataDir: string, passphrase: string, cost: Cost = COST): KeyForm =>
  sealedForm(
    dataDir,
    'passphrase',
    (secret) => sealWithPassphrase(secret, passphrase, cost),
    (sealed) => openWithPassphrase(sealed, passphrase),
  );

/** Sealed by systemd for this machine, which takes root. */
export const credentialForm = (dataDir: string, by: 'host' | 'tpm'): KeyForm =>
  sealedForm(
    dataDir,
    'credential',
    async (secret) => ({ form: 'credential', by, text: await sealForMachine(secret, by) }),
    async ({ text }) => parseSecret(await openForMachine(text), 'The systemd credential'),
  );

/** As it is, in a file in another place; master.key.sealed says where. */
export function fileForm(dataDir: string, path: string): KeyForm {
  const next = `${path}.next`;
  return {
    form: 'file',
    async prepare(secret) {
      await writeDurably(next, `${secret.toString('hex')}\n`);
      if (process.getuid?.() !== 0) return;
      // The server's user has to read it, also in a folder of root. A stick may know no owners.
      const { uid, gid } = await stat(dataDir);
      await chown(next, uid, gid).catch(() => {});
    },
    async prepared() {
      const found = await readIfThere(next);
      return found && parseSecret(found, next);
    },
    async place() {
      await moved(next, path);
      const text = writeSealed({ form: 'file', path });
      const there = await readIfThere(sealedPath(dataDir));
      if (there?.toString() !== text) await writeDurably(sealedPath(dataDir), text);
    },
  };
}

/** As it is, beside the data that it opens. */
export function plainForm(dataDir: string): KeyForm {
  const next = join(dataDir, 'master.key.unwrapped');
  return {
    form: 'plain',
    prepare: (secret) => writeDurably(next, `${secret.toString('hex')}\n`),
    async prepared() {
      const found = await readIfThere(next);
      return found && parseSecret(found, next);
    },
    place: () => moved(next, keyPath(dataDir)),
  };
}
