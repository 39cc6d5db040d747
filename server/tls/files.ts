import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Certificate, CertificateSource } from './certificate.ts';
import { demandPair, endOf, isFor, namesOf } from './certificate.ts';

const LOOK_EVERY = 15_000;

/**
 * The admin's own certificate, read again when its files change. A pair that does not fit, as while the two are being
 * replaced, leaves the one before in use, and the log says so once.
 * @throws at start, with what is wrong with the files.
 */
export async function certificateFiles(
  { cert, key }: { cert: string; key: string },
  name: string,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  { lookEvery = LOOK_EVERY } = {},
): Promise<CertificateSource> {
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;

  async function read(): Promise<Certificate> {
    try {
      const [certificate, secret] = await Promise.all([readFile(cert, 'utf8'), readFile(key, 'utf8')]);
      const pair = { cert: certificate, key: secret };
      demandPair(pair);
      return pair;
    } catch (error) {
      throw new Error(`TLS_CERT and TLS_KEY cannot be used. ${(error as Error).message}`, { cause: error });
    }
  }

  const misnamed = (leaf: ReturnType<typeof demandPair>): string | null =>
    isFor(leaf, name)
      ? null
      : `The certificate in ${cert} is for ${namesOf(leaf).join(', ') || 'no name'}, not for ${name}, the name in ` +
        'BASE_URL: browsers will refuse it.';

  function tell(leaf: ReturnType<typeof demandPair>): void {
    const until = endOf(leaf);
    if (until < new Date())
      log.warn(`The certificate in ${cert} ran out on ${until.toISOString().slice(0, 10)}.`);
    const wrong = misnamed(leaf);
    if (wrong) log.warn(wrong);
  }

  let current = await read();
  let leaf = demandPair(current);
  tell(leaf);

  async function look(changed: (certificate: Certificate) => void): Promise<void> {
    try {
      const next = await read();
      problem = null;
      if (next.cert === current.cert && next.key === current.key) return;
      current = next;
      leaf = demandPair(next);
      tell(leaf);
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
      problem: problem ?? misnamed(leaf),
    }),
    start(changed) {
      timer = setInterval(() => void look(changed), lookEvery).unref();
    },
    stop: () => clearInterval(timer),
  };
}
