import type { Config } from './config.ts';
import { LOOPBACK } from './config.ts';

/** Warnings for the log at start: settings that work but should not stay so. */
export function warningsOf(
  { host, baseUrl, databaseUrl }: Pick<Config, 'host' | 'baseUrl' | 'databaseUrl'>,
  env: Record<string, string | undefined>,
): string[] {
  return [
    !LOOPBACK.has(host) &&
      baseUrl.startsWith('http:') &&
      `HOST is ${host} and BASE_URL is plain http: passwords and documents cross the network unencrypted, for anybody on it ` +
        'to read. Set HTTPS=auto or local, or put a proxy with HTTPS in front and set BASE_URL to its https:// address.',
    databaseUrl !== null &&
      'The database is in PostgreSQL, where it is not sealed. Keep it on an encrypted disk.',
    env['TRUST_PROXY']?.trim() === 'on' &&
      'TRUST_PROXY=on is out of date and believes only proxies on this machine. Write the address of your proxy instead, ' +
        'such as TRUST_PROXY=127.0.0.1 or TRUST_PROXY=172.16.0.0/12.',
  ].filter((warning) => warning !== false);
}
