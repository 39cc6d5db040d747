import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';
import { fingerprint, newSecret } from '#server/http/secrets.ts';

/** The columns of a link that its token is derived from. */
interface LinkRow {
  id: number;
  seed: string;
  token_hash: string;
}

/**
 * Tokens of links whose address the office can see again: 256 bits, of which the database holds only the hash. They are derived from a
 * stored seed with a server key that is not in the database.
 * @param purpose keeps the tokens of different kinds of links apart.
 */
export function createDerivedTokens(secret: Buffer, purpose: string, table: string) {
  const tokenOf = (seed: string): string =>
    createHmac('sha256', secret).update(`${purpose}\0${seed}`).digest('base64url');

  async function current(trx: Knex.Transaction, { id, seed, token_hash }: LinkRow): Promise<string> {
    const token = tokenOf(seed);
    const hash = fingerprint(token);
    // The link may have got another address since it was read.
    if (hash !== token_hash)
      await trx(table).where({ id, seed }).update({ token_hash: hash, former_hash: token_hash });
    return token;
  }

  return {
    tokenOf,

    /** The columns of a new link, or of a new address of a link. */
    newToken() {
      const seed = newSecret();
      return { seed, token_hash: fingerprint(tokenOf(seed)), former_hash: null };
    },

    /** The token of a link. After the server key was replaced it is a new one, and the former one stays valid. */
    current,

    /** Makes `tokenOf` valid for all these links, as `current` does for one. */
    async makeCurrent(db: Knex, links: readonly LinkRow[]): Promise<void> {
      const changed = links.filter(({ seed, token_hash }) => fingerprint(tokenOf(seed)) !== token_hash);
      if (changed.length === 0) return;
      await db.transaction(async (trx) => {
        for (const link of changed) await current(trx, link);
      });
    },

    /** A condition for `where`: the link with this token. @param alias of the table in the query. */
    matches(token: string, alias = table) {
      const hash = fingerprint(token);
      return (link: Knex.QueryBuilder): void =>
        void link.where(`${alias}.token_hash`, hash).orWhere(`${alias}.former_hash`, hash);
    },
  };
}
export type DerivedTokens = ReturnType<typeof createDerivedTokens>;
