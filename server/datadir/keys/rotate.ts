import { randomBytes } from 'node:crypto';
import { KeyRefused, keyPath, readChecks, readIfThere } from '#storage/keys.ts';
import { deriveMasterKey, MASTER_KEY_BYTES } from '#storage/masterkey.ts';
import type { Alongside, Replaced } from '#storage/rotate.ts';
import { replaceMasterKey } from '#storage/rotate.ts';
import type { BytesSource } from '#storage/store.ts';
import type { KeyForm } from './forms.ts';
import { credentialForm, fileForm, passphraseForm } from './forms.ts';
import { readSealed, sealedPath } from './sealed-file.ts';

/**
 * The form in which a data folder stores its key; null if it is the plain master.key, or the settings give the key.
 * @param passphrase that opened the key, if it is sealed with one.
 * @throws {KeyRefused} if a move to another form was interrupted.
 */
export async function formOf(dataDir: string, passphrase: string | undefined): Promise<KeyForm | null> {
  const sealed = await readSealed(sealedPath(dataDir));
  if (!sealed) return null;
  if (await readIfThere(keyPath(dataDir)))
    throw new KeyRefused(
      'master.key lies beside the sealed key: a move did not finish. Run "npm run admin -- key wrap" or "key unwrap" again first. Nothing was changed.',
    );
  if (sealed.form === 'passphrase') return passphraseForm(dataDir, passphrase ?? '', sealed.cost);
  return sealed.form === 'file'
    ? fileForm(dataDir, sealed.path)
    : credentialForm(dataDir, sealed.by === 'host' ? 'host' : 'tpm');
}

/**
 * Replaces a master key by a new one in the same form. The new key is on the disk before any data depends on it, and replaces the old
 * one when all data does. An interrupted run is repeated.
 * @param secret the present key.
 */
export async function rotateKey(
  files: BytesSource,
  secret: Buffer,
  form: KeyForm,
  alongside: Alongside,
): Promise<Replaced> {
  const { dataDir } = files;
  const checks = await readChecks(dataDir);
  // Two keys in the check mean that some data already depends on the prepared key.
  if (checks?.keys === 1) await form.prepare(randomBytes(MASTER_KEY_BYTES));
  const next = await form.prepared();
  const placed = checks?.position(deriveMasterKey(secret)) === 0 && checks.keys > 1;
  if (!next && !placed)
    throw new KeyRefused(
      `${dataDir} is being moved to a new key, which is missing (master.key.sealed.next, or .next beside the key file). Put it back from a copy. Nothing was changed.`,
    );
  const source = { ...files, masterKey: secret.toString('hex'), masterKeyFile: undefined };
  return replaceMasterKey(source, placed ? undefined : next!.toString('hex'), alongside, () => form.place());
}
