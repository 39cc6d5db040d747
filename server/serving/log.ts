import { pino } from 'pino';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

/**
 * JSON lines for machines; readable lines where a person looks on. Requests never put headers or bodies in it, and
 * what slips into an error's own fields is cut out here.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const options = {
    level: logLevel,
    base: null,
    redact: [
      'password',
      '*.password',
      'token',
      '*.token',
      '*.authorization',
      '*.cookie',
      'err.bindings',
      'err.sql',
    ],
  };
  if (!process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } },
  });
}
