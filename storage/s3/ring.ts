import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { TAG_BYTES } from '../chunks.ts';
import type { MasterKey } from '../masterkey.ts';
import { deriveMasterKey, MASTER_KEY_BYTES } from '../masterkey.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;

/** The keys with which the data keys of a bucket are encrypted, instead of the master key. */
export interface Ring {
  /** The key for new objects. */
  newest: MasterKey;
  find(keyId: Buffer): MasterKey | undefined;
}

/** The ring as it is stored: all keys, each sealed with one master key, oldest first. */
export interface SealedRing {
  /** Key id of the master key, 16 hex digits. */
  master: string;
  /** Nonce, encrypted key and tag, 120 hex digits each. */
  keys: string[];
}

const associated = (store: string, index: number): Buffer => Buffer.from(`almirah 1 ring ${store} ${index}`);

export const newRingKey = (): Buffer => randomBytes(MASTER_KEY_BYTES);

/** @param store the id of the bucket, so that a key of another bucket cannot be substituted. */
export function sealRing(master: MasterKey, store: string, keys: readonly Buffer[]): SealedRing {
  const sealed = keys.map((key, index) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, master.wrappingKey, nonce);
    cipher.setAAD(associated(store, index));
    const encrypted = Buffer.concat([cipher.update(key), cipher.final()]);
    return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('hex');
  });
  return { master: master.keyId.toString('hex'), keys: sealed };
}

/** The decrypted keys; null if they were altered or sealed with another master key. */
export function openRing(master: MasterKey, store: string, { keys }: SealedRing): Buffer[] | null {
  try {
    return keys.map((hex, index) => {
      const sealed = Buffer.from(hex, 'hex');
      const end = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv(CIPHER, master.wrappingKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associated(store, index));
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
    });
  } catch {
    return null;
  }
}

export function ringOf(keys: readonly Buffer[]): Ring {
  const derived = keys.map(deriveMasterKey);
  return {
    newest: derived.at(-1)!,
    find: (keyId) => derived.find((key) => key.keyId.equals(keyId)),
  };
}
