/** A piece of a text: what stands between `<tag>` and `</tag>`, or outside of all tags. */
export interface Piece {
  tag: string | null;
  words: string;
}

/** `I accept the <terms>Terms</terms>` in two pieces. Tags do not nest. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(<\w+>.*?<\/\w+>)/s)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [, tag = null, words = piece] = /^<(\w+)>(.*)<\/\1>$/s.exec(piece) ?? [];
      return { tag, words };
    });
}
