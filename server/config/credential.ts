import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file in which systemd passes the master key to its service, by `LoadCredential=` or
 * `LoadCredentialEncrypted=`.
 */
export function readCredential({ CREDENTIALS_DIRECTORY }: Record<string, string | undefined>): string | null {
  const file = CREDENTIALS_DIRECTORY && join(CREDENTIALS_DIRECTORY, 'almirah-master-key');
  return file && existsSync(file) ? file : null;
}
