import type { Shape } from './shapes.ts';

export const BANK: Record<string, Shape> = {
  ifsc: {
    pattern: /(?<![A-Z0-9])[A-Z]{4}0[A-Z0-9]{6}(?![A-Z0-9])/,
    check: () => 'shape',
    places: 'AAAA9******',
  },
  micr: { pattern: /(?<![A-Z0-9])\d{9}(?!\d)/, label: /\bMICR\b/, check: () => 'shape' },
  account_no: {
    pattern: /(?<![A-Z0-9])[X*]{0,14}\d{4,18}(?![\d,./-])/,
    not: (value) => value.length < 9,
    check: () => 'shape',
  },
  vpa: {
    pattern: /(?<![\w.@-])[A-Z0-9][A-Z0-9._-]{1,255}@[A-Z][A-Z0-9]{1,63}(?![\w.@-])/,
    label: /\bUPI\b|\bVPA\b/,
    check: () => 'shape',
  },
};
