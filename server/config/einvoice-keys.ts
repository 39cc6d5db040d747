import type { KeyObject } from 'node:crypto';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** A public key of the Invoice Registration Portal, named after its file. */
export interface PortalKey {
  name: string;
  key: KeyObject;
}

const ENDINGS = new Set(['.pem', '.cer', '.crt', '.der', '.pub', '.key']);
const PRIVATE = /-----BEGIN (?:\w+ )?PRIVATE KEY-----/;

/** @throws unless the bytes are an RSA public key, or a certificate with one. */
function keyOf(bytes: Buffer): KeyObject {
  const text = bytes.toString('latin1');
  if (PRIVATE.test(text)) throw new Error('A private key has no business here.');
  let key: KeyObject;
  try {
    key = new X509Certificate(bytes).publicKey;
  } catch {
    const isPem = text.includes('-----BEGIN');
    key = createPublicKey(isPem ? text : { key: bytes, format: 'der', type: 'spki' });
  }
  if (key.asymmetricKeyType !== 'rsa') throw new Error('It is no RSA key.');
  return key;
}

/**
 * Reads the keys in a file, or in all .pem, .cer, .crt, .der, .pub and .key files of a folder.
 * @returns undefined when there are none, or one cannot be read.
 */
export function readPortalKeys(path: string): PortalKey[] | undefined {
  try {
    const files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => ENDINGS.has(extname(name).toLowerCase()))
          .toSorted()
          .map((name) => join(path, name))
      : [path];
    const keys = files.map((file) => ({
      name: basename(file, extname(file)),
      key: keyOf(readFileSync(file)),
    }));
    return keys.length > 0 ? keys : undefined;
  } catch {
    return undefined;
  }
}
