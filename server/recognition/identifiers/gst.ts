import { mod36Holds } from '#server/text/check-digits.ts';
import type { Shape } from './shapes.ts';

const STATE = '(?:0[1-9]|[12]\\d|3[0-8]|9[79])';
/** Of taxpayers, of deductors and departments (with a TAN), of the United Nations, of non-residents. */
const FAMILIES = [
  `${STATE}[A-Z]{5}\\d{4}[A-Z][0-9A-Z][A-Z0-9][0-9A-Z]`,
  `${STATE}[A-Z]{4}[A-Z0-9]\\d{4}[A-Z][1-9A-Z][DC][0-9A-Z]`,
  `${STATE}[A-Z]{4}\\d{5}[A-Z]\\dZ[0-9A-Z]`,
  '\\d{4}[A-Z]{3}\\d{5}(?:[UO]N|NR|OS)[0-9A-Z]',
];

export const GST: Record<string, Shape> = {
  irn: {
    pattern: /(?<![0-9A-F])[0-9A-F]{64}(?![0-9A-F])/,
    // Any SHA-256 has this shape, such as that of a signed file.
    label: /\bIRN\b|INVOICE REF(?:ERENCE)?\.? (?:NO|NUMBER)|ACK(?:NOWLEDGE?MENT)?\.? ?(?:NO|NUMBER|DATE)/,
    check: () => 'shape',
  },
  gstin: {
    pattern: new RegExp(`(?<![A-Z0-9])(?:${FAMILIES.join('|')})(?![A-Z0-9])`),
    check: (value) => (mod36Holds(value) ? 'checksum' : 'failed'),
    places: '99AAAAA9999ANZ*',
  },
  arn: {
    pattern:
      /(?<![A-Z0-9])A[A-Z](?:0[1-9]|[12]\d|3[0-8]|9[79])(?:0[1-9]|1[0-2])\d{2}\d{6}[0-9A-Z](?![A-Z0-9])/,
    check: (value) => (mod36Holds(value) ? 'checksum' : 'failed'),
    places: 'AA999999999999*',
  },
  eway_bill_no: {
    pattern: /(?<![A-Z0-9])\d{4} ?\d{4} ?\d{4}(?!\d)/,
    label: /E-? ?WAY ?BILL|\bEWB\b/,
    check: () => 'shape',
  },
  irn_ack_no: {
    pattern: /(?<![A-Z0-9])\d{15}(?!\d)/,
    label: /\bACK(?:NOWLEDGE?MENT)?\.? ?(?:NO|NUMBER)?\b/,
    // The number of an income tax return has fifteen digits too.
    not: (_, around) => /E-?FILING|INCOME[\s-]*TAX|\bITR\b/.test(around),
    check: () => 'shape',
  },
  cpin: { pattern: /(?<![A-Z0-9])\d{14}(?!\d)/, label: /\bCPIN\b/, check: () => 'shape' },
};
