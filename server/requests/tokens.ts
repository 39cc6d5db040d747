import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { RequestRecord } from './model.ts';

/**
 * The tokens of requests' links: 256 bits, of which the database has the hash alone. So that a reminder can bring the
 * link again, the token is made anew from a seed with a key of the server's, which is not in the database.
 */
export function createTokens(secret: Buffer) {
  const tokenOf = (seed: string): string =>
    createHmac('sha256', secret).update(`request link\0${seed}`).digest('base64url');

  return {
    /** For a new request, or another address of one. */
    fresh() {
      const seed = newSecret();
      return { seed, token_hash: fingerprint(tokenOf(seed)), former_hash: null };
    },

    /** The token of the request's link. Where the server's key was replaced it is another one, and the old one goes on. */
    async of(trx: Knex.Transaction, { id, seed, token_hash }: RequestRecord): Promise<string> {
      const token = tokenOf(seed);
      const now = fingerprint(token);
      if (now !== token_hash)
        await trx('requests').where({ id }).update({ token_hash: now, former_hash: token_hash });
      return token;
    },

    /** The request to which a token leads. */
    async find(db: Knex, token: string): Promise<RequestRecord | undefined> {
      const hash = fingerprint(token);
      return db('requests').where({ token_hash: hash }).orWhere({ former_hash: hash }).first();
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;
