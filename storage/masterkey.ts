import type { KeyObject } from 'node:crypto';
import { createSecretKey, hkdfSync } from 'node:crypto';

export const MASTER_KEY_BYTES = 32;

/** What is derived from a master key; the key itself is used for nothing else. */
export interface MasterKey {
  wrappingKey: KeyObject;
  keyId: Buffer;
  check: Buffer;
  /** For the program around the store: what it signs is signed with this, and never with a key of the store. */
  serverSecret: Buffer;
}

export function deriveMasterKey(secret: Buffer): MasterKey {
  if (secret.length !== MASTER_KEY_BYTES) throw new RangeError('a master key has 32 bytes');
  const derive = (info: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `almirah 1 ${info}`, bytes));
  return {
    wrappingKey: createSecretKey(derive('wrapping key', 32)),
    keyId: derive('key id', 8),
    check: derive('key check', 32),
    serverSecret: derive('server secret', 32),
  };
}
