import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';
import { SERVICE, UNIT } from './service-settings.ts';

const run = promisify(execFile);
const PROPERTIES = ['ActiveState', 'Result', 'NRestarts'];

/** Why the service does not run, in the words of systemd. */
const REASONS: Record<string, string> = {
  'exit-code': 'the server ended with an error',
  signal: 'the server was ended by a signal',
  'core-dump': 'the server crashed',
  watchdog: 'the server did not respond',
  timeout: 'the server did not become ready in time',
  'oom-kill': 'the machine had no memory left',
};

/** @param shown what `systemctl show` prints about the service. */
export function serviceFinding(shown: string): Finding {
  const {
    ActiveState: state,
    Result: result = '',
    NRestarts: restarts = '0',
  } = Object.fromEntries(
    shown
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  ) as Record<string, string | undefined>;
  const reason = REASONS[result] ?? result;
  const why = `sudo journalctl -u ${SERVICE} -n 20 says why.`;
  if (state === 'failed')
    return wrong(
      'Service',
      `it has failed and is not started again (${reason}). ${why} Then: sudo systemctl restart ${SERVICE}`,
    );
  // Between two starts systemd waits, and the service is neither failed nor stopped. Each new start forgets the reason, but
  // only one by hand the number.
  if (state === 'activating' && (result !== 'success' || restarts !== '0')) {
    const facts = result === 'success' ? '' : `${reason}; `;
    return wrong('Service', `it fails again and again (${facts}restarts: ${restarts}). ${why}`);
  }
  if (state === 'activating') return well('Service', 'starts just now');
  if (state === 'active') return well('Service', 'runs');
  return wrong('Service', `it is stopped: sudo systemctl start ${SERVICE}`);
}

/** The state of the service that `install` has set up for this data folder; null without one. */
export async function service(
  { dataDir }: Pick<Config, 'dataDir'>,
  unit: string = UNIT,
): Promise<Finding | null> {
  const written = await readFile(unit, 'utf8').catch(() => '');
  if (!written.includes(`"${dataDir}"`)) return null;
  const { stdout } = await run('systemctl', ['show', SERVICE, `--property=${PROPERTIES.join(',')}`]);
  return serviceFinding(stdout);
}
