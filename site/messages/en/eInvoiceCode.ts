import type { SignatureState } from '#server/fields/contract.ts';

// The QR code of an e-invoice, beside the values of a document.
export const title = 'QR code';
export const checked = (key: string) => `Signed. The signature was checked with the key ${key}.`;
export const signature: Record<Exclude<SignatureState, 'checked'>, string> = {
  no_key:
    'Signature not checked: this server has no key of the Invoice Registration Portal. Your administrator can add it.',
  mismatch:
    'The signature does not match: the code was altered, or signed with a key that this server does not have.',
  unsigned: 'Not signed the way the Invoice Registration Portal signs. Do not rely on it.',
};
export const matchingValues = (count: number) =>
  count === 1 ? 'One value is the same on the page.' : `${count} values are the same on the page.`;
export const differingValue = (name: string, code: string, page: string) =>
  `${name}: ${code} in the code, ${page} on the page`;
