/** The letters of Helvetica by their width in thousandths of the size; other fonts are similar in proportion. */
const BY_WIDTH: Record<number, string> = {
  222: "'ijl|",
  278: ' !,./:;I[]\\ft',
  333: '()-`r"',
  389: '*',
  500: 'Jckszvxy',
  584: '+<=>~',
  611: 'FTZ',
  667: 'ABEKPSVXY&',
  722: 'CDHNRUw',
  778: 'GOQ',
  833: 'Mm',
  889: '%',
  944: 'W',
  1015: '@',
};
const USUAL = 556;
const WIDTHS = new Uint16Array(128).fill(USUAL);
for (const [width, letters] of Object.entries(BY_WIDTH))
  for (const letter of letters) WIDTHS[letter.charCodeAt(0)] = Number(width);

/**
 * Where each character of a text begins, and the last one ends, as shares of the width of the whole. A PDF tells only
 * the width of a run of text, so that of each letter is estimated.
 */
export function letterStarts(text: string, isMonospaced: boolean): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index += 1)
    starts.push(starts[index]! + (isMonospaced ? 1 : (WIDTHS[text.charCodeAt(index)] ?? USUAL)));
  const total = starts.at(-1)!;
  return starts.map((start) => start / total);
}
