import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Sealer } from '#server/datadir/sealing.ts';
import { execute } from '#server/db/sql.ts';

/** Bytes of a hash that the index keeps: of 100,000 different words, one in 50,000 shares its hash with another. */
const BYTES = 6;
/** Hashes that are remembered for each firm, since most words come again. */
const REMEMBERED = 100_000;

/** What a hash is of; the same text gives another one for each. */
export type Hashed = 'word' | 'head' | 'named';

/** The hash of a text as it stands in the index of one firm. */
export type Hasher = (what: Hashed, text: string) => string;

/** What hashes with one key, of 32 bytes. */
export function createHasher(key: Buffer): Hasher {
  const known = new Map<string, string>();
  // As a KeyObject it is prepared once, which for something as short as a word is most of the time.
  const prepared = createSecretKey(key);
  return (what, text) => {
    const input = `${what}\0${text}`;
    let hash = known.get(input);
    if (hash === undefined) {
      hash = createHmac('sha256', prepared).update(input).digest().readUIntBE(0, BYTES).toString(36);
      if (known.size >= REMEMBERED) known.clear();
      known.set(input, hash);
    }
    return hash;
  };
}

/**
 * The key of each firm's index: by chance, kept sealed with the master key. So a new master key needs no new index, and
 * whoever has the database alone can test no word.
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
    /** 32 bytes, from which keys for what else is kept of documents may be derived. */
    keyOf,

    hasherOf(firmId: number): Promise<Hasher> {
      const known = hashers.get(firmId);
      if (known) return known;
      const made = keyOf(firmId).then(createHasher);
      hashers.set(firmId, made);
      made.catch(() => hashers.delete(firmId));
      return made;
    },
  };
}
export type TextKeys = ReturnType<typeof createTextKeys>;
