import { verhoeffHolds } from '#server/text/check-digits.ts';
import type { Shape } from './shapes.ts';

export const PEOPLE: Record<string, Shape> = {
  aadhaar: {
    // Twelve digits, or masked but for the last four.
    pattern:
      /(?<!\d)(?<!\d[ -])(?:[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}|[X*]{4}[ -]?[X*]{4}[ -]?\d{4})(?!\d)(?![ -]\d{4}(?!\d))/,
    label: /AADHAA?R|आधार|\bUID(?:AI)?\b|UNIQUE IDENTIFICATION|GOVERNMENT OF INDIA|भारत सरकार/,
    check: (value) => (/^[X*]/.test(value) ? 'shape' : verhoeffHolds(value) ? 'checksum' : 'failed'),
  },
  uan: { pattern: /(?<![A-Z0-9])1\d{11}(?!\d)/, label: /\bUAN\b|UNIVERSAL ACCOUNT/, check: () => 'shape' },
  trrn: { pattern: /(?<![A-Z0-9])\d{13}(?!\d)/, label: /\bTRRN\b|TEMPORARY RETURN/, check: () => 'shape' },
  pf_code: {
    pattern: /(?<![A-Z0-9])[A-Z]{2} ?\/? ?[A-Z]{3} ?\/? ?\d{7} ?\/? ?\d{3}(?!\d)/,
    label: /ESTABLISHMENT|\bE?PFO?\b|PROVIDENT/,
    check: () => 'shape',
  },
  esi_code: {
    pattern: /(?<![A-Z0-9])\d{17}(?!\d)/,
    label: /\bESIC?\b|EMPLOYER'?S? CODE|EMPLOYER CODE/,
    check: () => 'shape',
  },
};
