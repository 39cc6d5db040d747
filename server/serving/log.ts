import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Logger, LoggerOptions } from 'pino';
import type { Config } from '../config/config.ts';
import { loggedError } from '../http/logged-error.ts';

/** For every log that is written anywhere. Requests never put headers or bodies in it; of errors only safe fields. */
export const logOptions = {
  base: null,
  serializers: { err: loggedError, error: loggedError },
  redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
} satisfies LoggerOptions;

/** A file that is set aside and compressed at its limit; the last ten such stay. Of its failures the standard error tells. */
export function openLogFile(file: string, limit: '20M' | '1K' = '20M'): Writable {
  const stream = createStream(basename(file), {
    path: dirname(file),
    size: limit,
    maxFiles: 10,
    compress: 'gzip',
    mode: 0o600,
  });
  let failing = false;
  stream.on('error', (error) => {
    if (!failing) process.stderr.write(`LOG_FILE cannot be written: ${error.message}\n`);
    failing = true;
  });
  return stream;
}

/** JSON lines for machines; readable lines where a person looks on. */
export function createLog({
  logLevel,
  logFile = null,
}: Pick<Config, 'logLevel'> & Partial<Pick<Config, 'logFile'>>): Logger {
  const options = { ...logOptions, level: logLevel };
  if (logFile !== null) return pino(options, openLogFile(logFile));
  if (!process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } },
  });
}
