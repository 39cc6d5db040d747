import { createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Sealer } from '#server/datadir/sealing.ts';

/** What a hash stands for; the same text gives another one for each. */
export type Hashed = 'type' | 'year' | 'account' | 'ifsc';

/** Bytes of a hash: of many accounts no two have the same by chance. */
const BYTES = 9;

/** Seals, and hashes, with a key of the firm's. */
export interface FirmSecrets {
  pack(value: unknown): Buffer;
  unpack<T>(sealed: Buffer): T;
  hash(what: Hashed, text: string | number): string;
}

/**
 * @param keyOf 32 bytes of a firm that are nowhere in the database but sealed with the master key.
 * @param sealWith makes a sealer of such a key, for a purpose.
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
      hash: (what, text) =>
        createHmac('sha256', key)
          .update(`field ${what}\0${text}`)
          .digest()
          .subarray(0, BYTES)
          .toString('base64url'),
    };
  }

  return (firmId: number): Promise<FirmSecrets> => {
    const known = firms.get(firmId);
    if (known) return known;
    const made = make(firmId);
    firms.set(firmId, made);
    made.catch(() => firms.delete(firmId));
    return made;
  };
}
export type Secrets = ReturnType<typeof createSecrets>;
