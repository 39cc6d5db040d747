import { execFile } from 'node:child_process';
import { KeyRefused } from '#storage/keys.ts';

/** The name of the systemd credential: `LoadCredentialEncrypted=almirah-master-key:…`. */
const CREDENTIAL = 'almirah-master-key';

/** Runs systemd-creds with `input` on its standard input. @throws {KeyRefused} with its error message. */
function systemdCreds(args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Commands of root temporarily run as the owner of the data folder, but only root can open systemd's credentials.
    const root = process.getuid?.() === 0 ? { uid: 0, gid: 0 } : {};
    const child = execFile('systemd-creds', args, { encoding: 'utf8', ...root }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const why = stderr.trim().split('\n').at(-1) || error.message;
      return reject(
        new KeyRefused(
          missing
            ? 'There is no systemd-creds here: credentials take systemd 250 or newer (Debian 12, Ubuntu 22.10). Nothing was changed.'
            : `systemd-creds refused: ${why}. Nothing was changed.`,
        ),
      );
    });
    // The command may end before it reads its input.
    child.stdin!.on('error', () => {});
    child.stdin!.end(input);
  });
}

/** Whether this machine can seal a key for itself: by systemd's own key, and by a TPM. */
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

/** Seals a key for this machine: by its TPM, so that the disk opens in no other machine, or by systemd's own key. */
export const sealForMachine = (secret: Buffer, by: 'host' | 'tpm'): Promise<string> =>
  systemdCreds(
    ['encrypt', `--with-key=${by === 'tpm' ? 'tpm2' : 'host'}`, `--name=${CREDENTIAL}`, '-', '-'],
    `${secret.toString('hex')}\n`,
  );

/** Opens a key that was sealed for this machine. Requires root. */
export const openForMachine = (text: string): Promise<string> =>
  systemdCreds(['decrypt', `--name=${CREDENTIAL}`, '-', '-'], text);
