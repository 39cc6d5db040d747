import type { Logger } from 'pino';
import type { Certificate, CertificateSource } from './certificate.ts';
import { demandPair, endOf, isFor, leafOf, namesOf } from './certificate.ts';
import type { Keeper } from './kept.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RENEW_AT = 30 * DAY;
const LOOK_EVERY = 10 * MINUTE;
/** After the first failure, the second, and so on: an authority refuses who asks again and again. */
const PAUSES = [10, 60, 240, 720].map((minutes) => minutes * MINUTE);

/** The library takes long to load, and is needed every other month. */
const library = () => import('acme-client');

/** When a certificate is renewed: 30 days before it ends, of a short-lived one when a third of its time is left. */
export function renewalOf(cert: string): Date {
  const leaf = leafOf({ cert });
  const life = endOf(leaf).getTime() - new Date(leaf.validFrom).getTime();
  return new Date(endOf(leaf).getTime() - Math.min(RENEW_AT, life / 3));
}

export interface AcmeParts {
  /** Of the account's key and the certificates. */
  keeper: Keeper;
  name: string;
  /** The address of the authority's directory. */
  directory: string;
  /** Whom the authority may write to; '' for nobody. */
  email: string;
  /** Serves until the first certificate has come. */
  meanwhile: Certificate;
  log: Pick<Logger, 'info' | 'error'>;
  clock?: () => Date;
}

/**
 * A certificate of a public authority, by ACME (RFC 8555): asked for at the first start, renewed by itself, and proven by
 * what the server answers on plain http. While none can be had the server goes on with the one that it has.
 */
export async function acmeCertificates({
  keeper: { keep, kept },
  name,
  directory,
  email,
  meanwhile,
  log,
  clock = () => new Date(),
}: AcmeParts): Promise<CertificateSource & { answerTo(token: string): string | undefined }> {
  const files = {
    account: 'acme-account.key',
    cert: 'acme.crt',
    key: 'acme.key',
  };
  /** What the authority will look for, by the token in the address. */
  const answers = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;
  let failures = 0;
  let notBefore = 0;
  let asking: Promise<void> | undefined;

  const [cert, key] = await Promise.all([kept(files.cert), kept(files.key)]);
  let own: Certificate | null = null;
  try {
    const pair = { cert: cert ?? '', key: key ?? '' };
    if (cert && key && isFor(demandPair(pair), name)) own = pair;
  } catch (error) {
    log.error({ err: error }, 'the certificate in the data folder cannot be used; a new one is asked for');
  }

  async function ask(): Promise<Certificate> {
    const acme = await library();
    let accountKey = await kept(files.account);
    if (accountKey === null) {
      accountKey = String(await acme.crypto.createPrivateEcdsaKey());
      await keep(files.account, accountKey);
    }
    const client = new acme.Client({ directoryUrl: directory, accountKey });
    const [secret, request] = await acme.crypto.createCsr(
      { commonName: name, altNames: [name] },
      await acme.crypto.createPrivateEcdsaKey(),
    );
    const chain = await client.auto({
      csr: request,
      ...(email && { email }),
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // The name may lead to the router's outer side, which does not answer to the inside.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authz, challenge, answer) => void answers.set(challenge.token, answer),
      challengeRemoveFn: async (_authz, challenge) => void answers.delete(challenge.token),
    });
    const pair = { cert: chain, key: String(secret) };
    demandPair(pair);
    await keep(files.key, pair.key);
    await keep(files.cert, pair.cert);
    return pair;
  }

  async function renew(changed: (certificate: Certificate) => void): Promise<void> {
    const now = clock();
    if ((own && renewalOf(own.cert) > now) || now.getTime() < notBefore) return;
    try {
      own = await ask();
      problem = null;
      failures = 0;
      log.info(
        `A certificate for ${name} has come, good until ${endOf(leafOf(own)).toISOString().slice(0, 10)}.`,
      );
      changed(own);
    } catch (error) {
      problem = (error as Error).message;
      notBefore = now.getTime() + PAUSES[Math.min(failures, PAUSES.length - 1)]!;
      failures += 1;
      log.error(
        `No certificate for ${name} could be had: ${problem} The authority has to reach http://${name}/ on port 80. ` +
          `It is tried again at ${new Date(notBefore).toISOString()}.`,
      );
    }
  }

  return {
    answerTo: (token) => answers.get(token),
    current: () => own ?? meanwhile,
    view() {
      const leaf = leafOf(own ?? meanwhile);
      const waiting = own ? null : 'The first certificate has not come yet.';
      return {
        kind: 'acme',
        names: namesOf(leaf),
        valid_until: endOf(leaf).toISOString(),
        fingerprint: null,
        problem: problem ?? waiting,
      };
    },
    start(changed) {
      const look = () => void (asking ??= renew(changed).finally(() => (asking = undefined)));
      look();
      timer = setInterval(look, LOOK_EVERY).unref();
    },
    stop: () => clearInterval(timer),
  };
}
