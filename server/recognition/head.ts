import { maskAadhaar } from '#server/reading/words/aadhaar.ts';
import type { RecognisedPage } from './contract.ts';

/** Characters: letters and deeds name their parties within these. */
const HEAD = 3000;

/** The beginning of a document, on one line, with no Aadhaar number whole: where people and addresses stand that no field names. */
export const headOf = (pages: readonly RecognisedPage[]): string =>
  maskAadhaar((pages[0]?.text ?? '').slice(0, HEAD))
    .text.replace(/\s+/gu, ' ')
    .trim();
