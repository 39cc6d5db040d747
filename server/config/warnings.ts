import { fstatSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { pingClamd } from '../scanning/ping.ts';
import type { Config } from './config.ts';
import { LOOPBACK } from './config.ts';

type Env = Record<string, string | undefined>;

/** In the spellings of the C library, which Node takes too. */
const ZONE_PREFIX = /^:?(?:\/usr\/share\/zoneinfo\/)?(?:posix\/|right\/)?/;

/** Whether Node knows the time zone; it counts in UTC where it does not, and says nothing. */
function isTimeZone(name: string): boolean {
  const timeZone = name.replace(ZONE_PREFIX, '');
  if (timeZone === '/etc/localtime') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format() !== '';
  } catch {
    return false;
  }
}

/** Warnings for the log at start: settings that work but should not stay so. */
export function warningsOf(
  { host, baseUrl, databaseUrl }: Pick<Config, 'host' | 'baseUrl' | 'databaseUrl'>,
  env: Env,
): string[] {
  const timeZone = env['TZ']?.trim() ?? '';
  return [
    timeZone !== '' &&
      !isTimeZone(timeZone) &&
      `TZ should be a time zone such as Asia/Kolkata, but is "${timeZone}" and without effect. Dates are those of India in any case.`,
    !LOOPBACK.has(host) &&
      baseUrl.startsWith('http:') &&
      `HOST is ${host} and BASE_URL is plain http: passwords and documents cross the network unencrypted, for anybody on it ` +
        'to read. Set HTTPS=auto or local, or put a proxy with HTTPS in front and set BASE_URL to its https:// address.',
    databaseUrl !== null &&
      'The database is in PostgreSQL, where it is not sealed. Keep it on an encrypted disk.',
    env['TRUST_PROXY']?.trim() === 'on' &&
      'TRUST_PROXY=on is out of date and believes only proxies on this machine. Write the address of your proxy instead, ' +
        'such as TRUST_PROXY=127.0.0.1 or TRUST_PROXY=172.16.0.0/12.',
  ].filter((warning) => warning !== false);
}

/**
 * A warning if the folder for the backups cannot be used now. It does not prevent the start: a disk may be plugged in or a
 * share mounted later, and documents are needed without it too.
 */
export async function missingBackupFolder({ backups }: Pick<Config, 'backups'>): Promise<string | null> {
  if (!backups || backups.s3) return null;
  const { place } = backups;
  const codeOf = ({ code = 'unknown' }: NodeJS.ErrnoException) => code;
  const found = await stat(place).catch(codeOf);
  if (typeof found !== 'string' && !found.isDirectory())
    return `BACKUP_DIR names ${place}, which is not a folder: no backup can be made. Set it to a folder.`;
  if (typeof found !== 'string') {
    const code = await access(place, constants.W_OK).then(() => null, codeOf);
    return (
      code &&
      `BACKUP_DIR names ${place}, which cannot be written (${code}): no backup can be made. Where "install" has set up a service, run it ` +
        'again after a change of BACKUP_DIR. Otherwise give the folder to the user that the server runs as.'
    );
  }
  return found === 'ENOENT'
    ? `BACKUP_DIR names ${place}, which is not there: no backup can be made. Connect the disk or mount the share, or make the folder.`
    : `BACKUP_DIR names ${place}, which cannot be opened (${found}): no backup can be made. Give it to the user that the server runs as.`;
}

/** A warning if builds of the uploader are wanted from a folder that is not there. */
async function missingDesktopFolder({ desktopDir }: Config, env: Env): Promise<string | null> {
  if (!env['DESKTOP_DIR']?.trim()) return null;
  const isFolder = await stat(desktopDir).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder
    ? null
    : `DESKTOP_DIR names ${desktopDir}, which is no folder that this user can see: no uploader is offered.`;
}

async function silentScanner({ clamd }: Config, env: Env): Promise<string | null> {
  const why = clamd && (await pingClamd(clamd.address));
  return (
    why &&
    `CLAMD_URL is ${env['CLAMD_URL']?.trim()}, where no ClamAV answers (${why}): what it should scan cannot be opened until it does.`
  );
}

/** What is not there that the settings name, beside the folder for backups. It may come later, so it does not prevent the start. */
export async function missingPlaces(config: Config, env: Env): Promise<string[]> {
  const warnings = await Promise.all([missingDesktopFolder(config, env), silentScanner(config, env)]);
  return warnings.filter((warning) => warning !== null);
}

/** A warning if the passphrase should come from a file descriptor that this process was not given. */
export function closedDescriptor({ passphraseFd }: Pick<Config, 'passphraseFd'>): string | null {
  if (passphraseFd === null) return null;
  try {
    fstatSync(passphraseFd);
    return null;
  } catch {
    return `PASSPHRASE_FD is ${passphraseFd}, but no file is open there: no passphrase can be read from it. Use 0 for standard input, or leave it out.`;
  }
}
