import { networkOf } from './network.ts';

const PRIVATE =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;

/**
 * Describes an address without asking any outside service.
 * @param here the reader's own address, if it should be recognised.
 */
export function networkName(ip: string, here?: string): string {
  const plain = ip.replace(/^::ffff:/i, '');
  if (/^127\.|^::1$/.test(plain)) return 'The server itself';
  if (here !== undefined && networkOf(ip) === networkOf(here)) return `Where you are now (${plain})`;
  return PRIVATE.test(plain) ? `Office network (${plain})` : plain;
}
