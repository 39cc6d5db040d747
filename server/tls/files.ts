import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import type { Certificate, CertificateSource } from './certificate.ts';
import { checkPair, endOf, isValidFor, namesOf } from './certificate.ts';

const CHECK_INTERVAL_MS = 15_000;
const HOLDS = { TLS_CERT: 'certificate', TLS_KEY: 'key' };

/** Reads the file that a setting names. @throws with a message for the admin when there is no such file, or it may not be read. */
export async function readPem(setting: keyof typeof HOLDS, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const give = `Give the PEM file of your ${HOLDS[setting]}.`;
    const wrong =
      code === 'ENOENT'
        ? `is not there. ${give}`
        : code === 'EISDIR'
          ? `is a folder. ${give}`
          : `the server's user may not read (${code}).`;
    throw new Error(`${setting} names ${file}, which ${wrong}`, { cause: error });
  }
}

/**
 * The admin's own certificate, read again when its files change. Files that do not match, as while they are
 * being replaced, leave the previous certificate in use; this is logged once.
 * @throws at start, with what is wrong with the files.
 */
export async function certificateFiles(
  { cert, key }: { cert: string; key: string },
  name: string,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  { checkIntervalMs = CHECK_INTERVAL_MS } = {},
): Promise<CertificateSource> {
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;

  async function read(): Promise<Certificate> {
    try {
      const [certificate, secret] = await Promise.all([readPem('TLS_CERT', cert), readPem('TLS_KEY', key)]);
      const pair = { cert: certificate, key: secret };
      checkPair(pair);
      // The other certificates of the chain, and what OpenSSL finds too weak.
      createSecureContext(pair);
      return pair;
    } catch (error) {
      throw new Error(`TLS_CERT and TLS_KEY cannot be used. ${(error as Error).message}`, { cause: error });
    }
  }

  function unfit(leaf: ReturnType<typeof checkPair>): string | null {
    if (!isValidFor(leaf, name))
      return (
        `The certificate in ${cert} is for ${namesOf(leaf).join(', ') || 'no name'}, not for ${name}, the name in ` +
        'BASE_URL: browsers will refuse it.'
      );
    const from = new Date(leaf.validFrom);
    if (from <= new Date()) return null;
    return `The certificate in ${cert} is valid only from ${from.toISOString().slice(0, 10)}: browsers will refuse it until then.`;
  }

  function warn(leaf: ReturnType<typeof checkPair>): void {
    const until = endOf(leaf);
    if (until < new Date())
      log.warn(`The certificate in ${cert} ran out on ${until.toISOString().slice(0, 10)}.`);
    const wrong = unfit(leaf);
    if (wrong) log.warn(wrong);
  }

  let current = await read();
  let leaf = checkPair(current);
  warn(leaf);

  async function reload(changed: (certificate: Certificate) => void): Promise<void> {
    try {
      const next = await read();
      problem = null;
      if (next.cert === current.cert && next.key === current.key) return;
      current = next;
      leaf = checkPair(next);
      warn(leaf);
      log.info(`The certificate was read again; it is good until ${endOf(leaf).toISOString().slice(0, 10)}.`);
      changed(next);
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log.error(`${message} The one before stays in use.`);
      problem = message;
    }
  }

  return {
    current: () => current,
    view: () => ({
      kind: 'files',
      names: namesOf(leaf),
      valid_until: endOf(leaf).toISOString(),
      fingerprint: null,
      problem: problem ?? unfit(leaf),
    }),
    start(changed) {
      timer = setInterval(() => void reload(changed), checkIntervalMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
