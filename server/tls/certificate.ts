import { X509Certificate, createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificateView } from '#server/system/contract.ts';

/** PEM; `cert` is the server's own and those between it and a root. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Where the server's certificate comes from. */
export interface CertificateSource {
  /** What is to be shown to browsers now. */
  current(): Certificate;
  view(): CertificateView;
  /** Begins to look after it; `changed` is called with each new one. */
  start(changed: (certificate: Certificate) => void): void;
  stop(): void;
}

/** The first of a chain. @throws for what is no certificate. */
export const leafOf = ({ cert }: Pick<Certificate, 'cert'>): X509Certificate => new X509Certificate(cert);

/** Names and addresses that a certificate is for. */
export const namesOf = (leaf: X509Certificate): string[] =>
  (leaf.subjectAltName ?? '')
    .split(', ')
    .map((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1])
    .filter((name) => name !== undefined);

export const endOf = (leaf: X509Certificate): Date => new Date(leaf.validTo);

/** Whether it is for this name; addresses may come in brackets, as in a URL. */
export function isFor(leaf: X509Certificate, name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '');
  return (isIP(bare) === 0 ? leaf.checkHost(bare) : leaf.checkIP(bare)) !== undefined;
}

/** @throws with a sentence for the admin when the two do not belong together or cannot be read. */
export function demandPair({ cert, key }: Certificate): X509Certificate {
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
  if (!leaf.checkPrivateKey(secret)) throw new Error('The key is not that of the certificate.');
  return leaf;
}
