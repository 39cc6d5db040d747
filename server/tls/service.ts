import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { HttpsSettings } from './contract.ts';
import { acmeCertificates } from './acme.ts';
import type { CertificateSource } from './certificate.ts';
import { certificateFiles } from './files.ts';
import { createKeyStore } from './key-store.ts';
import { trustPage } from './trust.ts';

export type { Certificate, CertificateSource } from './certificate.ts';
export { plainHttp } from './redirect.ts';

export interface Tls extends CertificateSource {
  /** The ACME challenge response for a token, for plain http. */
  challengeResponse?: (token: string) => string | undefined;
  /** Serves the page about trusting the authority; false for any other path. */
  trust?: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** SHA-256 of the office's own authority. */
  fingerprint?: string;
}

/** Folder of keys and certificates within the data folder. */
export const TLS_FOLDER = 'tls';

/**
 * Opens the certificate source that the settings name.
 * @param seal seals the private keys that this server creates.
 * @throws an error with a message for the admin.
 */
export async function openTls(
  settings: HttpsSettings,
  { dataDir, appName, baseUrl }: { dataDir: string; appName: string; baseUrl: string },
  log: Logger,
  seal: Sealer,
): Promise<Tls> {
  const { hostname: name } = new URL(baseUrl);
  if (settings.kind === 'files') return certificateFiles(settings, name, log);
  // Loaded on demand: most servers run behind a proxy or have a certificate of their own.
  const { localCertificates } = await import('./local.ts');
  const keyStore = createKeyStore(join(dataDir, TLS_FOLDER), seal);
  const local = await localCertificates(keyStore, { appName, name }, log);
  if (settings.kind === 'acme')
    return acmeCertificates({ keyStore, ...settings, fallback: local.current(), log });
  const { authority } = local;
  return {
    ...local,
    trust: trustPage(authority, { appName, baseUrl }),
    fingerprint: authority.fingerprint,
  };
}
