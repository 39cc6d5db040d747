import type { KeyObject } from 'node:crypto';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificateView } from '#server/system/contract.ts';

/** PEM; `cert` is the server's certificate followed by the intermediates. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A source of the server's certificate. */
export interface CertificateSource {
  /** The certificate to serve now. */
  current(): Certificate;
  view(): CertificateView;
  /** Starts checking for renewal; `changed` receives each new certificate. */
  start(changed: (certificate: Certificate) => void): void;
  stop(): void;
}

/** The first certificate of a chain. @throws when it cannot be parsed. */
export const leafOf = ({ cert }: Pick<Certificate, 'cert'>): X509Certificate => new X509Certificate(cert);

/** Names and addresses that the certificate covers. */
export const namesOf = (leaf: X509Certificate): string[] =>
  (leaf.subjectAltName ?? '')
    .split(', ')
    .map((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1])
    .filter((name) => name !== undefined);

export const endOf = (leaf: X509Certificate): Date => new Date(leaf.validTo);

/** Whether the certificate covers this name; an IPv6 address may be in brackets, as in a URL. */
export function isValidFor(leaf: X509Certificate, name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '');
  return (isIP(bare) === 0 ? leaf.checkHost(bare) : leaf.checkIP(bare)) !== undefined;
}

/** Whether the key is that of a certificate after the first; one that cannot be parsed is none. */
const isKeyOfLater = (chain: string, key: KeyObject): boolean =>
  chain
    .split(/(?=-----BEGIN CERTIFICATE-----)/)
    .filter((part) => part.startsWith('-----BEGIN'))
    .slice(1)
    .some((pem) => {
      try {
        return new X509Certificate(pem).checkPrivateKey(key);
      } catch {
        return false;
      }
    });

/** @throws an error with a message for the admin when the two do not match or cannot be parsed. */
export function checkPair({ cert, key }: Certificate): X509Certificate {
  let leaf: X509Certificate;
  let secret;
  try {
    leaf = new X509Certificate(cert);
  } catch {
    throw new Error('The certificate cannot be read: it should be PEM, beginning with BEGIN CERTIFICATE.');
  }
  try {
    secret = createPrivateKey(key);
  } catch {
    throw new Error('The key cannot be read: it should be PEM without a password.');
  }
  if (leaf.checkPrivateKey(secret)) return leaf;
  throw new Error(
    isKeyOfLater(cert, secret)
      ? 'The certificates are in the wrong order: that of this server comes first, then its authority’s.'
      : 'The key is not that of the certificate.',
  );
}
