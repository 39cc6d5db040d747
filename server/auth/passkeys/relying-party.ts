import { isIP } from 'node:net';

/** The site to which passkeys are bound. */
export interface RelyingParty {
  id: string;
  origin: string;
  name: string;
}

/**
 * Browsers require a host name instead of an IP address, and https except on localhost.
 * @returns null where no browser offers passkeys.
 */
export function relyingParty(baseUrl: string, appName: string): RelyingParty | null {
  const { hostname, protocol, origin } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return protocol === 'https:' || isLocal ? { id: hostname, origin, name: appName } : null;
}
