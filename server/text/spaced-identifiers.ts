/** Matches PAN, TAN and GSTIN in folded text, with or without blanks between their parts. */
const WRITTEN =
  /(?<![\p{L}\p{N}])(?:\d{2}\s?[a-z]{5}\s?\d{4}\s?[a-z]\s?[1-9a-z]\s?[a-z]\s?[0-9a-z]|[a-z]{5}\s?\d{4}\s?[a-z]|[a-z]{4}\s?\d{5}\s?[a-z])(?![\p{L}\p{N}])/gu;

interface WrittenIdentifier {
  start: number;
  end: number;
  /** Without blanks. */
  plain: string;
}

export const identifiersIn = (folded: string): WrittenIdentifier[] =>
  Array.from(folded.matchAll(WRITTEN), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    plain: match[0].replace(/\s/g, ''),
  }));

/** The sequences of words that an identifier may be printed as: one word, its parts, or separate letters in boxes. */
export function printedForms(plain: string): string[][] {
  const parts = plain.match(/\p{L}+|\p{Nd}+/gu) ?? [];
  return [[plain], parts, [...plain]];
}
