import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findMasterKey } from '#storage/keys.ts';
import type { Config } from '../config/config.ts';
import { BadConfig, readConfig } from '../config/config.ts';
import { withoutQuotes } from '../config/quoted.ts';
import { requireAccess } from '../datadir/cannot-use.ts';
import { makeFolder } from '../datadir/make-folder.ts';
import { readPem } from '../tls/files.ts';
import { readKeys } from '../updates/release.ts';

type Env = Record<string, string | undefined>;

/** @throws if the server would run without a log. */
async function requireLogFile(file: string | undefined): Promise<void> {
  if (!file) return;
  const codeOf = ({ code = 'unknown' }: NodeJS.ErrnoException) => code;
  const found = await stat(file).catch(codeOf);
  if (typeof found !== 'string' && found.isDirectory())
    throw new Error(
      `LOG_FILE names ${file}, which is a folder. Give a file in it, such as ${join(file, 'almirah.log')}.`,
    );
  const folder = dirname(file);
  const code = await (
    found === 'ENOENT'
      ? makeFolder(folder).then(() => access(folder, constants.W_OK))
      : access(file, constants.W_OK)
  ).then(() => null, codeOf);
  if (code !== null)
    throw new Error(
      `LOG_FILE names ${file}, which cannot be written (${code}). Give a file that the server's user may write.`,
    );
}

/** Why the settings that name keys, files or a folder cannot be used, whatever the other settings are. Never shows a key. */
async function wrongTargets(given: Env): Promise<string[]> {
  // Reported with the other settings already.
  const env = withoutQuotes(given, []);
  const dataDir = resolve(env.DATA_DIR?.trim() || 'data');
  const masterKey = env.MASTER_KEY?.trim();
  const masterKeyFile = env.MASTER_KEY_FILE?.trim();
  const [cert, key] = [env.TLS_CERT?.trim(), env.TLS_KEY?.trim()];
  const checks: Record<string, Promise<unknown>> = {
    DATA_DIR: requireAccess(dataDir),
    LOG_FILE: requireLogFile(env.LOG_FILE?.trim()),
    RELEASE_KEYS: (async () => readKeys(env.RELEASE_KEYS?.trim() ?? ''))(),
    ...(cert && { TLS_CERT: readPem('TLS_CERT', cert) }),
    ...(key && { TLS_KEY: readPem('TLS_KEY', key) }),
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
