import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { Locked, unlocked } from '../datadir/keys/unlock.ts';
import { certificateFiles } from '../tls/files.ts';
import type { Tls } from '../tls/service.ts';
import { askAdmin } from '../tools/ask-passphrase.ts';
import type { Listening } from './listen.ts';
import { listen, listenPlain } from './listen.ts';
import { lockedAnswer } from './locked-page.ts';
import type { Notifier } from './notify.ts';
import { waitForPassphrase } from './unlock.ts';

/** What answers already, although the vault is not open yet. */
export interface Door {
  tls: Tls | null;
  listening: Listening;
  answerWith(answer: RequestListener): void;
}

/**
 * Tells everybody that the vault is locked. With a certificate of the admin's, or without https, it is the same door
 * afterwards. Private keys that were made here are sealed with the master key: then plain http alone is answered, by a door
 * that makes room for the real one (`stays` is false).
 */
export async function openLockedServer(config: Config, log: Logger): Promise<Door & { stays: boolean }> {
  let answer = lockedAnswer(config.appName);
  const answerWith = (next: RequestListener) => void (answer = next);
  const { https, host, baseUrl } = config;
  if (https && https.kind !== 'files') {
    log.warn('https is not answered before the vault is unlocked: the key of its certificate is sealed too.');
    const listening =
      https.httpPort === null
        ? { port: 0, httpPort: null, close: async () => {} }
        : await listenPlain((req, res) => answer(req, res), { host, port: https.httpPort }, 'HTTP_PORT');
    return { tls: null, listening, answerWith, stays: false };
  }
  const tls = https && (await certificateFiles(https, new URL(baseUrl).hostname, log));
  const listening = await listen((req, res) => answer(req, res), config, tls, log);
  return { tls, listening, answerWith, stays: true };
}

/**
 * The settings with the master key in them. The passphrase of a sealed one is asked for in the terminal; a service has none, and takes
 * it by a page on this machine alone, while everybody else is told that the vault is locked.
 * @throws with a sentence for the admin.
 */
export async function openedSettings(
  config: Config,
  log: Logger,
  systemd: Notifier,
): Promise<{ config: Config; door: Door | null }> {
  try {
    return { config: await unlocked(config, askAdmin(config)), door: null };
  } catch (error) {
    const { unlockPort, passphraseFd } = config;
    if (!(error instanceof Locked) || unlockPort === null || passphraseFd !== null || process.stdin.isTTY)
      throw error;
    const door = await openLockedServer(config, log);
    systemd.locked();
    const open = (passphrase: string) =>
      unlocked(config, async (wrong) => (wrong === null ? passphrase : null));
    const settings = await waitForPassphrase(unlockPort, { ...config, open, log });
    if (door.stays) return { config: settings, door };
    await door.listening.close(0);
    return { config: settings, door: null };
  }
}
