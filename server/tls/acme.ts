import type { Logger } from 'pino';
import { createProblems } from './acme-problems.ts';
import type { Certificate, CertificateSource } from './certificate.ts';
import { checkPair, endOf, isValidFor, leafOf, namesOf } from './certificate.ts';
import type { KeyStore } from './key-store.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RENEW_BEFORE_MS = 30 * DAY;
const CHECK_INTERVAL_MS = 10 * MINUTE;
/** Delay after the first failure, the second, and so on: an authority blocks clients that retry too often. */
const RETRY_DELAYS_MS = [10, 60, 240, 720].map((minutes) => minutes * MINUTE);

/** How long the authority may take to answer when it is asked why it did not. */
const DIAGNOSIS_MS = 10_000;

/** Loaded on demand: the library is slow to load and needed only every other month. */
async function library() {
  const acme = await import('acme-client');
  // Retries are made here, and say why. The library would wait for as long as the authority asks, which may be days, and say nothing.
  (acme.axios.defaults as { acmeSettings?: object }).acmeSettings = { retryMaxAttempts: 0 };
  return acme;
}

/** Why the authority did not answer, which the library's error does not say. */
async function whyAway(directory: string): Promise<string> {
  const reason = await fetch(directory, { signal: AbortSignal.timeout(DIAGNOSIS_MS) }).then(
    () => 'the connection broke off',
    ({ cause, name }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code ?? name,
  );
  return (
    `${new URL(directory).host} did not answer (${reason}). This server has to reach it over https: look at its network, its name server ` +
    'and its clock.'
  );
}

/** Renewal date of a certificate: 30 days before it ends, or when a third of its lifetime is left if that is less. */
export function renewalOf(cert: string): Date {
  const leaf = leafOf({ cert });
  const life = endOf(leaf).getTime() - new Date(leaf.validFrom).getTime();
  return new Date(endOf(leaf).getTime() - Math.min(RENEW_BEFORE_MS, life / 3));
}

interface AcmeDependencies {
  /** Stores the account key and the certificates. */
  keyStore: KeyStore;
  name: string;
  /** URL of the ACME directory. */
  directory: string;
  /** Contact address for the authority; '' for none. */
  email: string;
  /** Served until the first certificate is issued. */
  fallback: Certificate;
  log: Pick<Logger, 'info' | 'error'>;
  clock?: () => Date;
}

/**
 * Certificates of a public authority by ACME (RFC 8555, http-01): requested at the first start and renewed
 * automatically. When a renewal fails, the server keeps its current certificate.
 */
export async function acmeCertificates({
  keyStore: { load, save },
  name,
  directory,
  email,
  fallback,
  log,
  clock = () => new Date(),
}: AcmeDependencies): Promise<CertificateSource & { challengeResponse(token: string): string | undefined }> {
  const files = {
    account: 'acme-account.key',
    cert: 'acme.crt',
    key: 'acme.key',
  };
  /** Challenge responses, by token. */
  const responses = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let problem: string | null = null;
  let failures = 0;
  let notBefore = 0;
  let renewing: Promise<void> | undefined;

  const [cert, key] = await Promise.all([load(files.cert), load(files.key)]);
  let issued: Certificate | null = null;
  try {
    const pair = { cert: cert ?? '', key: key ?? '' };
    if (cert && key && isValidFor(checkPair(pair), name)) issued = pair;
  } catch (error) {
    log.error({ err: error }, 'the certificate in the data folder cannot be used; a new one is asked for');
  }

  async function ask(acme: Awaited<ReturnType<typeof library>>): Promise<Certificate> {
    let accountKey = await load(files.account);
    const known = accountKey !== null;
    if (accountKey === null) {
      accountKey = String(await acme.crypto.createPrivateEcdsaKey());
      await save(files.account, accountKey);
    }
    const client = new acme.Client({ directoryUrl: directory, accountKey });
    // Otherwise the library would send an account that is there already a change without content, which some authorities refuse.
    if (known && !email) await client.createAccount({ onlyReturnExisting: true }).catch(() => {});
    const [secret, request] = await acme.crypto.createCsr(
      { commonName: name, altNames: [name] },
      await acme.crypto.createPrivateEcdsaKey(),
    );
    const chain = await client.auto({
      csr: request,
      ...(email && { email }),
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // The name may resolve to the router's public address, which many routers do not route back inside.
      skipChallengeVerification: true,
      challengeCreateFn: async (_authz, challenge, answer) => void responses.set(challenge.token, answer),
      challengeRemoveFn: async (_authz, challenge) => void responses.delete(challenge.token),
    });
    const pair = { cert: chain, key: String(secret) };
    checkPair(pair);
    await save(files.key, pair.key);
    await save(files.cert, pair.cert);
    return pair;
  }

  async function renew(changed: (certificate: Certificate) => void): Promise<void> {
    const now = clock();
    if ((issued && renewalOf(issued.cert) > now) || now.getTime() < notBefore) return;
    const problems = createProblems();
    try {
      const acme = await library();
      const { response: answers } = acme.axios.interceptors;
      const noting = answers.use(problems.note);
      issued = await ask(acme).finally(() => answers.eject(noting));
      problem = null;
      failures = 0;
      log.info(
        `A certificate for ${name} has come, good until ${endOf(leafOf(issued)).toISOString().slice(0, 10)}.`,
      );
      changed(issued);
    } catch (error) {
      problem =
        error instanceof TypeError ? await whyAway(directory) : problems.inWords(error as Error, name);
      notBefore = now.getTime() + RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)]!;
      failures += 1;
      log.error(
        `No certificate for ${name} could be had: ${problem} It is tried again at ${new Date(notBefore).toISOString()}.`,
      );
    }
  }

  return {
    challengeResponse: (token) => responses.get(token),
    current: () => issued ?? fallback,
    view() {
      const leaf = leafOf(issued ?? fallback);
      const waiting = issued ? null : 'The first certificate has not come yet.';
      return {
        kind: 'acme',
        names: namesOf(leaf),
        valid_until: endOf(leaf).toISOString(),
        fingerprint: null,
        problem: problem ?? waiting,
      };
    },
    start(changed) {
      const check = () => void (renewing ??= renew(changed).finally(() => (renewing = undefined)));
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
