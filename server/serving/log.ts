import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Logger, LoggerOptions } from 'pino';
import type { Config } from '../config/config.ts';
import { loggedError } from '../http/logged-error.ts';

/** Options for every logger. Requests never log headers or bodies, and errors only safe fields. */
export const logOptions = {
  base: null,
  serializers: { err: loggedError, error: loggedError },
  redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
} satisfies LoggerOptions;

/** A log file that rotates and compresses at its size limit; ten rotated files are kept. Its errors go to stderr. */
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

/** JSON lines; readable text on a terminal. */
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
