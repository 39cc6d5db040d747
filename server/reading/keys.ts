import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Sealer } from '#server/db/column-encryption.ts';
import { execute } from '#server/db/sql.ts';

/** Bytes of a hash in the index: of 100,000 different words, one in 50,000 collides with another. */
const HASH_BYTES = 6;
/** Hashes cached per firm, since most words recur. */
const CACHE_MAX = 100_000;

/** The domain of a hash, which is part of its input: the same text has a different hash in each. */
type HashDomain = 'word' | 'head' | 'named';

/** Hashes a text for the index of one firm. */
export type Hasher = (domain: HashDomain, text: string) => string;

/** A hasher with a key of 32 bytes. */
export function createHasher(key: Buffer): Hasher {
  const cache = new Map<string, string>();
  // A KeyObject is prepared once; for a text as short as a word, that is most of the time.
  const prepared = createSecretKey(key);
  return (domain, text) => {
    const input = `${domain}\0${text}`;
    let hash = cache.get(input);
    if (hash === undefined) {
      hash = createHmac('sha256', prepared).update(input).digest().readUIntBE(0, HASH_BYTES).toString(36);
      if (cache.size >= CACHE_MAX) cache.clear();
      cache.set(input, hash);
    }
    return hash;
  };
}

/**
 * The random key of each firm's index, stored sealed with the master key: a new master key needs no new index, and
 * whoever has only the database cannot test a word.
 */
export function createTextKeys({ db, seal }: { db: Knex; seal: Sealer }) {
  const hashers = new Map<number, Promise<Hasher>>();

  async function keyOf(firmId: number): Promise<Buffer> {
    const stored = async (): Promise<Buffer | undefined> =>
      (await db('reading_settings').where({ firm_id: firmId }).first('sealed_key'))?.sealed_key ?? undefined;
    let sealed = await stored();
    if (!sealed) {
      await db.transaction((trx) =>
        execute(
          trx,
          `INSERT INTO reading_settings (firm_id, sealed_key) VALUES (?, ?) ON CONFLICT (firm_id)
           DO UPDATE SET sealed_key = coalesce(reading_settings.sealed_key, excluded.sealed_key)`,
          [firmId, seal.seal(randomBytes(32))],
        ),
      );
      sealed = (await stored())!;
    }
    return seal.open(sealed);
  }

  return {
    /** 32 bytes; keys for other data of documents may be derived from it. */
    keyOf,

    hasherOf(firmId: number): Promise<Hasher> {
      const cached = hashers.get(firmId);
      if (cached) return cached;
      const hasher = keyOf(firmId).then(createHasher);
      hashers.set(firmId, hasher);
      hasher.catch(() => hashers.delete(firmId));
      return hasher;
    },
  };
}
export type TextKeys = ReturnType<typeof createTextKeys>;
