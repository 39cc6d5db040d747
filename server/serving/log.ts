import { pino } from 'pino';
import type { Logger, LoggerOptions } from 'pino';
import type { Config } from '../config/config.ts';
import { loggedError } from '../http/logged-error.ts';

/** For every log that is written anywhere. Requests never put headers or bodies in it; of errors only safe fields. */
export const logOptions = {
  base: null,
  serializers: { err: loggedError, error: loggedError },
  redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
} satisfies LoggerOptions;

/** JSON lines for machines; readable lines where a person looks on. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const options = { ...logOptions, level: logLevel };
  if (!process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } },
  });
}
