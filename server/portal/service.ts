import { createPortalOffice } from './office.ts';
import type { PortalDependencies } from './dependencies.ts';
import { createTokens } from './tokens.ts';
import { createPortalVisitors } from './visitors.ts';

/** Clients' own pages: all that is asked of and shared with one client behind one lasting address. */
export function createPortal(dependencies: PortalDependencies) {
  const tokens = createTokens(dependencies.secret);
  const { sweep, passOf, ...visitors } = createPortalVisitors(dependencies, tokens);
  return {
    office: createPortalOffice(dependencies, tokens),
    /** What follows is asked by whoever comes with the address. */
    visitors,
    /** Whether cookies go over HTTPS alone. */
    https: dependencies.baseUrl.startsWith('https:'),
    passOf,
    sweep,
  };
}
export type Portal = ReturnType<typeof createPortal>;
