// Required by @peculiar/x509; must be imported first.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  NameConstraints,
  id_ce_nameConstraints,
} from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import { addressMatcher } from '#server/http/proxies.ts';
import type { Certificate } from './certificate.ts';
import type { KeyStore } from './key-store.ts';

const DAY = 24 * 60 * 60_000;
const YEARS = 10;
/** Apple's systems refuse certificates with a longer lifetime. */
const LEAF_DAYS = 397;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Networks and names that do not exist on the public Internet: the authority can issue for nothing else. */
const NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
];
const NETWORKS_6 = ['fc00::/7', 'fe80::/10', '::1/128'];
const NAMES = ['local', 'localhost', 'lan', 'internal', 'home.arpa'];

x509.cryptoProvider.set(webcrypto as never);

/** Names and addresses of this machine in the office network. */
export function machineNames(name: string): string[] {
  const host = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    // A link-local IPv6 address needs a zone suffix, which a certificate cannot contain.
    .filter(({ address, family }) => family === 'IPv4' || !address.startsWith('fe80'))
    .map(({ address }) => address);
  const short = host.split('.')[0]!;
  return [...new Set([name.replace(/^\[|\]$/g, ''), host, `${short}.local`, 'localhost', ...addresses])];
}

export interface Authority {
  /** PEM. */
  cert: string;
  /** SHA-256, `AB:CD:…`. */
  fingerprint: string;
  validUntil: Date;
  /** Whether it may vouch for this name or address: one that it may not makes a whole certificate invalid. */
  permits(name: string): boolean;
  /** @returns a certificate for these names, with its key. */
  issue(names: readonly string[], now: Date): Promise<Certificate>;
}

/** Name constraints: trusting this authority does not extend to any site on the Internet. */
function nameConstraints(names: readonly string[]): x509.Extension {
  const dns = [...new Set([...NAMES, ...names.filter((name) => isIP(name) === 0)])];
  const addresses = names
    .filter((name) => isIP(name) !== 0)
    .map((ip) => `${ip}/${isIP(ip) === 4 ? 32 : 128}`);
  const permitted = [
    ...dns.map((name) => new GeneralName({ dNSName: name })),
    ...[...NETWORKS, ...NETWORKS_6, ...addresses].map((network) => {
      const name = new GeneralName();
      name.iPAddress = network;
      return name;
    }),
  ].map((base) => new GeneralSubtree({ base }));
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(permitted) });
  return new x509.Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints));
}

/** The names and addresses that `nameConstraints` of the certificate permit. */
function permittedBy(certificate: x509.X509Certificate): Authority['permits'] {
  const constraints = AsnConvert.parse(
    certificate.getExtension(id_ce_nameConstraints)!.value,
    NameConstraints,
  );
  const bases = (constraints.permittedSubtrees ?? []).map(({ base }) => base);
  const names = bases.flatMap(({ dNSName }) => dNSName ?? []);
  const isInNetwork = addressMatcher(bases.flatMap(({ iPAddress }) => iPAddress ?? []));
  return (name) =>
    isIP(name) === 0
      ? names.some((permitted) => name === permitted || name.endsWith(`.${permitted}`))
      : isInNetwork(name);
}

const pemKey = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

async function make(appName: string, names: readonly string[], now: Date): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(16).toString('hex'),
    name: [{ CN: [`${appName} of this office (${hostname()})`] }, { O: [appName] }],
    notBefore: new Date(now.getTime() - DAY),
    notAfter: new Date(now.getTime() + YEARS * 365 * DAY),
    keys: keys as never,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
      nameConstraints(names),
    ],
  });
  return { cert: made.toString('pem'), key: await pemKey(keys.privateKey) };
}

/** The office's own authority: created once; its key is sealed with the master key. */
export async function openAuthority(
  { load, save }: KeyStore,
  { appName, name, now }: { appName: string; name: string; now: Date },
): Promise<Authority> {
  const files = { cert: 'authority.crt', key: 'authority.key' };
  let [cert, key] = await Promise.all([load(files.cert), load(files.key)]);
  if (cert === null || key === null) {
    ({ cert, key } = await make(appName, machineNames(name), now));
    // Write the key first: a published authority must never be without its key.
    await save(files.key, key);
    await save(files.cert, cert);
  }
  const authority = new x509.X509Certificate(cert);
  const secret = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(key),
    ALGORITHM,
    false,
    ['sign'],
  );
  const digest = Buffer.from(await authority.getThumbprint('SHA-256'))
    .toString('hex')
    .toUpperCase();

  return {
    cert,
    fingerprint: digest.match(/../g)!.join(':'),
    validUntil: authority.notAfter,
    permits: permittedBy(authority),
    async issue(names, now) {
      const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      const ends = Math.min(now.getTime() + LEAF_DAYS * DAY - 2 * DAY, authority.notAfter.getTime());
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: randomBytes(16).toString('hex'),
        subject: [{ CN: [names[0]!] }],
        issuer: authority.subject,
        notBefore: new Date(now.getTime() - DAY),
        notAfter: new Date(ends),
        publicKey: keys.publicKey as never,
        signingKey: secret as never,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          await x509.AuthorityKeyIdentifierExtension.create(authority),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
          new x509.SubjectAlternativeNameExtension(
            names.map((name) => ({ type: isIP(name) ? ('ip' as const) : ('dns' as const), value: name })),
          ),
        ],
      });
      return { cert: `${leaf.toString('pem')}\n${cert}\n`, key: await pemKey(keys.privateKey) };
    },
  };
}
