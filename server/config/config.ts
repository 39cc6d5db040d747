import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { S3Address } from '#storage/s3/address.ts';
import { withoutLogin } from '#storage/s3/address.ts';
import type { BackupSettings } from '../backups/settings.ts';
import { readBackups } from './backups.ts';
import { readBlobs } from './blobs.ts';
import { readCredential } from './credential.ts';
import type { MailSettings } from './mail.ts';
import { readMail } from './mail.ts';
import type { ClamdAddress } from './clamd.ts';
import { readClamd } from './clamd.ts';
import type { PortalKey } from './einvoice-keys.ts';
import { readPortalKeys } from './einvoice-keys.ts';
import { readGateway, readInvoicing } from './payments.ts';
import { withoutQuotes } from './quoted.ts';
import type { HttpsSettings } from '../tls/contract.ts';
import { isPublicName, ownAddress, readHttps, wantsHttps } from './https.ts';
import type { InvoiceSettings } from '../invoices/settings.ts';
import { TRASH_DAYS } from '../documents/trash/contract.ts';
import { VERSIONS_KEPT, VERSION_DAYS } from '../documents/versions/contract.ts';
import { readProxies } from '../http/proxies.ts';
import type { GatewaySettings } from '../payments/settings.ts';

export interface Config {
  port: number;
  host: string;
  /** Null where plain http is served, directly or behind a proxy. */
  https: HttpsSettings | null;
  /** Whether browsers must use https from now on (Strict-Transport-Security). */
  hsts: boolean;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Absolute path. */
  dataDir: string;
  /** The bucket for the bytes of files; null: the data folder. */
  blobs: S3Address | null;
  /** The PostgreSQL database, `postgres://…`; null: an SQLite file in the data folder. */
  databaseUrl: string | null;
  appName: string;
  contactEmail: string;
  /** E-mail addresses of the installation's admins, in lower case. */
  installationAdmins: readonly string[];
  /** The operator of this server, for the terms and the privacy policy; '' when not set. */
  operatorName: string;
  operatorAddress: string;
  mail: MailSettings;
  /** The virus scanner, and whether it scans every upload; null when none is set up. */
  clamd: { address: ClamdAddress; all: boolean } | null;
  masterKey: string | null;
  masterKeyFile: string | null;
  /** The file in which systemd passes the master key to its service; null without one. */
  credential: string | null;
  /** File descriptor from which a command reads the key's passphrase instead of prompting. */
  passphraseFd: number | null;
  /** Loopback port of the page that takes the passphrase of a sealed key; null: only a terminal. */
  unlockPort: number | null;
  /** Networks of trusted reverse proxies, in CIDR notation. */
  trustProxy: readonly string[];
  /** Bearer token for /metrics; null: no such page. */
  metricsToken: string | null;
  /** Log file; null: standard output. */
  logFile: string | null;
  /** Public keys that replace those of the maintainers, as `readKeys` takes them; null for the maintainers'. */
  releaseKeys: string | null;
  logLevel: (typeof LOG_LEVELS)[number];
  abuseLimits: boolean;
  /** Whether anybody may register a new firm. */
  registration: (typeof REGISTRATION)[number];
  /** Days that deleted items stay in Trash; 0 deletes them immediately. */
  trashDays: number;
  /** Whether the text of documents is extracted in the background. */
  reading: boolean;
  /** How scanned pages are read. */
  scans: Scans;
  /** Public keys that verify the signatures of e-invoices. */
  portalKeys: readonly PortalKey[];
  /** Earlier versions: all of them for `days`, then the last of each day, at most `most`. */
  versions: { days: number; most: number };
  /** Whether the vault can be opened as a drive: over https, also over plain http, or not at all. */
  webdav: 'on' | 'plain' | 'off';
  /** Folder of the built desktop uploader, absolute. */
  desktopDir: string;
  /** Null when online payment is not set up. */
  gateway: GatewaySettings | null;
  invoicing: InvoiceSettings;
  /** Null when automatic backups are off. */
  backups: BackupSettings | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const PROXIES =
  '"off", or the addresses of your proxies such as "127.0.0.1, 10.0.0.0/8" (also: loopback, private, linklocal)';
const PORTAL_KEYS =
  'a file, or a folder of files, with public RSA keys or certificates of the Invoice Registration Portal (PEM or DER)';
const SWITCH = ['on', 'off'] as const;
const REGISTRATION = ['open', 'closed'] as const;
const DRIVES = ['on', 'plain', 'off'] as const;
const SCANS = ['on', 'light', 'off'] as const;
export type Scans = (typeof SCANS)[number];
export const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** All invalid variables together, so that an admin can correct them in one go. */
export class BadConfig extends Error {
  override name = 'BadConfig';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables; the README lists them.
 * @throws {BadConfig} with each invalid variable and its expected form.
 */
export function readConfig(given: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const env = withoutQuotes(given, problems);

  function read<T>(
    name: string,
    fallback: T,
    wanted: string,
    parse: (text: string) => T | undefined,
    { secret = false } = {},
  ): T {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    problems.push(`${name} should be ${wanted}${secret ? '' : `, but is "${withoutLogin(text)}"`}.`);
    return fallback;
  }
  const text = (name: string, fallback: string) => read(name, fallback, '', (text) => text);
  const oneOf = <T extends string>(name: string, choices: readonly T[], fallback: T) =>
    read(name, fallback, `one of ${choices.join(', ')}`, (text) => choices.find((choice) => choice === text));

  const secure = wantsHttps(env);
  const port = read('PORT', secure ? 443 : 3000, 'a port number from 0 to 65535', (text) =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
  );
  const host = read(
    'HOST',
    secure ? '0.0.0.0' : '127.0.0.1',
    'an address of this machine, such as 192.168.1.10, or 0.0.0.0 for all',
    (text) => (isIP(text) || /^[\w-]+(?:\.[\w-]+)*\.?$/.test(text) ? text : undefined),
  );
  const appName = text('APP_NAME', 'Almirah');
  const baseUrl = read(
    'BASE_URL',
    secure ? ownAddress(port) : `http://localhost:${port}`,
    'an address without a path, such as https://vault.example.in',
    origin,
  );
  const contactEmail = read('CONTACT_EMAIL', '', 'an e-mail address', (text) =>
    /^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined,
  );
  const https = readHttps(env, read, problems, { baseUrl, contactEmail });
  const { hostname: name } = new URL(baseUrl);
  const config: Config = {
    port,
    host,
    baseUrl,
    https,
    // With HSTS a browser that does not trust the office's own authority yet could not click through the warning.
    hsts: baseUrl.startsWith('https:') && (https === null || (https.kind !== 'local' && isPublicName(name))),
    dataDir: resolve(text('DATA_DIR', 'data')),
    blobs: readBlobs(env, problems),
    databaseUrl: read(
      'DATABASE_URL',
      null as string | null,
      'an address such as postgres://user:password@host/name',
      (text) => (/^postgres(?:ql)?:\/\/[^/]+\/./.test(text) && URL.canParse(text) ? text : undefined),
      { secret: true },
    ),
    appName,
    contactEmail,
    installationAdmins: read(
      'INSTALLATION_ADMINS',
      [],
      'e-mail addresses such as "asha@rao.in, vikram@rao.in"',
      emails,
    ),
    operatorName: text('OPERATOR_NAME', ''),
    operatorAddress: text('OPERATOR_ADDRESS', ''),
    mail: readMail(env, read, problems),
    clamd: readClamd(env, read),
    // Validated where it is used: here its value must not appear in an error message.
    masterKey: env.MASTER_KEY?.trim() || null,
    masterKeyFile: env.MASTER_KEY_FILE?.trim() || null,
    credential: readCredential(env),
    unlockPort: read(
      'UNLOCK_PORT',
      3600 as number | null,
      '"off", or a port number from 0 to 65535',
      (text) =>
        text === 'off' ? null : /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
    ),
    passphraseFd: read('PASSPHRASE_FD', null as number | null, 'the number of an open file', upTo(1023)),
    trustProxy: read('TRUST_PROXY', [], PROXIES, (text) =>
      text === 'off' ? [] : text === 'on' ? readProxies('loopback') : readProxies(text),
    ),
    metricsToken: read(
      'METRICS_TOKEN',
      null as string | null,
      'at least 16 letters and digits',
      (text) => (/^[\w.~+/=-]{16,}$/.test(text) ? text : undefined),
      { secret: true },
    ),
    releaseKeys: read('RELEASE_KEYS', null as string | null, '', (text) => text),
    logFile: read('LOG_FILE', null as string | null, '', (text) => resolve(text)),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    abuseLimits: oneOf('ABUSE_LIMITS', SWITCH, 'on') === 'on',
    registration: oneOf('REGISTRATION', REGISTRATION, 'open'),
    trashDays: read('TRASH_DAYS', TRASH_DAYS, 'a number of days from 0 (no Trash) to 3650', upTo(3650)),
    versions: {
      days: read('VERSION_DAYS', VERSION_DAYS, 'a number of days from 0 to 3650', upTo(3650)),
      most: read('VERSIONS_KEPT', VERSIONS_KEPT, 'a number of versions from 0 to 1000', upTo(1000)),
    },
    webdav: oneOf('WEBDAV', DRIVES, 'on'),
    desktopDir: resolve(text('DESKTOP_DIR', join(import.meta.dirname, '../../dist-desktop'))),
    reading: oneOf('READING', SWITCH, 'on') === 'on',
    scans: oneOf('READING_SCANS', SCANS, 'on'),
    portalKeys: read<readonly PortalKey[]>('EINVOICE_KEYS', [], PORTAL_KEYS, readPortalKeys),
    gateway: readGateway(env, read, problems),
    invoicing: readInvoicing(read, problems, appName),
    backups: readBackups(env, read, problems, resolve(text('DATA_DIR', 'data'))),
  };
  if (config.masterKey && config.masterKeyFile) {
    problems.push('MASTER_KEY and MASTER_KEY_FILE are both set; keep one of them.');
  }
  // Only a port that was chosen: the default may be that of a vault without a passphrase.
  if (env.UNLOCK_PORT?.trim() && config.unlockPort === port && port !== 0)
    problems.push(`UNLOCK_PORT is ${port}, and so is PORT: give two numbers.`);
  if (!config.abuseLimits && !LOOPBACK.has(host)) {
    problems.push(`ABUSE_LIMITS can be off only while HOST is a loopback address, but HOST is "${host}".`);
  }
  const allowed = oneOf('ALLOW_PLAIN_HTTP', SWITCH, 'off') === 'on';
  if (!allowed && !LOOPBACK.has(host) && baseUrl.startsWith('http:')) {
    problems.push(
      `HOST is ${host} and BASE_URL is plain http: anybody on the network could read passwords and documents. Set HTTPS=auto or ` +
        'local, or put a proxy with HTTPS in front and set BASE_URL to its https:// address. ALLOW_PLAIN_HTTP=on starts anyway.',
    );
  }
  if (problems.length > 0) throw new BadConfig(problems);
  return config;
}

/** Parses a whole number from 0 to `most`. */
const upTo =
  (most: number) =>
  (text: string): number | undefined =>
    /^\d{1,4}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

function emails(text: string): string[] | undefined {
  const list = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  return list.every((address) => /^[^\s@]+@[^\s@]+$/.test(address)) ? list : undefined;
}

function origin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.pathname === '/' && !url.search && !url.hash && !url.username;
  // A name for a certificate, such as *.example.in, is nothing that people can open.
  const isName = /^[\w.:[\]-]+$/.test(url.hostname);
  return plain && isName && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
