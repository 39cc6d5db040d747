import { invalid } from '#server/http/errors.ts';
import { readProxies } from '#server/http/proxies.ts';

const ADDRESS = /^[\d.:a-f]+(?:\/\d+)?$/i;

/**
 * Networks as people type them, in CIDR notation: a single address becomes the network of that address alone.
 * @throws {AppError} 422 on `networks` with what is none of these.
 */
export function readNetworks(given: readonly string[]): string[] {
  const read = given.map((one) => (ADDRESS.test(one) ? readProxies(one) : undefined));
  const wrong = given.filter((_, at) => read[at] === undefined);
  if (wrong.length > 0) {
    const named = wrong.slice(0, 3).join(', ');
    throw invalid({ networks: [`Not a network: ${named}. Give it as 203.0.113.0/24 or 203.0.113.7.`] });
  }
  return [...new Set(read.flatMap((networks) => networks!))];
}
