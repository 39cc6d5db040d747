import { createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Sealer } from '#server/db/column-encryption.ts';

/** The domain of a hash: the same text has a different hash in each. */
export type HashDomain = 'type' | 'year' | 'account' | 'ifsc';

/** Bytes of a hash: enough that no two accounts collide. */
const HASH_BYTES = 9;

/** Seals and hashes with a key of the firm. */
export interface FirmSecrets {
  pack(value: unknown): Buffer;
  unpack<T>(sealed: Buffer): T;
  hash(domain: HashDomain, text: string | number): string;
}

/**
 * @param keyOf returns 32 bytes of a firm, stored only sealed with the master key.
 * @param sealWith creates a sealer from such a key, for a purpose.
 */
export function createSecrets(
  keyOf: (firmId: number) => Promise<Buffer>,
  sealWith: (key: Buffer, purpose: string) => Sealer,
) {
  const firms = new Map<number, Promise<FirmSecrets>>();

  async function make(firmId: number): Promise<FirmSecrets> {
    const key = await keyOf(firmId);
    const sealer = sealWith(key, 'fields');
    return {
      pack: (value) => sealer.seal(gzipSync(JSON.stringify(value))),
      unpack: <T>(sealed: Buffer) => JSON.parse(gunzipSync(sealer.open(sealed)).toString()) as T,
      hash: (domain, text) =>
        createHmac('sha256', key)
          .update(`field ${domain}\0${text}`)
          .digest()
          .subarray(0, HASH_BYTES)
          .toString('base64url'),
    };
  }

  return (firmId: number): Promise<FirmSecrets> => {
    const cached = firms.get(firmId);
    if (cached) return cached;
    const secrets = make(firmId);
    firms.set(firmId, secrets);
    secrets.catch(() => firms.delete(firmId));
    return secrets;
  };
}
