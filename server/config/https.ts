import { hostname } from 'node:os';
import { isIP } from 'node:net';
import type { HttpsSettings } from '../tls/contract.ts';
import type { ReadSetting } from './payments.ts';

const CHOICES = ['off', 'auto', 'local'] as const;
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';
/** Suffixes of names that do not exist on the public Internet. */
const NEAR = /(?:^|\.)(?:local|localhost|lan|home|internal|intranet|corp|test|invalid|example|home\.arpa)$/;

/** Whether a public authority can issue a certificate for the name. */
export const isPublicName = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) === 0 && name.includes('.') && !NEAR.test(name);

/** Whether HTTPS is on; needed first, because other defaults depend on it. */
export const wantsHttps = (env: Record<string, string | undefined>): boolean =>
  Boolean(env.TLS_CERT?.trim() || env.TLS_KEY?.trim()) || ['auto', 'local'].includes(env.HTTPS?.trim() ?? '');

/** Default address of this machine. */
export const ownAddress = (port: number): string =>
  `https://${hostname().toLowerCase()}${port === 443 ? '' : `:${port}`}`;

/** @returns null where plain http is served, directly or behind a proxy. */
export function readHttps(
  env: Record<string, string | undefined>,
  read: ReadSetting,
  problems: string[],
  { baseUrl, contactEmail }: { baseUrl: string; contactEmail: string },
): HttpsSettings | null {
  const choice = read('HTTPS', 'off' as (typeof CHOICES)[number], `one of ${CHOICES.join(', ')}`, (text) =>
    CHOICES.find((choice) => choice === text),
  );
  const [cert, key] = [env.TLS_CERT?.trim(), env.TLS_KEY?.trim()];
  const httpPort = read(
    'HTTP_PORT',
    80 as number | null,
    '"off", or a port number from 0 to 65535',
    (text) =>
      text === 'off' ? null : /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
  );
  const directory = read('ACME_URL', LETS_ENCRYPT, 'the https:// address of an ACME directory', (text) =>
    URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined,
  );
  if (cert && key && choice !== 'off')
    problems.push(`HTTPS is ${choice}, but TLS_CERT and TLS_KEY are set as well; keep one of them.`);
  if (Boolean(cert) !== Boolean(key))
    problems.push(`${cert ? 'TLS_CERT' : 'TLS_KEY'} is set, but ${cert ? 'TLS_KEY' : 'TLS_CERT'} is not.`);
  const files = cert && key ? { kind: 'files' as const, cert, key } : null;
  if (!files && choice === 'off') return null;
  const { protocol, hostname: name } = new URL(baseUrl);
  if (protocol !== 'https:')
    problems.push(
      `This server speaks HTTPS itself, so BASE_URL should begin with https://, but is "${baseUrl}".`,
    );
  if (files) return { httpPort, ...files };
  if (choice === 'auto' && isPublicName(name)) {
    if (httpPort === null)
      problems.push('HTTPS=auto needs HTTP_PORT: the authority asks there whether the name is yours.');
    return { httpPort, kind: 'acme', name, directory, email: contactEmail };
  }
  return { httpPort, kind: 'local' };
}
