import { createPortalOffice } from './office.ts';
import type { PortalParts } from './parts.ts';
import { createTokens } from './tokens.ts';
import { createPortalVisitors } from './visitors.ts';

/** Clients' own pages: all that is asked of and shared with one client behind one lasting address. */
export function createPortal(parts: PortalParts) {
  const tokens = createTokens(parts.secret);
  const { sweep, passOf, ...visitors } = createPortalVisitors(parts, tokens);
  return {
    office: createPortalOffice(parts, tokens),
    /** What follows is asked by whoever comes with the address. */
    visitors,
    /** Whether cookies go over HTTPS alone. */
    https: parts.baseUrl.startsWith('https:'),
    passOf,
    sweep,
  };
}
export type Portal = ReturnType<typeof createPortal>;
