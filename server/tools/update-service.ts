import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import { sealedPath } from '../datadir/keys/sealed-file.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import type { Service } from '../updates/update.ts';
import { asOwner } from './as-owner.ts';
import { Refused } from './refused.ts';
import { SERVICE, UNIT } from './service-settings.ts';

const run = promisify(execFile);

/** Ms that the server must stay ready, ms that it may take to become ready, and ms between checks. */
interface Watch {
  steady: number;
  patience: number;
  pause: number;
}
export const WATCH: Watch = { steady: 20_000, patience: 5 * 60_000, pause: 1000 };
const FAILURES = 3;

/** The server's response, from the address that it listens on; null without one. */
export function requestLocal(
  { host, port, https }: Pick<Config, 'host' | 'port' | 'https'>,
  path: string,
): Promise<{ status: number; type: string } | null> {
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const options = { host: near, port, path, timeout: 10_000, agent: false as const };
  return new Promise((resolve) => {
    // The certificate is for the public name, not for the local address of this request.
    const request = https
      ? secureRequest({ ...options, rejectUnauthorized: false })
      : plainRequest({ ...options, headers: { connection: 'close' } });
    request
      .once('response', (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '' });
      })
      .once('timeout', () => request.destroy())
      .once('error', () => resolve(null))
      .end();
  });
}

const isReady = async (config: Pick<Config, 'host' | 'port' | 'https'>): Promise<boolean> =>
  (await requestLocal(config, '/readyz'))?.status === 200;

/** Resolves once the server has been ready for long enough. @throws when it fails. */
async function watchServer(
  config: Pick<Config, 'host' | 'port' | 'https'>,
  { steady, patience, pause }: Watch = WATCH,
): Promise<void> {
  const until = performance.now() + patience;
  let [since, failures] = [null as number | null, 0];
  for (;;) {
    const ready = await isReady(config);
    const now = performance.now();
    if (ready) {
      since ??= now;
      failures = 0;
      if (now - since >= steady) return;
    } else if (since !== null) {
      failures += 1;
      if (failures === FAILURES) throw new Error('it stopped answering.');
    } else if (now > until) throw new Error('it did not become ready.');
    await wait(pause);
  }
}

/** Whether the installed service runs from the installation folder `base`. */
export function hasService(base: string): boolean {
  if (!existsSync('/run/systemd/system') || !existsSync(UNIT)) return false;
  const unit = readFileSync(UNIT, 'utf8');
  if (unit.includes(`${base}/current/`)) return true;
  if (!unit.includes(`${base}/`)) return false;
  throw new Refused(
    `The service starts ${base} itself and would not see an update. Write it anew once: npm run admin -- install`,
  );
}

const asksPassphrase = (dataDir: string): boolean =>
  !existsSync(join(dataDir, 'master.key')) && existsSync(sealedPath(dataDir));

/** The service that `install` has set up. */
export const systemdService = (config: Config): Service => ({
  stop: async () => void (await run('systemctl', ['stop', SERVICE])),
  async start() {
    await run('systemctl', ['reset-failed', SERVICE]).catch(() => {});
    await run('systemctl', ['start', SERVICE]).catch(() => {
      throw new Error(`the service did not start: journalctl -u ${SERVICE} says why.`);
    });
  },
  // With a passphrase at each start, allow time for somebody to come and type it.
  watch: () =>
    watchServer(config, asksPassphrase(config.dataDir) ? { ...WATCH, patience: 30 * 60_000 } : WATCH),
});

/** Without a service: a person starts and stops the server. */
export const noService = ({ dataDir }: Config): Service => ({
  async stop() {
    const release = await asOwner(dataDir, () => lockDataFolder(dataDir)).catch(() => {
      throw new Refused(
        'The server runs, and is no service of this machine that could be stopped here. Stop it, then run this again.',
      );
    });
    await release();
  },
  start: null,
  watch: async () => {},
});
