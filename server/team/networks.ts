import { invalid } from '#server/http/errors.ts';
import { readProxies } from '#server/http/proxies.ts';

const ADDRESS = /^[\d.:a-f]+(?:\/\d+)?$/i;

/**
 * Converts typed networks to CIDR notation; a single address becomes a network of one address.
 * @throws {AppError} 422 on `networks` for unreadable ones.
 */
export function readNetworks(inputs: readonly string[]): string[] {
  const parsed = inputs.map((input) => (ADDRESS.test(input) ? readProxies(input) : undefined));
  const unreadable = inputs.filter((_, index) => parsed[index] === undefined);
  if (unreadable.length > 0) {
    const listed = unreadable.slice(0, 3).join(', ');
    throw invalid({ networks: [`Not a network: ${listed}. Give it as 203.0.113.0/24 or 203.0.113.7.`] });
  }
  return [...new Set(parsed.flatMap((networks) => networks!))];
}
