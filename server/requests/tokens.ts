import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { RequestRecord } from './model.ts';

/**
 * The tokens of request links: 256 bits, of which the database holds only the hash. A reminder must contain the link
 * again, so the token is derived from a stored seed with a server key that is not in the database.
 */
export function createTokens(secret: Buffer) {
  const tokenOf = (seed: string): string =>
    createHmac('sha256', secret).update(`request link\0${seed}`).digest('base64url');

  return {
    /** The columns of a new request, or of a new address. */
    newToken() {
      const seed = newSecret();
      return { seed, token_hash: fingerprint(tokenOf(seed)), former_hash: null };
    },

    /**
     * The token of a request's link. After a change of the server key it is a new token, and the former one stays
     * valid.
     */
    async of(trx: Knex.Transaction, { id, seed, token_hash }: RequestRecord): Promise<string> {
      const token = tokenOf(seed);
      const now = fingerprint(token);
      if (now !== token_hash)
        await trx('requests').where({ id }).update({ token_hash: now, former_hash: token_hash });
      return token;
    },

    /** The request of a token. */
    async find(db: Knex, token: string): Promise<RequestRecord | undefined> {
      const hash = fingerprint(token);
      return db('requests').where({ token_hash: hash }).orWhere({ former_hash: hash }).first();
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;
