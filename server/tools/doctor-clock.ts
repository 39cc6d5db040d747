import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_FILE } from '../../knexfile.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { clockFault } from '../system/clock-fault.ts';
import { watchRemoteTime } from '../system/remote-time.ts';
import { momentInWords } from '../text/day-in-india.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';

const TIMEOUT_MS = 5000;
const run = promisify(execFile);

/**
 * @param status what `timedatectl` says; null where it is missing.
 * @param fault why the clock must be wrong; null when there is no sign of it.
 */
export function clockFinding(
  now: string,
  status: { synchronized: boolean; can: boolean } | null,
  fault: string | null = null,
): Finding {
  // Debian's smallest installation has no program that the switch could turn on.
  const right =
    status?.can === false ? 'sudo apt-get install systemd-timesyncd' : 'sudo timedatectl set-ntp true';
  if (fault) return wrong('Clock', `${fault} ${status ? right : 'Set the clock of this machine.'}`);
  if (!status) return well('Clock', `${now}; compare it with your phone`);
  if (status.synchronized) return well('Clock', `${now}, kept right over the network`);
  return wrong('Clock', `says ${now}, and nothing keeps it right: ${right}`);
}

/** Hosts that the server contacts over HTTPS anyway; only the Date header of their response matters. */
const neighbours = ({ https, backups, blobs }: Pick<Config, 'https' | 'backups' | 'blobs'>): string[] =>
  [https?.kind === 'acme' ? https.directory : '', backups?.s3?.endpoint ?? '', blobs?.endpoint ?? ''].filter(
    (address) => address.startsWith('https:'),
  );

/** When the database was last written, which cannot be in the future. */
async function lastWritten(dataDir: string): Promise<Date | null> {
  const files = [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => join(dataDir, name));
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return times.some(Boolean) ? new Date(Math.max(...times)) : null;
}

/** Why the clock must be wrong, as far as other hosts and the data folder show; null when there is no sign of it. */
export async function faultHere(
  config: Pick<Config, 'https' | 'backups' | 'blobs' | 'dataDir'>,
  now: Clock,
): Promise<string | null> {
  const remoteTime = watchRemoteTime({ clock: now });
  try {
    const ask = (address: string) =>
      fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {});
    await Promise.all(neighbours(config).map(ask));
    const recorded = await lastWritten(config.dataDir);
    return clockFault(now(), { recorded, remote: remoteTime.latest(), ticks: performance.now() });
  } finally {
    remoteTime.stop();
  }
}

export async function clock(config: Config): Promise<Finding> {
  const status = await run('timedatectl', ['show', '-p', 'NTPSynchronized', '-p', 'CanNTP']).catch(
    () => null,
  );
  const says = (line: string) => status?.stdout.split('\n').includes(line) ?? false;
  return clockFinding(
    momentInWords(new Date()),
    status && { synchronized: !says('NTPSynchronized=no'), can: !says('CanNTP=no') },
    await faultHere(config, () => new Date()),
  );
}
