/** The words by which parties of a certificate are named. */
const PARTIES = 'employers?|employees?|deductors?|deductees?|payees?';

/** The labels of an identifier in a cell that begins with its owner: `Employer: Desai Tools Pvt Ltd, PAN …`. */
export const ofParty = (owner: string, identifier: 'pan' | 'tan'): string =>
  `(?:${owner})(?![’'])(?:(?!\\b(?:${PARTIES})\\b)[^]){0,150}?[\\s,;:(/]${identifier}(?:\\s*no)?`;
