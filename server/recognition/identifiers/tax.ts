import type { Shape } from './shapes.ts';

/** Codes of the offices that issue TANs; vehicle and policy numbers have other letters. */
const OFFICES =
  'AGR AHM ALD AMR BBN BLR BPL CAL CHE CHN CMB DEL GHY HYD JBP JDH JPR KLP KNP KOL LDH LKN MRI MRT MUM NGP NSK PNE PTL PTN RCH RKT RTK SHL SRT TVD VPN BRD PAT SML COK'.split(
    ' ',
  );
const OFFICE = new Set(OFFICES);

export const TAX: Record<string, Shape> = {
  pan: {
    // `AAACS0000K.AZ401` is a reporting branch, not the owner of the document.
    pattern: /(?<![A-Z0-9])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Z0-9]|\.[A-Z]{2}\d)/,
    not: (value, line) => value === 'ABCDE1234F' && /\bE\.?G\b|EXAMPLE|SPECIMEN|FORMAT/.test(line),
    check: () => 'shape',
    places: 'AAAAA9999A',
  },
  tan: {
    pattern: /(?<![A-Z0-9])[A-Z]{4}\d{5}[A-Z](?![A-Z0-9])/,
    not: (value, line) =>
      !OFFICE.has(value.slice(0, 3)) && !/\bTAN\b|TAX DEDUCTION|DEDUCTOR|EMPLOYER|COLLECTOR/.test(line),
    check: () => 'shape',
    places: 'AAAA99999A',
  },
  acknowledgement_no: {
    pattern: /(?<![A-Z0-9])\d{15}(?!\d)/,
    label: /ACKNOWLEDGE?MENT ?(?:NO|NUMBER)?|E-?FILING ACK/,
    check: () => 'shape',
  },
  document_din: {
    pattern:
      /(?<![A-Z0-9])(?:ITBA\/[A-Z0-9/_()-]{12,60}(?:\(\d\)|\d(?![\d()/-]))|CBIC-[A-Z0-9-]{10,30}|\d{8}[A-Z0-9]{6,14})(?![A-Z0-9])/,
    label: /\bDIN\b|DOCUMENT (?:IDENTIFICATION|REFERENCE)|NOTICE/,
    check: () => 'shape',
  },
  bsr: { pattern: /(?<![A-Z0-9])\d{7}(?!\d)/, label: /\bBSR\b/, check: () => 'shape' },
  crn: { pattern: /(?<![A-Z0-9])\d{14}(?!\d)/, label: /\bCRN\b|CHALLAN REFERENCE/, check: () => 'shape' },
};
