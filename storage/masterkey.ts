import type { KeyObject } from 'node:crypto';
import { createSecretKey, hkdfSync } from 'node:crypto';

export const MASTER_KEY_BYTES = 32;

/** The keys derived from a master key, which itself is used for nothing else. */
export interface MasterKey {
  wrappingKey: KeyObject;
  keyId: Buffer;
  check: Buffer;
  /** The signing secret of the server, separate from the keys of the store. */
  serverSecret: Buffer;
  /** Whether it seems hand-made and could be guessed. */
  weak: boolean;
}

/** Patterns that random bytes practically never have: few distinct values, an arithmetic sequence, or only printable text. */
function isWeak(secret: Buffer): boolean {
  const steps = [...secret.subarray(1)].map((byte, index) => (byte - secret[index]! + 256) % 256);
  return (
    new Set(secret).size < 16 ||
    new Set(steps).size === 1 ||
    secret.every((byte) => byte >= 0x20 && byte < 0x7f)
  );
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
    weak: isWeak(secret),
  };
}
