import { createHmac } from 'node:crypto';
import { fingerprint, newSecret } from '#server/http/secrets.ts';

/**
 * The tokens of clients' pages: 256 bits, of which the database has the hash alone. So that the office can copy the
 * address again, the token is made anew from a seed with a key of the server's, which is not in the database.
 */
export function createTokens(secret: Buffer) {
  const of = (...about: (string | number)[]): string =>
    createHmac('sha256', secret).update(about.join('\0')).digest('base64url');
  const tokenOf = (seed: string): string => of('client page', seed);

  return {
    tokenOf,
    fresh() {
      const seed = newSecret();
      return { seed, token_hash: fingerprint(tokenOf(seed)), former_hash: null };
    },
    /** Of the way to a link, for one session: the same each time. */
    passTo: (visitor: string, sessionId: number, linkId: number): string =>
      of('client page pass', visitor, sessionId, linkId),
    /** What a form of a page has to bring along, so that no other site can send it. */
    formOf: ({ token, cookie }: { token: string; cookie: string }): string =>
      of('client page form', token, cookie),
  };
}
export type Tokens = ReturnType<typeof createTokens>;
