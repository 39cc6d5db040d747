import { createHmac } from 'node:crypto';
import { createDerivedTokens } from '#server/links/derived-tokens.ts';

/** The tokens of clients' pages, and what is derived with the same key for those who have opened one. */
export function createTokens(secret: Buffer) {
  const derive = (...parts: (string | number)[]): string =>
    createHmac('sha256', secret).update(parts.join('\0')).digest('base64url');

  return {
    ...createDerivedTokens(secret, 'client page', 'portals'),
    /** The token with which a session follows a link of the page: the same each time. */
    passTo: (visitor: string, sessionId: number, linkId: number): string =>
      derive('client page pass', visitor, sessionId, linkId),
    /** The token that a form of a page must send, so that no other site can send the form. */
    formOf: ({ token, cookie }: { token: string; cookie: string }): string =>
      derive('client page form', token, cookie),
  };
}
export type Tokens = ReturnType<typeof createTokens>;
