import { execFile } from 'node:child_process';
import { KeyRefused } from '#storage/keys.ts';

/** What systemd knows the key by: `LoadCredentialEncrypted=almirah-master-key:…`. */
const CREDENTIAL = 'almirah-master-key';

/** Runs systemd-creds with `input`. @throws {KeyRefused} with what it said. */
function systemdCreds(args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // A command of root may work as the owner of the data folder meanwhile; what systemd sealed opens for root alone.
    const root = process.getuid?.() === 0 ? { uid: 0, gid: 0 } : {};
    const child = execFile('systemd-creds', args, { encoding: 'utf8', ...root }, (error, out, said) => {
      if (!error) return resolve(out);
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = said.trim().split('\n').at(-1) || error.message;
      return reject(
        new KeyRefused(
          missing
            ? 'There is no systemd-creds here: credentials take systemd 250 or newer (Debian 12, Ubuntu 22.10). Nothing was changed.'
            : `systemd-creds refused: ${why}. Nothing was changed.`,
        ),
      );
    });
    // It may have ended before it has read.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

/** Whether this machine can seal a key for itself, and whether by a TPM. */
export async function credentialsHere(): Promise<{ host: boolean; tpm: boolean }> {
  const [version, tpm] = await Promise.all([
    systemdCreds(['--version'], '').catch(() => null),
    systemdCreds(['has-tpm2', '--quiet'], '').then(
      () => true,
      () => false,
    ),
  ]);
  return { host: version !== null, tpm: version !== null && tpm };
}

/** Seals a key for this machine: with a TPM, such that the disk opens in no other one; otherwise with the key that systemd keeps. */
export const sealForMachine = (secret: Buffer, by: 'host' | 'tpm'): Promise<string> =>
  systemdCreds(
    ['encrypt', `--with-key=${by === 'tpm' ? 'tpm2' : 'host'}`, `--name=${CREDENTIAL}`, '-', '-'],
    `${secret.toString('hex')}\n`,
  );

/** Opens what was sealed for this machine, which takes root. */
export const openForMachine = (text: string): Promise<string> =>
  systemdCreds(['decrypt', `--name=${CREDENTIAL}`, '-', '-'], text);
