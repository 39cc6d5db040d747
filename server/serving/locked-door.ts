import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { Locked, unlocked } from '../datadir/keys/unlock.ts';
import { openTls } from '../tls/service.ts';
import type { Tls } from '../tls/service.ts';
import { askAdmin } from '../tools/ask-passphrase.ts';
import type { Listening } from './listen.ts';
import { listen } from './listen.ts';
import { lockedAnswer } from './locked-page.ts';
import type { Notifier } from './notify.ts';
import { waitForPassphrase } from './unlock.ts';

/** What answers already, although the vault is not open yet. */
export interface Door {
  tls: Tls | null;
  listening: Listening;
  answerWith(answer: RequestListener): void;
}

async function openDoor(config: Config, log: Logger): Promise<Door> {
  let answer = lockedAnswer(config.appName);
  const tls = config.https && (await openTls(config.https, config, log));
  const listening = await listen((req, res) => answer(req, res), config, tls, log);
  return { tls, listening, answerWith: (next) => void (answer = next) };
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
    const door = await openDoor(config, log);
    systemd.locked();
    const open = (passphrase: string) =>
      unlocked(config, async (wrong) => (wrong === null ? passphrase : null));
    return { config: await waitForPassphrase(unlockPort, { ...config, open, log }), door };
  }
}
