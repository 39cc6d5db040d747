import { isAbsolute } from 'node:path';
import { KeyRefused, keyPath, parseMasterKey, parseSecret, readChecks, readIfThere } from '#storage/keys.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import type { DataDirSettings } from '../settings.ts';
import { openForMachine } from './credential.ts';
import { openWithPassphrase, WrongPassphrase } from './passphrase.ts';
import type { SealedKey } from './sealed-file.ts';
import { readSealed, sealedPath } from './sealed-file.ts';

/**
 * Asks for the passphrase.
 * @param wrong the error message about the previous one; null the first time.
 * @returns null if nobody can be asked, or asked again.
 */
export type Ask = (wrong: string | null) => Promise<string | null>;

const nobody: Ask = async () => null;

/** The vault is sealed with a passphrase, and nobody could be asked for it. */
export class Locked extends KeyRefused {
  override name = 'Locked';
}

/** @throws {Locked} if no passphrase was given; {WrongPassphrase} if the last one given was wrong. */
async function openByAsking(sealed: Extract<SealedKey, { form: 'passphrase' }>, ask: Ask): Promise<Buffer> {
  for (let wrong: string | null = null; ;) {
    const passphrase = await ask(wrong);
    if (passphrase === null) {
      if (wrong !== null) throw new WrongPassphrase(wrong);
      throw new Locked(
        'The master key is sealed with a passphrase. Start this in a terminal, where it is asked for, or give it with --passphrase-fd 0 (or the setting PASSPHRASE_FD=0). Nothing was changed.',
      );
    }
    try {
      return await openWithPassphrase(sealed, passphrase);
    } catch (error) {
      if (!(error instanceof WrongPassphrase)) throw error;
      wrong = error.message;
    }
  }
}

async function fromFile(path: string): Promise<Buffer> {
  const found = isAbsolute(path) ? await readIfThere(path) : undefined;
  if (found) return parseSecret(found, path);
  throw new KeyRefused(
    `The master key is kept at ${path}, which is not there. Plug the disk or stick in and mount it, or use the recovery sheet: ` +
      'npm run admin -- key wrap --with passphrase --sheet FILE. Nothing was changed.',
  );
}

async function fromCredential(text: string, credential: string | null | undefined): Promise<Buffer> {
  const found = credential ? await readIfThere(credential) : undefined;
  if (found) return parseSecret(found, 'The systemd credential');
  if (process.getuid?.() !== 0)
    throw new KeyRefused(
      'The master key is sealed for this machine by systemd, which opens it for the service alone: start it with systemctl, and put ' +
        'sudo before admin commands. The unit needs the line LoadCredentialEncrypted=almirah-master-key:DATA_DIR/master.key.sealed. Nothing was changed.',
    );
  try {
    return parseSecret(await openForMachine(text), 'The systemd credential');
  } catch (error) {
    throw new KeyRefused(
      `${(error as Error).message} The key was sealed for this very machine: on another one, or after its TPM was cleared, use the ` +
        'recovery sheet: npm run admin -- key wrap --with passphrase --sheet FILE.',
    );
  }
}

/** Opens the key that master.key.sealed contains or names. @throws {KeyRefused} {Locked} */
function openSealed(
  sealed: SealedKey,
  { credential }: Pick<DataDirSettings, 'credential'>,
  ask: Ask = nobody,
): Promise<Buffer> {
  if (sealed.form === 'passphrase') return openByAsking(sealed, ask);
  return sealed.form === 'file' ? fromFile(sealed.path) : fromCredential(sealed.text, credential);
}

/** @throws {KeyRefused} if there are a plain and a sealed key and they differ. */
async function requireSame(dataDir: string, plain: Buffer, other: string | null): Promise<void> {
  const mine = parseMasterKey(plain, keyPath(dataDir));
  const id = mine.keyId.toString('hex');
  if (other === null || other === id) return;
  const fits = ((await readChecks(dataDir))?.position(mine) ?? -1) >= 0;
  const [right, wrong] = fits ? ['master.key', 'master.key.sealed'] : ['master.key.sealed', 'master.key'];
  throw new KeyRefused(
    `${dataDir} has two master keys that differ: master.key is ${id}, master.key.sealed is ${other}. ` +
      `The one of this vault is ${right}: move ${wrong} to another place, and try again. Nothing was changed.`,
  );
}

/** The id of a sealed key; null if it cannot be known without a passphrase. */
async function idOf(sealed: SealedKey | undefined, settings: DataDirSettings): Promise<string | null> {
  if (sealed?.form === 'passphrase') return sealed.keyId;
  const open = sealed
    ? openSealed(sealed, settings)
    : readIfThere(settings.credential!).then(
        (found) => found && parseSecret(found, 'The systemd credential'),
      );
  const secret = await open.catch(() => undefined);
  return secret ? deriveMasterKey(secret).keyId.toString('hex') : null;
}

/**
 * Opens a key that is sealed or stored elsewhere. If the settings give the key, or the data folder has it plain, they are returned
 * unchanged.
 * @returns the settings with `masterKey` set.
 * @throws {Locked} {KeyRefused}
 */
export async function unlocked<S extends DataDirSettings>(settings: S, ask: Ask = nobody): Promise<S> {
  const { dataDir, masterKey, masterKeyFile, credential } = settings;
  if (masterKey || masterKeyFile) return settings;
  const plain = await readIfThere(keyPath(dataDir));
  if (plain) {
    // A damaged sealed file does no harm while the plain one exists.
    const sealed = await readSealed(sealedPath(dataDir)).catch(() => undefined);
    if (sealed || credential) await requireSame(dataDir, plain, await idOf(sealed, settings));
    return settings;
  }
  const sealed = await readSealed(sealedPath(dataDir));
  if (sealed) {
    const secret = await openSealed(sealed, settings, ask);
    return { ...settings, masterKey: secret.toString('hex') };
  }
  const found = credential ? await readIfThere(credential) : undefined;
  return found
    ? { ...settings, masterKey: parseSecret(found, 'The systemd credential').toString('hex') }
    : settings;
}
