import type { Logger } from 'pino';
import type { Authority } from './authority.ts';
import { openAuthority, ownNames } from './authority.ts';
import type { Certificate, CertificateSource } from './certificate.ts';
import { demandPair, endOf, isFor, namesOf } from './certificate.ts';
import type { Keeper } from './kept.ts';

const DAY = 24 * 60 * 60_000;
const HOUR = 60 * 60_000;
const RENEW_AT = 30 * DAY;

/**
 * Certificates by the office's own authority, for the names and addresses that the machine has: made anew when these
 * change, as when the router gives out another address, and a month before they end.
 */
export async function localCertificates(
  keeper: Keeper,
  { appName, name }: { appName: string; name: string },
  log: Pick<Logger, 'info' | 'error'>,
  clock: () => Date = () => new Date(),
): Promise<CertificateSource & { authority: Authority }> {
  const authority = await openAuthority(keeper, { appName, name, now: clock() });
  const { keep, kept } = keeper;
  const files = { cert: 'local.crt', key: 'local.key' };
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;
  let current: Certificate;

  /** Whether it holds for all names of the machine and for long enough, by this authority. */
  function isGood(pair: Certificate): boolean {
    try {
      const leaf = demandPair(pair);
      return (
        pair.cert.includes(authority.cert.trim()) &&
        ownNames(name).every((one) => isFor(leaf, one)) &&
        endOf(leaf).getTime() - clock().getTime() > RENEW_AT &&
        // A clock that was years ahead made one that is not valid yet.
        new Date(leaf.validFrom) <= clock()
      );
    } catch {
      return false;
    }
  }

  async function issue(): Promise<Certificate> {
    const pair = await authority.issue(ownNames(name), clock());
    await keep(files.key, pair.key);
    await keep(files.cert, pair.cert);
    return pair;
  }

  async function renew(changed: (certificate: Certificate) => void): Promise<void> {
    try {
      current = await issue();
      problem = null;
      log.info(`A new certificate for ${namesOf(demandPair(current)).join(', ')} was made.`);
      changed(current);
    } catch (error) {
      problem = (error as Error).message;
      log.error({ err: error }, 'no new certificate could be made');
    }
  }

  const [cert, key] = await Promise.all([kept(files.cert), kept(files.key)]);
  current = { cert: cert ?? '', key: key ?? '' };
  if (!isGood(current)) current = await issue();

  return {
    authority,
    current: () => current,
    view() {
      const leaf = demandPair(current);
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
