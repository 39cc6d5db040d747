import { pino } from 'pino';
import { AppError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { compose } from '../services.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { openAlongside, vaultLockOf } from './open-alongside.ts';
import { Refused } from './refused.ts';

/**
 * Runs `work` with all services of a data folder, beside a server that may be running; no background work is
 * started.
 */
export async function withServices<T>(
  env: Record<string, string | undefined>,
  work: (services: Services, parts: Awaited<ReturnType<typeof openAlongside>>) => Promise<T>,
): Promise<T> {
  const config = await readUnlockedConfig(env);
  const beside = await openAlongside(config);
  const log = pino({ level: 'silent' });
  try {
    return await work(
      compose({
        ...beside,
        config,
        log,
        clock: () => new Date(),
        backups: { ...config, settings: config.backups, tryLock: vaultLockOf(config) },
      }),
      beside,
    );
  } catch (error) {
    throw error instanceof AppError ? new Refused(error.message) : error;
  } finally {
    await beside.close();
  }
}
