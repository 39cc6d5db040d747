import { maskAadhaar } from '#server/text/aadhaar.ts';
import type { RecognisedPage } from './contract.ts';

/** Characters within which letters and deeds name their parties. */
const HEAD = 3000;

/**
 * The beginning of a document on one line, with Aadhaar numbers masked: it has names and addresses that no field
 * holds.
 */
export const headOf = (pages: readonly RecognisedPage[]): string =>
  maskAadhaar((pages[0]?.text ?? '').slice(0, HEAD))
    .text.replace(/\s+/gu, ' ')
    .trim();
