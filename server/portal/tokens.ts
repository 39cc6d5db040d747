import { createHmac } from 'node:crypto';
import { createDerivedTokens } from '#server/links/derived-tokens.ts';
import { createVisitorForms } from '#server/links/visitor-forms.ts';

/** The tokens of clients' pages, and what is derived with the same key for those who have opened one. */
export function createTokens(secret: Buffer) {
  return {
    ...createDerivedTokens(secret, 'client page', 'portals'),
    ...createVisitorForms(secret, 'client page form'),
    /** The token with which a session follows a link of the page: the same each time. */
    passTo: (visitor: string, sessionId: number, linkId: number): string =>
      createHmac('sha256', secret)
        .update(['client page pass', visitor, sessionId, linkId].join('\0'))
        .digest('base64url'),
  };
}
export type Tokens = ReturnType<typeof createTokens>;
