import { resolve } from 'node:path';
import { findMasterKey } from '#storage/keys.ts';
import type { Config } from '../config/config.ts';
import { BadConfig, readConfig } from '../config/config.ts';
import { requireAccess } from '../datadir/cannot-use.ts';

type Env = Record<string, string | undefined>;

/** Why the settings that name a key or a folder cannot be used, whatever the other settings are. Never shows a key. */
async function wrongTargets(env: Env): Promise<string[]> {
  const dataDir = resolve(env.DATA_DIR?.trim() || 'data');
  const masterKey = env.MASTER_KEY?.trim();
  const masterKeyFile = env.MASTER_KEY_FILE?.trim();
  const checks: Record<string, Promise<unknown>> = {
    DATA_DIR: requireAccess(dataDir),
    ...(masterKey && { MASTER_KEY: findMasterKey({ dataDir, masterKey }) }),
    ...(masterKeyFile && { MASTER_KEY_FILE: findMasterKey({ dataDir, masterKeyFile }) }),
  };
  const problems = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check.then(
        () => null,
        ({ message }: Error) => (message.startsWith(`${name} `) ? message : `${name}: ${message}`),
      ),
    ),
  );
  return problems.filter((problem) => problem !== null);
}

/**
 * The settings of the server.
 * @throws {BadConfig} with everything that is wrong with them, so that one more start suffices.
 */
export async function settingsAtStart(env: Env): Promise<Config> {
  const problems: string[] = [];
  let config: Config | null = null;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    problems.push(...error.problems);
  }
  problems.push(...(await wrongTargets(env)));
  if (config === null || problems.length > 0) throw new BadConfig(problems);
  return config;
}
