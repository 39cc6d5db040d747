import type { Logger } from 'pino';
import type { Authority } from './authority.ts';
import { openAuthority, machineNames } from './authority.ts';
import type { Certificate, CertificateSource } from './certificate.ts';
import { checkPair, endOf, isValidFor, namesOf } from './certificate.ts';
import type { KeyStore } from './key-store.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const RENEW_BEFORE_MS = 30 * DAY;

/**
 * Certificates of the office's own authority for the names and addresses of this machine; reissued when these
 * change, as after a new DHCP lease, and a month before expiry.
 */
export async function localCertificates(
  keyStore: KeyStore,
  { appName, name }: { appName: string; name: string },
  log: Pick<Logger, 'info' | 'error'>,
  clock: () => Date = () => new Date(),
): Promise<CertificateSource & { authority: Authority }> {
  const authority = await openAuthority(keyStore, { appName, name, now: clock() });
  const { load, save } = keyStore;
  const files = { cert: 'local.crt', key: 'local.key' };
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;
  let current: Certificate;

  /** Whether the certificate is of this authority, covers all names of the machine and is valid for long enough. */
  function isGood(pair: Certificate): boolean {
    try {
      const leaf = checkPair(pair);
      return (
        pair.cert.includes(authority.cert.trim()) &&
        machineNames(name).every((name) => isValidFor(leaf, name)) &&
        endOf(leaf).getTime() - clock().getTime() > RENEW_BEFORE_MS &&
        // A clock that was years ahead has issued a certificate that is not valid yet.
        new Date(leaf.validFrom) <= clock()
      );
    } catch {
      return false;
    }
  }

  async function issue(): Promise<Certificate> {
    const pair = await authority.issue(machineNames(name), clock());
    await save(files.key, pair.key);
    await save(files.cert, pair.cert);
    return pair;
  }

  async function renew(changed: (certificate: Certificate) => void): Promise<void> {
    try {
      current = await issue();
      problem = null;
      log.info(`A new certificate for ${namesOf(checkPair(current)).join(', ')} was made.`);
      changed(current);
    } catch (error) {
      problem = (error as Error).message;
      log.error({ err: error }, 'no new certificate could be made');
    }
  }

  const [cert, key] = await Promise.all([load(files.cert), load(files.key)]);
  current = { cert: cert ?? '', key: key ?? '' };
  if (!isGood(current)) current = await issue();

  return {
    authority,
    current: () => current,
    view() {
      const leaf = checkPair(current);
      return {
        kind: 'local',
        names: namesOf(leaf),
        valid_until: endOf(leaf).toISOString(),
        fingerprint: authority.fingerprint,
        problem,
      };
    },
    start(changed) {
      timer = setInterval(() => {
        if (isGood(current)) return;
        void renew(changed);
      }, HOUR / 4).unref();
    },
    stop: () => clearInterval(timer),
  };
}
