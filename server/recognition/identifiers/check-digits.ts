export { hasCheckDigit as verhoeff } from '#server/reading/words/aadhaar.ts';

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The check character of a GSTIN or an ARN, from the fourteen characters before it. */
export function mod36(fourteen: string): string {
  let sum = 0;
  for (let at = 0; at < 14; at += 1) {
    const product = SIGNS.indexOf(fourteen[at]!) * (at % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return SIGNS[(36 - (sum % 36)) % 36]!;
}

export const mod36Holds = (fifteen: string): boolean => mod36(fifteen) === fifteen[14];
