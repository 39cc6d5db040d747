import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { Locked, unlocked } from '../datadir/keys/unlock.ts';
import { certificateFiles } from '../tls/files.ts';
import type { Tls } from '../tls/service.ts';
import { askAdmin } from '../tools/ask-passphrase.ts';
import type { Listener } from './listen.ts';
import { listen, listenPlain } from './listen.ts';
import { lockedListener } from './locked-page.ts';
import type { Notifier } from './notify.ts';
import { waitForPassphrase } from './unlock.ts';

/** A server that already listens while the vault is locked. */
interface LockedServer {
  tls: Tls | null;
  listening: Listener;
  setListener(answer: RequestListener): void;
}

/**
 * Responds to every request that the vault is locked. With the admin's own certificate, or without https, the
 * same listener serves the vault afterwards. Private keys that this server created are sealed with the master
 * key; then only plain http is served, and the listener must be closed before the real one starts (`isReusable`
 * is false).
 */
export async function openLockedServer(
  config: Config,
  log: Logger,
): Promise<LockedServer & { isReusable: boolean }> {
  let answer = lockedListener(config.appName);
  const setListener = (next: RequestListener) => void (answer = next);
  const { https, host, baseUrl } = config;
  if (https && https.kind !== 'files') {
    log.warn('https is not answered before the vault is unlocked: the key of its certificate is sealed too.');
    const listening =
      https.httpPort === null
        ? { port: 0, httpPort: null, close: async () => {} }
        : await listenPlain((req, res) => answer(req, res), { host, port: https.httpPort }, 'HTTP_PORT');
    return { tls: null, listening, setListener, isReusable: false };
  }
  const tls = https && (await certificateFiles(https, new URL(baseUrl).hostname, log));
  const listening = await listen((req, res) => answer(req, res), config, tls, log);
  return { tls, listening, setListener, isReusable: true };
}

/**
 * The settings with the master key filled in. The passphrase of a sealed key is asked for in the terminal. A
 * service has no terminal: it takes the passphrase through a page on the loopback address, while the public
 * address responds that the vault is locked.
 * @throws an error with a message for the admin.
 */
export async function unlockSettings(
  config: Config,
  log: Logger,
  systemd: Notifier,
): Promise<{ config: Config; locked: LockedServer | null }> {
  try {
    return { config: await unlocked(config, askAdmin(config)), locked: null };
  } catch (error) {
    const { unlockPort, passphraseFd } = config;
    if (!(error instanceof Locked) || unlockPort === null || passphraseFd !== null || process.stdin.isTTY)
      throw error;
    const locked = await openLockedServer(config, log);
    systemd.locked();
    const open = (passphrase: string) =>
      unlocked(config, async (wrong) => (wrong === null ? passphrase : null));
    const settings = await waitForPassphrase(unlockPort, { ...config, open, log });
    if (locked.isReusable) return { config: settings, locked };
    await locked.listening.close(0);
    return { config: settings, locked: null };
  }
}
