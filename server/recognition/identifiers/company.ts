import type { Shape } from './shapes.ts';

const CLASSES = 'PTC|PLC|OPC|NPL|FTC|FLC|GOI|SGC|GAP|GAT|ULL|ULT';
const MONTH = /^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-/;

export const COMPANY: Record<string, Shape> = {
  cin: {
    pattern: new RegExp(`(?<![A-Z0-9])[LU]\\d{5}[A-Z]{2}(?:18|19|20)\\d{2}(?:${CLASSES})\\d{6}(?![A-Z0-9])`),
    check: () => 'shape',
    places: 'A99999AA9999AAA999999',
  },
  llpin: {
    pattern: /(?<![A-Z0-9])(?<!\d[-/ .])[A-Z]{3}-\d{4}(?![A-Z0-9-])/,
    label: /\bLLP(?:IN)?\b|LIMITED LIABILITY PARTNERSHIP/,
    // A date such as 31-MAY-2026 ends in the same shape.
    not: (value) => MONTH.test(value),
    check: () => 'shape',
  },
  udin: {
    pattern: /(?<![A-Z0-9])\d{8}(?=\d{0,9}[A-Z])[A-Z0-9]{10}(?![A-Z0-9])/,
    label: /\bUDIN\b|UNIQUE DOCUMENT/,
    check: (value) =>
      Number(value.slice(0, 2)) >= 19 && Number(value.slice(0, 2)) <= 40 ? 'shape' : 'failed',
  },
  din: { pattern: /(?<![A-Z0-9])\d{8}(?![A-Z0-9])/, label: /(?<![A-Z])D(?:P)?IN\b/, check: () => 'shape' },
  mrn: {
    pattern: /(?<![A-Z0-9])(?:[FA] )?(\d{5,6})(?![\d,])/,
    label: /(?<![A-Z])(?:MEMBERSHIP ?(?:NO|NUMBER)?|M\.? ?NO|M\.?R\.?N|MEM\.? NO)\b/,
    check: () => 'shape',
  },
  frn: {
    pattern: /(?<![A-Z0-9])(\d{6} ?[NSEWC](?: ?\/ ?[NSEWC] ?-?\d{6})?)(?![A-Z0-9])/,
    label: /\bF\.?R\.?N\b|FIRM(?:'?S|’S)? REG/,
    check: () => 'shape',
  },
  udyam: {
    pattern: /(?<![A-Z0-9])UDYAM-[A-Z]{2}-\d{2}-\d{7}(?!\d)/,
    check: () => 'shape',
  },
};
