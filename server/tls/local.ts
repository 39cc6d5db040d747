import type { Logger } from 'pino';
import { dayInWords } from '#server/text/day-in-india.ts';
import type { Authority } from './authority.ts';
import { openAuthority, machineNames } from './authority.ts';
import type { Certificate, CertificateSource } from './certificate.ts';
import { checkPair, endOf, isValidFor, namesOf } from './certificate.ts';
import type { KeyStore } from './key-store.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const RENEW_BEFORE_MS = 30 * DAY;

const NEW_AUTHORITY =
  'To make a new one, stop the server, delete authority.crt and authority.key in the folder "tls" of DATA_DIR, and start it ' +
  'again. Every computer and phone then has to trust it anew, at /trust.';

/**
 * Certificates of the office's own authority for the names and addresses of this machine; reissued when these
 * change, as after a new DHCP lease, and a month before expiry. Left out are those for which the authority may not
 * vouch, such as a new IPv6 address of the Internet: browsers would refuse the whole certificate.
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
  const bareName = name.replace(/^\[|\]$/g, '');
  const names = () => machineNames(name).filter(authority.permits);
  /** The end of what is issued: at the latest that of the authority. */
  const endsTooSoon = (end: Date): boolean => end.getTime() - clock().getTime() <= RENEW_BEFORE_MS;

  /** Why browsers refuse, or will, what the authority issues; only a new authority helps. */
  function authorityProblem(): string | null {
    if (!authority.permits(bareName))
      return `The authority of this office was made for other names and cannot vouch for ${bareName}, the name in BASE_URL: browsers refuse the certificate. ${NEW_AUTHORITY}`;
    return endsTooSoon(authority.validUntil)
      ? `The authority of this office ${authority.validUntil < clock() ? 'ended' : 'ends'} on ${dayInWords(authority.validUntil)}. ${NEW_AUTHORITY}`
      : null;
  }

  /** Whether the certificate is of this authority, covers all names of the machine and is valid for long enough. */
  function isGood(pair: Certificate): boolean {
    try {
      const leaf = checkPair(pair);
      return (
        pair.cert.includes(authority.cert.trim()) &&
        names().every((name) => isValidFor(leaf, name)) &&
        namesOf(leaf).every(authority.permits) &&
        (!endsTooSoon(endOf(leaf)) || endOf(leaf) >= authority.validUntil) &&
        // A clock that was years ahead has issued a certificate that is not valid yet.
        new Date(leaf.validFrom) <= clock()
      );
    } catch {
      return false;
    }
  }

  async function issue(): Promise<Certificate> {
    const pair = await authority.issue(names(), clock());
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
        problem: problem ?? authorityProblem(),
      };
    },
    start(changed) {
      const wrong = authorityProblem();
      if (wrong) log.error(wrong);
      timer = setInterval(() => {
        if (isGood(current)) return;
        void renew(changed);
      }, HOUR / 4).unref();
    },
    stop: () => clearInterval(timer),
  };
}
