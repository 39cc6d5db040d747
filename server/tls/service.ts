import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Sealer } from '#server/datadir/sealing.ts';
import type { HttpsSettings } from './contract.ts';
import { acmeCertificates } from './acme.ts';
import type { CertificateSource } from './certificate.ts';
import { certificateFiles } from './files.ts';
import { createKeeper } from './kept.ts';
import { trustPage } from './trust.ts';

export type { Certificate, CertificateSource } from './certificate.ts';
export { plainHttp } from './redirect.ts';

export interface Tls extends CertificateSource {
  /** The answer to an authority that asks for this token on plain http. */
  answerTo?: (token: string) => string | undefined;
  /** Answers the page about trust; false for everything else. */
  trust?: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** SHA-256 of the office's own authority. */
  fingerprint?: string;
}

/** The folder in the data folder where keys and certificates lie. */
export const TLS_FOLDER = 'tls';

/**
 * The certificate that the settings ask for.
 * @param seal of the private keys that are made here.
 * @throws with a sentence for the admin.
 */
export async function openTls(
  settings: HttpsSettings,
  { dataDir, appName, baseUrl }: { dataDir: string; appName: string; baseUrl: string },
  log: Logger,
  seal: Sealer,
): Promise<Tls> {
  const { hostname: name } = new URL(baseUrl);
  if (settings.kind === 'files') return certificateFiles(settings, name, log);
  // Loaded where it is needed: most servers stand behind a proxy, or have a certificate given.
  const { localCertificates } = await import('./local.ts');
  const keeper = createKeeper(join(dataDir, TLS_FOLDER), seal);
  const local = await localCertificates(keeper, { appName, name }, log);
  if (settings.kind === 'acme')
    return acmeCertificates({ keeper, ...settings, meanwhile: local.current(), log });
  const { authority } = local;
  return {
    ...local,
    trust: trustPage(authority, { appName, baseUrl }),
    fingerprint: authority.fingerprint,
  };
}
